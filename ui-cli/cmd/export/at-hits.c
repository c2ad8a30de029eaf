/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/cmd/export/at-hits.h"
#include "common/base/i18n.h"
#include "common/base/paths.h"
#include "common/base/text.h"
#include "index/search/snippet.h"
#include <math.h>
#include <string.h>

enum {
	AT_MOST_TEXT = 64 << 10,
	AT_MOST_COPIES = 1000,
	AT_MOST_HOST = 255,
	MARK_BEGIN = '\2',
	MARK_END = '\3'
};

AtHits *at_hits_new(unsigned most)
{
	AtHits *hits = g_new0(AtHits, 1);
	hits->result = g_new0(SearchResult, 1);
	hits->result->hits = g_ptr_array_new_with_free_func((GDestroyNotify)hit_free);
	hits->result->total_exact = true;
	hits->snippets = g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);
	hits->most = most;
	return hits;
}

void at_hits_free(AtHits *hits)
{
	search_result_free(hits->result);
	g_ptr_array_unref(hits->snippets);
	g_free(hits);
}

static bool at_fail(const char *what, GError **error)
{
	g_set_error(error, EXPORT_ERROR, EXPORT_ERROR_UNAVAILABLE,
	        _("malformed answer of the target: %s"), what);
	return false;
}

/* ---- single values */

/* The bytes of a path. NULL: it is none. */
static char *at_path(const char *base64)
{
	gsize length = 0;
	size_t given = base64 ? strlen(base64) : 0;
	if (given == 0 || given > EXPORT_MOST_PATH || given % 4 != 0)
		return NULL;
	g_autofree guchar *bytes = g_base64_decode(base64, &length);
	g_autofree char *path = g_strndup((char *)bytes, length);
	bool known = *path == '/' || path_is_web(path);
	return strlen(path) == length && known ? g_steal_pointer(&path) : NULL;
}

/* An absent text is right. */
static bool at_text(const char *value, const char *what, char **out_r, GError **error)
{
	size_t length = value ? strlen(value) : 0;
	*out_r = NULL;
	if (!value)
		return true;
	if (length > AT_MOST_TEXT || !g_utf8_validate(value, (gssize)length, NULL))
		return at_fail(what, error);
	*out_r = g_strdup(value);
	return true;
}

static bool at_number(const char *value, int64_t low, const char *what, int64_t preset,
        int64_t *out_r, GError **error)
{
	gint64 number = preset;
	bool ok = !value || g_ascii_string_to_signed(value, 10, low, G_MAXINT64, &number, NULL);
	*out_r = number;
	return ok || at_fail(what, error);
}

static bool at_score(const char *value, double *out_r, GError **error)
{
	char *end = NULL;
	*out_r = value ? g_ascii_strtod(value, &end) : 0;
	return (!value || (*value && *end == '\0' && isfinite(*out_r))) || at_fail("score", error);
}

/* Seconds since 1970 in the years that can be shown. */
static bool at_time(const char *value, const char *what, int64_t *out_r, GError **error)
{
	enum { PRESET = 0 };
	const int64_t far = INT64_C(253402300800); /* the year 10000 */
	if (!at_number(value, -far, what, PRESET, out_r, error))
		return false;
	return *out_r < far || at_fail(what, error);
}

static bool at_source(const char *value, const char *path, EntrySource *out_r, GError **error)
{
	static const EntrySource sources[] = {ENTRY_OF_DISK, ENTRY_OF_SITE, ENTRY_OF_FEED};
	for (size_t i = 0; value && i < G_N_ELEMENTS(sources); i++) {
		*out_r = sources[i];
		if (strcmp(value, entry_source_name(sources[i])) == 0 &&
		        path_is_web(path) == (sources[i] != ENTRY_OF_DISK))
			return true;
	}
	return at_fail("source", error);
}

static void at_state(const char *value, Info *info)
{
	info->truncated = g_strcmp0(value, "truncated") == 0;
	info->state = g_strcmp0(value, "failed") == 0 ? STATE_FAILED : STATE_OK;
}

/* ---- a snippet */

/* Takes the blank off the end, and the marks that it was in. */
static void at_snippet_trim(Snippet *snippet)
{
	g_strchomp(snippet->text);
	uint32_t length = strlen(snippet->text);
	for (guint i = 0; i < snippet->marks->len; i++) {
		uint32_t *edge = &g_array_index(snippet->marks, uint32_t, i);
		*edge = MIN(*edge, length);
	}
	for (guint n = snippet->marks->len; n >= 2; n -= 2)
		if (g_array_index(snippet->marks, uint32_t, n - 2) == length)
			g_array_set_size(snippet->marks, n - 2);
}

/* Takes the marks out of the text, and folds what is white space or a control. */
static Snippet *at_snippet(const char *marked)
{
	Snippet *snippet = g_new0(Snippet, 1);
	GString *text = g_string_new(NULL);
	bool open = false;
	snippet->field = "body";
	snippet->marks = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	for (const char *s = marked; *s; s = g_utf8_next_char(s)) {
		gunichar c = g_utf8_get_char(s);
		uint32_t at = text->len;
		if (c == (open ? MARK_END : MARK_BEGIN)) {
			g_array_append_val(snippet->marks, at);
			open = !open;
		} else if (g_unichar_isspace(c) || g_unichar_iscntrl(c)) {
			if (text->len > 0 && text->str[text->len - 1] != ' ')
				g_string_append_c(text, ' ');
		} else {
			g_string_append_unichar(text, c);
		}
	}
	if (open) /* it has no end */
		g_array_set_size(snippet->marks, snippet->marks->len - 1);
	snippet->text = g_string_free(text, FALSE);
	at_snippet_trim(snippet);
	return snippet;
}

/* A snippet without a mark tells nothing of the query. */
static bool at_snippets(const char *value, GPtrArray *out, GError **error)
{
	g_autofree char *text = NULL;
	if (!at_text(value, "snippet", &text, error))
		return false;
	Snippet *snippet = text ? at_snippet(text) : NULL;
	if (snippet && snippet->marks->len > 0)
		g_ptr_array_add(out, snippet);
	else if (snippet)
		snippet_free(snippet);
	return true;
}

/* ---- a hit */

static bool at_copies(const char *value, Hit *hit, GError **error)
{
	g_auto(GStrv) coded = g_strsplit(value ? value : "", " ", AT_MOST_COPIES + 1);
	for (guint i = 0; coded[i] && i < AT_MOST_COPIES; i++) {
		g_autofree char *path = at_path(coded[i]);
		if (!path)
			return at_fail("path", error);
		const Info copy = {.path = path, .member = hit->info.member};
		g_ptr_array_add(hit->copies,
		        copy.member ? g_strconcat(path, "|", copy.member, NULL) : g_strdup(path));
	}
	hit->copies_cut = g_strv_length(coded) > AT_MOST_COPIES;
	return true;
}

static bool at_texts(const char *const *values, Info *info, GError **error)
{
	return at_text(values[HIT_MEMBER], "member", &info->member, error) &&
	       at_text(values[HIT_MIME], "mime", &info->mime, error) &&
	       at_text(values[HIT_TITLE], "title", &info->title, error) &&
	       at_text(values[HIT_AUTHOR], "author", &info->author, error) &&
	       at_text(values[HIT_LANG], "lang", &info->lang, error);
}

static bool at_numbers(const char *const *values, Info *info, GError **error)
{
	int64_t size, mtime;
	if (!at_number(values[HIT_SIZE], 0, "size", -1, &size, error) ||
	        !at_time(values[HIT_MTIME], "mtime", &mtime, error) ||
	        !at_time(values[HIT_DATE], "date", &info->date, error) ||
	        !at_number(values[HIT_PAGES], 0, "pages", 0, &info->pages, error) ||
	        !at_number(values[HIT_SECONDS], 0, "seconds", 0, &info->seconds, error))
		return false;
	const int64_t ns = INT64_C(1000000000);
	info->stat.size = info->member_size = size;
	info->stat.mtime_ns = CLAMP(mtime, G_MININT64 / ns, G_MAXINT64 / ns) * ns;
	return true;
}

static bool at_fill(const char *const *values, Hit *hit, GPtrArray *snippets, GError **error)
{
	Info *info = &hit->info;
	info->path = at_path(values[HIT_PATH]);
	if (!info->path)
		return at_fail("path", error);
	at_state(values[HIT_STATE], info);
	if (!values[HIT_HOST] || strlen(values[HIT_HOST]) > AT_MOST_HOST)
		return at_fail("host", error);
	return at_text(values[HIT_HOST], "host", &hit->host, error) &&
	       at_source(values[HIT_SOURCE], info->path, &info->source, error) &&
	       at_texts(values, info, error) && at_numbers(values, info, error) &&
	       at_score(values[HIT_SCORE], &hit->score, error) &&
	       at_copies(values[HIT_COPIES], hit, error) &&
	       at_snippets(values[HIT_SNIPPET], snippets, error);
}

bool at_hits_take(const char *const values[N_HIT_VALUES], void *data, GError **error)
{
	AtHits *hits = data;
	if (hits->result->hits->len >= hits->most)
		return at_fail("number of hits", error);
	Hit *hit = g_new0(Hit, 1);
	GPtrArray *snippets = g_ptr_array_new_with_free_func((GDestroyNotify)snippet_free);
	hit->distance = -1;
	hit->copies = g_ptr_array_new_with_free_func(g_free);
	g_ptr_array_add(hits->result->hits, hit);
	g_ptr_array_add(hits->snippets, snippets);
	return at_fill(values, hit, snippets, error);
}

bool at_hits_set_total(AtHits *hits, const ExportAnswer *answer, unsigned skip, GError **error)
{
	int64_t number;
	const char *total = answer->total;
	SearchResult *result = hits->result;
	if (!total || !at_number(total, 0, "number of hits", 0, &number, error))
		return total ? false : at_fail("number of hits", error);
	if (result->hits->len > 0 && (uint64_t)number < (uint64_t)skip + result->hits->len)
		return at_fail("number of hits", error);
	result->total = number;
	result->total_exact = !answer->at_most && !answer->partial;
	return true;
}
