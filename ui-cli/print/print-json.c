/* SPDX-License-Identifier: GPL-3.0-or-later */
/* print-json.c - hits in the format "search" of docs/OUTPUT.md */
#include <config.h>
#include "ui-cli/print/printer.h"
#include "common/base/paths.h"
#include "common/base/text.h"
#include "ui-cli/print/entry.h"
#include "ui-cli/print/json-writer.h"
#include <string.h>

enum { FORMAT_VERSION = 1 };

static void append_notes(GString *out, char *const *notes)
{
	if (!notes || !*notes)
		return;
	json_open(out, "notes", '[');
	for (; *notes; notes++)
		json_text(out, NULL, *notes);
	json_close(out, ']');
}

static void print_begin(const Screen *screen, GString *out, const SearchResult *result,
        const char *query, char *const *notes)
{
	json_open(out, NULL, '{');
	json_text(out, "type", "begin");
	json_int(out, "format", FORMAT_VERSION);
	json_text(out, "query", query);
	json_unsigned(out, "total", result->total);
	json_bool(out, "total_exact", result->total_exact);
	if (result->partial > 0)
		json_unsigned(out, "partial", result->partial);
	if (result->by_meaning > 0)
		json_unsigned(out, "by_meaning", result->by_meaning);
	if (result->documents > 0) {
		json_unsigned(out, "documents", result->documents);
		json_unsigned(out, "documents_read", result->documents_read);
	}
	append_notes(out, notes);
	json_close(out, '}');
	g_string_append_c(out, '\n');
}

static void print_json_append_snippet(GString *out, const Snippet *snippet)
{
	json_open(out, NULL, '{');
	json_text(out, "field", snippet->field);
	if (snippet->page > 0)
		json_unsigned(out, "page", snippet->page);
	else
		json_nil(out, "page");
	if (snippet->line > 0)
		json_unsigned(out, "line", snippet->line);
	else
		json_nil(out, "line");
	json_text(out, "heading", snippet->heading);
	json_text(out, "text", snippet->text);
	json_open(out, "marks", '[');
	for (guint i = 0; i + 1 < snippet->marks->len; i += 2) {
		json_open(out, NULL, '[');
		json_unsigned(out, NULL, g_array_index(snippet->marks, uint32_t, i));
		json_unsigned(out, NULL, g_array_index(snippet->marks, uint32_t, i + 1));
		json_close(out, ']');
	}
	json_close(out, ']');
	json_close(out, '}');
}

static void append_snippets(GString *out, const GPtrArray *snippets)
{
	json_open(out, "snippets", '[');
	for (guint i = 0; snippets && i < snippets->len; i++)
		print_json_append_snippet(out, g_ptr_array_index(snippets, i));
	json_close(out, ']');
}

/* Appends the paths as text. If one of them is not UTF-8, "copies_b64" has the exact bytes of
 * all. */
static void print_json_append_copies(GString *out, const GPtrArray *copies)
{
	bool exact = true;

	json_open(out, "copies", '[');
	for (guint i = 0; copies && i < copies->len; i++) {
		const char *path = g_ptr_array_index(copies, i);
		exact &= g_utf8_validate(path, -1, NULL);
		json_text(out, NULL, path);
	}
	json_close(out, ']');
	if (exact)
		return;
	json_open(out, "copies_b64", '[');
	for (guint i = 0; i < copies->len; i++) {
		const char *path = g_ptr_array_index(copies, i);
		g_autofree char *coded = g_base64_encode((const guchar *)path, strlen(path));
		json_text(out, NULL, coded);
	}
	json_close(out, ']');
}

/* Those of another machine say nothing here. */
static void print_json_append_owner(GString *out, const Hit *hit)
{
	if (hit->host) {
		json_nil(out, "uid");
		json_nil(out, "gid");
		json_nil(out, "mode");
		return;
	}
	json_unsigned(out, "uid", hit->info.stat.uid);
	json_unsigned(out, "gid", hit->info.stat.gid);
	entry_json_mode(out, &hit->info);
}

static void print_json_append_facts(GString *out, const Hit *hit)
{
	const Info *info = &hit->info;
	json_text(out, "title", info->title);
	json_text(out, "author", info->author);
	json_text(out, "mime", info->mime);
	json_text(out, "kind", entry_type(info));
	json_text(out, "lang", info->lang);
	if (info_size(info) >= 0)
		json_int(out, "size", info_size(info));
	else
		json_nil(out, "size");
	json_time(out, "mtime", info_mtime(info), false);
	json_time(out, "date", info->date, true);
	print_json_append_owner(out, hit);
	json_hex(out, "checksum", info->has_checksum ? info->checksum : NULL, CHECKSUM_BYTES);
}

static void print_hit(const Screen *screen, GString *out, const ShownHit *shown)
{
	const Hit *hit = shown->hit;
	const Info *info = &hit->info;
	bool page = path_is_web(info->path);
	g_autofree char *uri = page ? text_to_utf8(info->path, -1)
	                            : g_filename_to_uri(info->path, hit->host, NULL);

	json_open(out, NULL, '{');
	json_text(out, "type", "hit");
	json_unsigned(out, "rank", shown->rank);
	if (hit->host)
		json_nil(out, "id");
	else
		json_int(out, "id", info->document);
	if (hit->host)
		json_text(out, "host", hit->host);
	json_path(out, info->path);
	json_bytes(out, "member", info->member);
	json_text(out, "uri", uri);
	json_text(out, "url", page ? uri : NULL);
	json_text(out, "source", entry_source_name(info->source));
	print_json_append_facts(out, hit);
	json_double(out, "score", hit->score);
	if (hit->meaning_share > 0)
		json_double(out, "meaning_share", hit->meaning_share);
	if (hit->by_meaning)
		json_bool(out, "by_meaning", true);
	if (hit->likeness > 0)
		json_double(out, "likeness", hit->likeness);
	if (hit->distance >= 0) {
		json_int(out, "distance", hit->distance);
		json_double(out, "similarity", hit->similarity);
	}
	if (hit->words_matched > 0) {
		json_unsigned(out, "words_met", hit->words_matched);
		json_unsigned(out, "words", shown->words);
	}
	append_snippets(out, shown->snippets);
	print_json_append_copies(out, hit->copies);
	if (hit->copies_cut)
		json_bool(out, "copies_cut", true);
	json_text(out, "state", info_state_name(info));
	json_close(out, '}');
	g_string_append_c(out, '\n');
}

static void append_other_suggestions(GString *out, const GPtrArray *others)
{
	if (!others || others->len == 0)
		return;
	json_open(out, "other_suggestions", '[');
	for (guint i = 0; i < others->len; i++)
		json_text(out, NULL, others->pdata[i]);
	json_close(out, ']');
}

static void print_end(const Screen *screen, GString *out, const SearchResult *result, double ms)
{
	json_open(out, NULL, '{');
	json_text(out, "type", "end");
	json_unsigned(out, "shown", result->hits->len);
	json_int(out, "ms", (int64_t)(ms + 0.5));
	json_unsigned(out, "pending", result->pending);
	json_unsigned(out, "failed", result->failed);
	json_unsigned(out, "offline", result->offline);
	json_unsigned(out, "truncated", result->truncated);
	if (result->suggestion)
		json_text(out, "suggestion", result->suggestion);
	append_other_suggestions(out, result->other_suggestions);
	json_close(out, '}');
	g_string_append_c(out, '\n');
}

const Printer print_json = {
        .wants_snippets = true,
        .begin = print_begin,
        .hit = print_hit,
        .end = print_end,
};
