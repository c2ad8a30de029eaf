/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/print/printer.h"
#include "common/base/text.h"

char *info_full_path(const Info *info)
{
	return info->member ? g_strconcat(info->path, "|", info->member, NULL)
	                    : g_strdup(info->path);
}

int64_t info_size(const Info *info)
{
	return info->member ? info->member_size : info->stat.size;
}

int64_t info_mtime(const Info *info)
{
	int64_t ns =
	        info->member && info->member_mtime_ns ? info->member_mtime_ns : info->stat.mtime_ns;
	return ns / G_GINT64_CONSTANT(1000000000) - (ns % G_GINT64_CONSTANT(1000000000) < 0);
}

static void print_pipe_append(const Screen *screen, GString *out, const char *bytes)
{
	if (screen->terminal)
		text_append_escaped(out, bytes, -1);
	else
		g_string_append(out, bytes);
}

static void print_path(const Screen *screen, GString *out, const ShownHit *shown)
{
	g_autofree char *path = info_full_path(&shown->hit->info);
	print_pipe_append(screen, out, path);
	g_string_append_c(out, '\n');
}

static void print_pipe_append_number(GString *out, uint32_t number)
{
	g_string_append_c(out, '\t');
	if (number > 0)
		g_string_append_printf(out, "%u", number);
}

static void print_path_and_place(const Screen *screen, GString *out, const ShownHit *shown)
{
	const Snippet *snippet =
	        shown->snippets && shown->snippets->len > 0 ? shown->snippets->pdata[0] : NULL;
	g_autofree char *path = info_full_path(&shown->hit->info);
	print_pipe_append(screen, out, path);
	print_pipe_append_number(out, snippet ? snippet->page : 0);
	print_pipe_append_number(out, snippet ? snippet->line : 0);
	g_string_append_c(out, '\t');
	if (snippet && snippet->heading)
		print_pipe_append(screen, out, snippet->heading);
	g_string_append_c(out, '\n');
}

static void print_path_and_null(const Screen *screen, GString *out, const ShownHit *shown)
{
	g_autofree char *path = info_full_path(&shown->hit->info);
	g_string_append(out, path);
	g_string_append_c(out, '\0');
}

const Printer print_pipe = {.hit = print_path};
const Printer print_passages = {.hit = print_path_and_place};
const Printer print_null = {.hit = print_path_and_null};
