/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/web/traps.h"
#include "common/base/text.h"
#include <string.h>

enum { TOKEN_LENGTH = 12, MOST_NAMES = 3, MOST_SEGMENTS = 64, MOST_PERIOD = 8 };

/* A session id or a checksum: long, of letters, digits and hardly anything else. */
static bool is_session_token(const char *segment)
{
	unsigned digits = 0, letters = 0, others = 0;
	for (const char *p = segment; *p; p++) {
		digits += g_ascii_isdigit(*p);
		letters += g_ascii_isalpha(*p);
		others += !g_ascii_isalnum(*p);
	}
	return digits + letters >= TOKEN_LENGTH && digits >= 2 && letters > 0 &&
	       others * 4 <= digits;
}

static void append_segment_shape(GString *out, const char *segment)
{
	if (is_session_token(segment)) {
		g_string_append_c(out, '#');
		return;
	}
	for (const char *p = segment; *p; p++) {
		if (!g_ascii_isdigit(*p))
			g_string_append_c(out, *p);
		else if (p == segment || !g_ascii_isdigit(p[-1]))
			g_string_append_c(out, '#');
	}
}

/* Removes the last segments as long as they repeat those before them: /a/b/a/b becomes /a/b. */
static void fold_repetition(GPtrArray *segments)
{
	for (guint period = 1; period <= MOST_PERIOD && 2 * period <= segments->len; period++) {
		bool same = true;
		for (guint i = 0; i < period && same; i++)
			same = strcmp(segments->pdata[segments->len - 1 - i],
			               segments->pdata[segments->len - 1 - i - period]) == 0;
		if (!same)
			continue;
		g_ptr_array_set_size(segments, segments->len - period);
		period = 0;
	}
}

/* The directories of the path, without its last segment. */
static void append_directories(GString *out, const char *path, size_t length)
{
	g_autoptr(GPtrArray) segments = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *bytes = g_strndup(path, length);
	g_auto(GStrv) parts = g_strsplit(bytes, "/", MOST_SEGMENTS);
	for (guint i = 0; parts[i] && parts[i + 1]; i++) {
		g_autoptr(GString) shape = g_string_new(NULL);
		append_segment_shape(shape, parts[i]);
		if (shape->len > 0) {
			g_ptr_array_add(segments, g_strdup(shape->str));
			fold_repetition(segments);
		}
	}
	for (guint i = 0; i < segments->len; i++)
		g_string_append_printf(out, "/%s", (const char *)segments->pdata[i]);
	g_string_append_c(out, '/');
}

/* The names of the parameters, in order and each once. */
static void append_names(GString *out, const char *query)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
	g_auto(GStrv) parts = g_strsplit_set(query, "&;", 2 * MOST_SEGMENTS);
	for (char **part = parts; *part; part++)
		g_ptr_array_add(names, g_strndup(*part, strcspn(*part, "=")));
	g_ptr_array_sort(names, text_compare_elements);
	for (guint i = names->len; i-- > 1;)
		if (strcmp(names->pdata[i], names->pdata[i - 1]) == 0)
			g_ptr_array_remove_index(names, i);
	g_string_append_c(out, '?');
	if (names->len > MOST_NAMES)
		g_string_append_c(out, '*');
	for (guint i = 0; i < names->len && names->len <= MOST_NAMES; i++)
		g_string_append_printf(out, "%s%s", i > 0 ? "&" : "", (char *)names->pdata[i]);
}

char *trap_shape(const char *path)
{
	GString *out = g_string_new(NULL);
	size_t length = strcspn(path, "?");
	append_directories(out, path, length);
	if (path[length] == '?') {
		const char *name = path + length;
		while (name > path && name[-1] != '/')
			name--;
		g_autofree char *last = g_strndup(name, path + length - name);
		append_segment_shape(out, last);
		append_names(out, path + length + 1);
	}
	return g_string_free(out, FALSE);
}

bool trap_is_sunk(unsigned pages, unsigned poor)
{
	return pages >= TRAP_EVIDENCE && poor > pages / 2;
}
