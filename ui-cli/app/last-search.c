/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/app/last-search.h"
#include "common/base/autofd.h"
#include "common/base/paths.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { STRINGS_PER_HIT = 5 }; /* path, member, MIME type, page, line */

/* ---- the session */

/* When a process started, as /proc tells it; "0" if it is gone. So a number that is used again is
 * not the session of before. The caller frees it. */
static char *process_start(pid_t process)
{
	enum { FIELDS_BEFORE = 19 }; /* between the name and the start time, proc(5) */
	g_autofree char *file = g_strdup_printf("/proc/%d/stat", (int)process);
	g_autofree char *stat = NULL;
	if (!g_file_get_contents(file, &stat, NULL, NULL))
		return g_strdup("0");
	const char *name_end = strrchr(stat, ')');
	g_auto(GStrv) fields = g_strsplit(name_end ? name_end + 1 : "", " ", FIELDS_BEFORE + 3);
	return g_strdup(
	        g_strv_length(fields) > FIELDS_BEFORE + 1 ? fields[FIELDS_BEFORE + 1] : "0");
}

static char *session_name(void)
{
	pid_t session = getsid(0);
	g_autofree char *start = process_start(session);
	return g_strdup_printf("%d-%s", (int)session, start);
}

static char *last_search_dir(const char *dir)
{
	return g_build_filename(dir, "last-search", NULL);
}

static char *last_search_file(const char *dir)
{
	g_autofree char *name = session_name();
	return g_build_filename(dir, "last-search", name, NULL);
}

static void remove_ended_sessions(const char *dir)
{
	GDir *names = g_dir_open(dir, 0, NULL);
	const char *name;
	while (names && (name = g_dir_read_name(names))) {
		int session = atoi(name);
		if (session > 0 && kill(session, 0) < 0 && errno == ESRCH) {
			g_autofree char *file = g_build_filename(dir, name, NULL);
			unlink(file);
		}
	}
	if (names)
		g_dir_close(names);
}

/* ---- saving */

/* The file is written beside the old one and renamed, so that no reader sees an incomplete list. It
 * is not synced, because it is worthless after a crash. */
static bool last_search_replace(const char *file, const GString *bytes)
{
	g_autofree char *beside = g_strconcat(file, ".XXXXXX", NULL);
	autofd fd = g_mkstemp_full(beside, O_WRONLY | O_CLOEXEC, 0600);

	if (fd < 0)
		return false;
	if (fchmod(fd, 0600) == 0 && write(fd, bytes->str, bytes->len) == (ssize_t)bytes->len &&
	        rename(beside, file) == 0)
		return true;
	unlink(beside);
	return false;
}

static bool last_search_write(const char *outer_dir, const GString *bytes)
{
	g_autofree char *dir = last_search_dir(outer_dir);
	g_autofree char *file = last_search_file(outer_dir);
	if (!paths_make_private_dir(outer_dir, NULL))
		return false;
	/* An older version had a file of that name. */
	if (!g_file_test(dir, G_FILE_TEST_IS_DIR))
		unlink(dir);
	if (!paths_make_private_dir(dir, NULL) || !last_search_replace(file, bytes))
		return false;
	remove_ended_sessions(dir);
	return true;
}

static void last_search_append_string(GString *bytes, const char *text)
{
	g_string_append_len(bytes, text ? text : "", text ? strlen(text) + 1 : 1);
}

static void append_number(GString *bytes, unsigned number)
{
	g_string_append_printf(bytes, "%u", number);
	g_string_append_c(bytes, '\0');
}

void last_search_save(const char *socket_path, const char *cache_dir, const char *key,
        const SearchResult *result, const GArray *places, unsigned first_rank)
{
	g_autofree char *runtime_dir = g_path_get_dirname(socket_path);
	g_autoptr(GString) bytes = g_string_new(NULL);

	append_number(bytes, first_rank);
	last_search_append_string(bytes, key);
	for (guint i = 0; i < result->hits->len; i++) {
		const Hit *hit = g_ptr_array_index(result->hits, i);
		ViewerPlace place = {0, 0};
		if (places && i < places->len)
			place = g_array_index(places, ViewerPlace, i);
		last_search_append_string(bytes, hit->info.path);
		last_search_append_string(bytes, hit->info.member);
		last_search_append_string(bytes, hit->info.mime);
		append_number(bytes, place.page);
		append_number(bytes, place.line);
	}
	if (!last_search_write(runtime_dir, bytes))
		last_search_write(cache_dir, bytes);
}

/* ---- loading */

/* The string at *position, which moves past its NUL; NULL at the end. */
static const char *last_search_next_string(const char *bytes, gsize length, gsize *position)
{
	const char *start = bytes + *position;
	const char *end = *position < length ? memchr(start, '\0', length - *position) : NULL;
	if (!end)
		return NULL;
	*position = end + 1 - bytes;
	return start;
}

static unsigned last_search_number(const char *text)
{
	guint64 number;
	return g_ascii_string_to_unsigned(text, 10, 0, G_MAXUINT, &number, NULL) ? number : 0;
}

static void last_hit_free(gpointer item)
{
	LastHit *hit = item;
	g_free(hit->path);
	g_free(hit->member);
	g_free(hit->mime);
	g_free(hit);
}

static char *copy_unless_empty(const char *text)
{
	return *text ? g_strdup(text) : NULL;
}

/* False at the end. */
static bool last_search_take_hit(LastSearch *last, const char *bytes, gsize length, gsize *position)
{
	const char *strings[STRINGS_PER_HIT];
	for (unsigned i = 0; i < STRINGS_PER_HIT; i++)
		if (!(strings[i] = last_search_next_string(bytes, length, position)))
			return false;
	LastHit *hit = g_new0(LastHit, 1);
	hit->path = g_strdup(strings[0]);
	hit->member = copy_unless_empty(strings[1]);
	hit->mime = copy_unless_empty(strings[2]);
	hit->place.page = last_search_number(strings[3]);
	hit->place.line = last_search_number(strings[4]);
	g_ptr_array_add(last->hits, hit);
	return true;
}

static LastSearch *last_search_parse(const char *bytes, gsize length)
{
	gsize position = 0;
	const char *first = last_search_next_string(bytes, length, &position);
	LastSearch *last = g_new0(LastSearch, 1);
	last->hits = g_ptr_array_new_with_free_func(last_hit_free);
	last->first_rank = first ? last_search_number(first) : 0;
	const char *key = first ? last_search_next_string(bytes, length, &position) : NULL;
	last->key = g_strdup(key ? key : "");
	while (key && last_search_take_hit(last, bytes, length, &position))
		;
	return last;
}

LastSearch *last_search_load(const char *socket_path, const char *cache_dir)
{
	g_autofree char *runtime_dir = g_path_get_dirname(socket_path);
	const char *dirs[] = {runtime_dir, cache_dir};

	for (size_t i = 0; i < G_N_ELEMENTS(dirs); i++) {
		g_autofree char *file = last_search_file(dirs[i]);
		g_autofree char *bytes = NULL;
		gsize length;
		if (g_file_get_contents(file, &bytes, &length, NULL))
			return last_search_parse(bytes, length);
	}
	return NULL;
}

const LastHit *last_search_hit(const LastSearch *last, uint64_t rank)
{
	bool within = rank >= last->first_rank && rank - last->first_rank < last->hits->len;
	return within ? last->hits->pdata[rank - last->first_rank] : NULL;
}

void last_search_free(LastSearch *last)
{
	if (!last)
		return;
	g_ptr_array_unref(last->hits);
	g_free(last->key);
	g_free(last);
}
