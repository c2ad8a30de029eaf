/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/search/languages.h"
#include "index/text/stem.h"
#include <string.h>

/* Few long runs of documents are read, so that few pages are read. */
enum { STRETCHES = 32, STRETCH = 62, SHARE = 100, CODE_LENGTH = 2 };

static const char ends_sql[] =
        "SELECT (SELECT min(document) FROM fact), (SELECT max(document) FROM fact)";
static const char stretch_sql[] = "SELECT document, substr(lang, 1, " G_STRINGIFY(
        2) ") FROM fact WHERE document >= ?1 ORDER BY document LIMIT " G_STRINGIFY(62);
G_STATIC_ASSERT(CODE_LENGTH == 2 && STRETCH == 62);

typedef struct {
	GHashTable *counts; /* code -> documents */
	unsigned named;
	int64_t next; /* the first document that was not read yet */
} Sample;

static bool find_ends(Reader *r, int64_t *first_r, int64_t *last_r, GError **error)
{
	sqlite3_stmt *statement = reader_statement(r, ends_sql, error);
	int row = statement ? reader_step(r, statement, error) : -1;
	*first_r = row > 0 ? sqlite3_column_int64(statement, 0) : 0;
	*last_r = row > 0 ? sqlite3_column_int64(statement, 1) : 0;
	if (statement)
		sqlite3_reset(statement);
	return row > 0;
}

static void languages_count(Sample *sample, const char *code)
{
	unsigned before = GPOINTER_TO_UINT(g_hash_table_lookup(sample->counts, code));
	g_hash_table_replace(sample->counts, g_strdup(code), GUINT_TO_POINTER(before + 1));
	sample->named++;
}

static bool look_at_stretch(Reader *r, Sample *sample, int64_t first, GError **error)
{
	sqlite3_stmt *statement = reader_statement(r, stretch_sql, error);
	int row = statement ? 1 : -1;
	if (statement)
		sqlite3_bind_int64(statement, 1, MAX(first, sample->next));
	while (row > 0 && (row = reader_step(r, statement, error)) > 0) {
		sample->next = sqlite3_column_int64(statement, 0) + 1;
		const char *code = (const char *)sqlite3_column_text(statement, 1);
		if (code)
			languages_count(sample, code);
	}
	return row == 0;
}

static bool is_enough(const Sample *sample, const char *code, unsigned documents)
{
	return documents * SHARE >= sample->named || stem_has_own_script(code);
}

bool languages_each(Reader *r, LanguageFunc function, void *data, GError **error)
{
	g_autoptr(GHashTable) counts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	Sample sample = {.counts = counts};
	int64_t first, last;
	if (!find_ends(r, &first, &last, error))
		return false;
	for (int i = 0; i < STRETCHES; i++)
		if (!look_at_stretch(r, &sample, first + (last - first) / STRETCHES * i, error))
			return false;
	g_autoptr(GList) codes = g_list_sort(g_hash_table_get_keys(counts), (GCompareFunc)strcmp);
	for (GList *code = codes; code; code = code->next)
		if (is_enough(&sample, code->data,
		            GPOINTER_TO_UINT(g_hash_table_lookup(counts, code->data))))
			function(data, code->data);
	return true;
}
