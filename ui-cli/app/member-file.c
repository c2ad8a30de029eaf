/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/app/member-file.h"
#include "common/base/autofd.h"
#include "common/base/i18n.h"
#include "common/base/paths.h"
#include "common/base/text.h"
#include "index/search/sole-member.h"
#include "ui-cli/app/convert-file.h"
#include "ui-cli/app/open-file.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { KEPT_SECONDS = 24 * 3600, NAME_BYTES = 200, EXTENSION_BYTES = 16 };

/* ---- the name */

static bool may_mislead(gunichar c)
{
	return g_unichar_iscntrl(c) || g_unichar_type(c) == G_UNICODE_FORMAT ||
	       g_unichar_type(c) == G_UNICODE_LINE_SEPARATOR ||
	       g_unichar_type(c) == G_UNICODE_PARAGRAPH_SEPARATOR || c == 0xFFFD || c == '/' ||
	       c == '\\';
}

static const char *last_part(const char *member)
{
	const char *bar = strrchr(member, '|');
	return path_base_name(bar ? bar + 1 : member);
}

/* A long name keeps its extension, by which viewers are chosen. */
static void shorten_name(GString *name)
{
	const char *dot = strrchr(name->str, '.');
	if (name->len <= NAME_BYTES)
		return;
	g_autofree char *extension = g_strdup(dot && strlen(dot) <= EXTENSION_BYTES ? dot : "");
	g_string_truncate(name, text_clip(name->str, name->len, NAME_BYTES - EXTENSION_BYTES));
	g_string_append(name, extension);
}

static char *safe_name(const char *member)
{
	g_autofree char *text = text_to_utf8(last_part(member), -1);
	GString *name = g_string_new(NULL);
	for (const char *p = text; *p; p = g_utf8_next_char(p)) {
		gunichar c = g_utf8_get_char(p);
		bool first = name->len == 0 && (c == '.' || c == '-' || c == '~');
		g_string_append_unichar(name, may_mislead(c) || first ? '_' : c);
	}
	shorten_name(name);
	if (name->len == 0)
		g_string_append(name, "member");
	return g_string_free(name, FALSE);
}

/* ---- the place */

/* Removes a directory that holds nothing but files. */
static void remove_copy(const char *dir)
{
	GDir *names = g_dir_open(dir, 0, NULL);
	const char *name;
	while (names && (name = g_dir_read_name(names))) {
		g_autofree char *file = g_build_filename(dir, name, NULL);
		unlink(file);
	}
	if (names)
		g_dir_close(names);
	rmdir(dir);
}

static void remove_old_copies(const char *dir)
{
	GDir *names = g_dir_open(dir, 0, NULL);
	const char *name;
	struct stat st;
	while (names && (name = g_dir_read_name(names))) {
		g_autofree char *copy = g_build_filename(dir, name, NULL);
		if (lstat(copy, &st) == 0 && S_ISDIR(st.st_mode) &&
		        st.st_mtime < time(NULL) - KEPT_SECONDS)
			remove_copy(copy);
	}
	if (names)
		g_dir_close(names);
}

/* A new directory below DIR/open; NULL with error. */
static char *member_file_directory(const char *dir, GError **error)
{
	g_autofree char *all = g_build_filename(dir, "open", NULL);
	g_autofree char *template = g_build_filename(all, "XXXXXX", NULL);
	if (!paths_make_private_dir(dir, error) || !paths_make_private_dir(all, error))
		return NULL;
	remove_old_copies(all);
	if (mkdtemp(template))
		return g_steal_pointer(&template);
	g_set_error(error, G_FILE_ERROR, g_file_error_from_errno(errno), "%s: %s", all,
	        g_strerror(errno));
	return NULL;
}

/* ---- copying */

typedef struct {
	Cli *cli;
	const char *path, *member;
	int output; /* an empty file */
} MemberRequest;

/* False without error: there is no such member, or *reason_r says why it cannot be read. */
static bool copy_member(const MemberRequest *r, DocReason *reason_r, GError **error)
{
	uint64_t size = 0;
	const Settings *settings = cli_settings(r->cli, error);
	autofd fd = settings ? open_regular(r->path, &size, error) : -1;
	if (fd < 0)
		return false;
	g_autofree char *name = g_path_get_basename(r->path);
	ConverterOptions options = convert_options(settings);
	options.first_name = name;
	g_autoptr(Converter) converter = converter_start(&options, error);
	if (!converter)
		return false;
	ConvertRequest request = {.size = size,
	        .name = name,
	        .limits = settings_limits(settings),
	        .member = r->member};
	request.fd = autofd_steal(&fd);
	return converter_copy_member(converter, &request, r->output, reason_r, error);
}

/* The name of the only member of a compressed file, which may have got another one from an equal
 * file, because such a file does not say what is in it; NULL if there is none. */
static char *only_member(Cli *cli, const char *path)
{
	if (!sole_member_name(path, strlen(path)))
		return NULL;
	g_autoptr(GPtrArray) docs = convert_file(cli, path, NULL);
	return docs && docs->len == 2 ? g_strdup(((const Document *)docs->pdata[1])->member) : NULL;
}

static bool copy_or_explain(MemberRequest *r, GError **error)
{
	g_autoptr(GError) local = NULL;
	DocReason reason = REASON_NONE;
	bool done = copy_member(r, &reason, &local);
	g_autofree char *other = NULL;
	if (!done && !local && reason == REASON_NONE && !strchr(r->member, '|'))
		other = only_member(r->cli, r->path);
	if (other) {
		r->member = other;
		done = copy_member(r, &reason, &local);
	}
	if (local)
		g_propagate_prefixed_error(
		        error, g_steal_pointer(&local), "%s|%s: ", r->path, r->member);
	else if (!done && reason == REASON_NONE)
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_NOENT, _("%s does not contain %s"),
		        r->path, r->member);
	else if (!done)
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "%s|%s: %s", r->path,
		        r->member, document_reason_text(reason));
	return done;
}

bool member_file_copy(Cli *cli, const char *path, const char *member, int output, GError **error)
{
	MemberRequest request = {cli, path, member, output};
	return copy_or_explain(&request, error);
}

/* Returns the path of the copy in a new directory below dir. */
static char *extract_below(
        Cli *cli, const char *dir, const char *path, const char *member, GError **error)
{
	g_autofree char *place = member_file_directory(dir, error);
	g_autofree char *name = safe_name(member);
	g_autofree char *file = place ? g_build_filename(place, name, NULL) : NULL;
	if (!file)
		return NULL;
	autofd output = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (output < 0)
		g_set_error(error, G_FILE_ERROR, g_file_error_from_errno(errno), "%s: %s", file,
		        g_strerror(errno));
	else if (member_file_copy(cli, path, member, output, error) && fchmod(output, 0400) == 0)
		return g_steal_pointer(&file);
	remove_copy(place);
	return NULL;
}

char *member_file_extract(Cli *cli, const char *path, const char *member, GError **error)
{
	g_autofree char *runtime_dir = g_path_get_dirname(cli->socket_path);
	g_autoptr(GError) local = NULL;
	char *file = extract_below(cli, runtime_dir, path, member, &local);
	/* The directory of the session is often small, or not there. */
	if (g_error_matches(local, G_FILE_ERROR, G_FILE_ERROR_NOSPC) ||
	        g_error_matches(local, G_FILE_ERROR, G_FILE_ERROR_ACCES)) {
		g_clear_error(&local);
		file = extract_below(cli, cli->cache_dir, path, member, &local);
	}
	if (local)
		g_propagate_error(error, g_steal_pointer(&local));
	return file;
}
