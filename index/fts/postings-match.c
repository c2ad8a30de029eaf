/* SPDX-License-Identifier: GPL-3.0-or-later */
/* postings-match.c - terms and posting lists by the documented interfaces of FTS5
 *
 * MATCH answers for one term, with auxiliary functions that count its occurrences; fts5vocab lists
 * terms, and the occurrences of all terms with a prefix (sqlite.org/fts5.html). */
#include <config.h>
#include "index/fts/fts-private.h"
#include "index/text/tokenizer.h"
#include <string.h>

/* The tables belong to this connection only; the database stays opened for reading. */
bool term_scan_vocabularies(Reader *r, GError **error)
{
	static const char sql[] = "PRAGMA query_only = 0;"
	                          "CREATE VIRTUAL TABLE IF NOT EXISTS temp.text_terms USING "
	                          "fts5vocab(main, text, row);"
	                          "CREATE VIRTUAL TABLE IF NOT EXISTS temp.name_terms USING "
	                          "fts5vocab(main, name, row);"
	                          "CREATE VIRTUAL TABLE IF NOT EXISTS temp.text_instances USING "
	                          "fts5vocab(main, text, instance);"
	                          "CREATE VIRTUAL TABLE IF NOT EXISTS temp.name_instances USING "
	                          "fts5vocab(main, name, instance);"
	                          "PRAGMA query_only = 1";
	return sqlite3_exec(r->db, sql, NULL, NULL, NULL) == SQLITE_OK || reader_fail(r, error);
}

/* ---- auxiliary functions */

/* tarsier_counts(TABLE): occurrences of the first phrase in each column of the row, as a blob of
 * N_COLUMNS unsigned. */
static void match_counts_function(const Fts5ExtensionApi *api, Fts5Context *fts,
        sqlite3_context *context, int n, sqlite3_value **values)
{
	unsigned counts[N_COLUMNS] = {0};
	Fts5PhraseIter at;
	int column, offset;
	int result = api->xPhraseFirst(fts, 0, &at, &column, &offset);
	for (; result == SQLITE_OK && column >= 0; api->xPhraseNext(fts, &at, &column, &offset))
		if (column < N_COLUMNS)
			counts[column]++;
	if (result == SQLITE_OK)
		sqlite3_result_blob(context, counts, sizeof counts, SQLITE_TRANSIENT);
	else
		sqlite3_result_error_code(context, result);
}

/* tarsier_totals(TABLE): number of rows and of tokens of the table, as a blob of two int64_t. */
static void match_totals_function(const Fts5ExtensionApi *api, Fts5Context *fts,
        sqlite3_context *context, int n, sqlite3_value **values)
{
	sqlite3_int64 totals[2] = {0};
	int result = api->xRowCount(fts, &totals[0]);
	if (result == SQLITE_OK)
		result = api->xColumnTotalSize(fts, -1, &totals[1]);
	if (result == SQLITE_OK)
		sqlite3_result_blob(context, totals, sizeof totals, SQLITE_TRANSIENT);
	else
		sqlite3_result_error_code(context, result);
}

bool match_register(Reader *r, GError **error)
{
	fts5_api *api = tokenizer_fts5(r->db);
	return (api &&
	               api->xCreateFunction(api, "tarsier_counts", NULL, match_counts_function,
	                       NULL) == SQLITE_OK &&
	               api->xCreateFunction(api, "tarsier_totals", NULL, match_totals_function,
	                       NULL) == SQLITE_OK) ||
	       db_fail(r->db, "FTS5", error);
}

bool match_totals(
        Reader *r, TermTable table, uint64_t *documents_r, uint64_t *tokens_r, GError **error)
{
	static const char *const sql[] = {
	        [TERMS_OF_TEXT] = "SELECT tarsier_totals(text) FROM text LIMIT 1",
	        [TERMS_OF_NAMES] = "SELECT tarsier_totals(name) FROM name LIMIT 1"};
	sqlite3_stmt *statement = reader_statement(r, sql[table], error);
	int row = statement ? reader_step(r, statement, error) : -1;
	sqlite3_int64 totals[2] = {0};
	if (row > 0 && sqlite3_column_bytes(statement, 0) == sizeof totals)
		memcpy(totals, sqlite3_column_blob(statement, 0), sizeof totals);
	*documents_r = MAX(totals[0], 0);
	*tokens_r = MAX(totals[1], 0);
	if (statement)
		sqlite3_reset(statement);
	return row >= 0;
}

/* ---- terms */

static sqlite3_stmt *match_statement(Reader *r, const char *sql, GError **error)
{
	return term_scan_vocabularies(r, error) ? reader_statement(r, sql, error) : NULL;
}

/* Binds the range of terms that begin with start. No UTF-8 text has the byte FF. */
static void match_bind_range(sqlite3_stmt *statement, const char *start)
{
	g_autofree char *end = g_strconcat(start, "\xff", NULL);
	sqlite3_bind_text(statement, 1, start, -1, SQLITE_TRANSIENT);
	sqlite3_bind_text(statement, 2, end, -1, SQLITE_TRANSIENT);
}

bool match_scan(
        Reader *r, TermTable table, const char *start, TermScanFunc f, void *data, GError **error)
{
	static const char *const sql[] = {
	        [TERMS_OF_TEXT] = "SELECT term FROM temp.text_terms WHERE term >= ?1 AND term < ?2",
	        [TERMS_OF_NAMES] =
	                "SELECT term FROM temp.name_terms WHERE term >= ?1 AND term < ?2"};
	sqlite3_stmt *statement = match_statement(r, sql[table], error);
	int row = statement ? 1 : -1;
	bool more = true;
	if (statement)
		match_bind_range(statement, start);
	while (more && row > 0 && (row = reader_step(r, statement, error)) > 0) {
		const char *term = (const char *)sqlite3_column_text(statement, 0);
		more = !term || f(data, term);
	}
	if (row > 0)
		sqlite3_reset(statement);
	return row >= 0;
}

static bool match_exists(
        Reader *r, sqlite3_stmt *statement, const char *term, bool *exists, GError **error)
{
	sqlite3_reset(statement);
	sqlite3_bind_text(statement, 1, term, -1, SQLITE_STATIC);
	int row = reader_step(r, statement, error);
	*exists = row > 0;
	sqlite3_reset(statement);
	return row >= 0;
}

bool match_exist(Reader *r, TermTable table, const char *const *terms, size_t n, bool *exists,
        GError **error)
{
	static const char *const sql[] = {
	        [TERMS_OF_TEXT] = "SELECT 1 FROM temp.text_instances WHERE term = ?1 LIMIT 1",
	        [TERMS_OF_NAMES] = "SELECT 1 FROM temp.name_instances WHERE term = ?1 LIMIT 1"};
	sqlite3_stmt *statement = match_statement(r, sql[table], error);
	bool ok = statement != NULL;
	for (size_t i = 0; ok && i < n; i++)
		ok = exists[i] || match_exists(r, statement, terms[i], &exists[i], error);
	return ok;
}

/* ---- posting lists */

/* A term as an FTS5 expression: the tokenizer leaves the terms of queries as they are. */
static void match_bind_phrase(sqlite3_stmt *statement, const char *term)
{
	g_autoptr(GString) phrase = g_string_new("\"");
	for (; *term; term++)
		g_string_append_len(phrase, *term == '"' ? "\"\"" : term, *term == '"' ? 2 : 1);
	g_string_append_c(phrase, '"');
	sqlite3_bind_text(statement, 1, phrase->str, phrase->len, SQLITE_TRANSIENT);
}

static bool match_term_postings(
        Reader *r, TermTable table, const char *term, TermPostingFunc f, void *data, GError **error)
{
	static const char *const sql[] = {
	        [TERMS_OF_TEXT] =
	                "SELECT rowid, tarsier_counts(text) FROM text WHERE text MATCH ?1",
	        [TERMS_OF_NAMES] =
	                "SELECT rowid, tarsier_counts(name) FROM name WHERE name MATCH ?1"};
	sqlite3_stmt *statement = reader_statement(r, sql[table], error);
	int row = statement ? 1 : -1;
	bool more = true;
	if (statement)
		match_bind_phrase(statement, term);
	while (more && row > 0 && (row = reader_step(r, statement, error)) > 0) {
		unsigned counts[N_COLUMNS] = {0};
		const void *blob = sqlite3_column_blob(statement, 1);
		if (blob && sqlite3_column_bytes(statement, 1) == sizeof counts)
			memcpy(counts, blob, sizeof counts);
		const TermPosting posting = {
		        sqlite3_column_int64(statement, 0), false, counts, N_COLUMNS};
		more = f(data, &posting);
	}
	if (row > 0)
		sqlite3_reset(statement);
	return row >= 0;
}

/* One row for each occurrence; terms ascend, then documents. MATCH would count terms at the same
 * position once. */
static bool match_prefix_postings(Reader *r, TermTable table, const char *start, TermPostingFunc f,
        void *data, GError **error)
{
	static const char *const sql[] = {
	        [TERMS_OF_TEXT] = "SELECT doc, col FROM temp.text_instances WHERE term >= ?1 AND "
	                          "term < ?2",
	        [TERMS_OF_NAMES] = "SELECT doc, col FROM temp.name_instances WHERE term >= ?1 AND "
	                           "term < ?2"};
	sqlite3_stmt *statement = match_statement(r, sql[table], error);
	unsigned counts[N_COLUMNS] = {0};
	TermPosting posting = {.counts = counts, .columns = N_COLUMNS};
	bool more = true, any = false;
	int row = statement ? 1 : -1;
	if (statement)
		match_bind_range(statement, start);
	while (more && row > 0 && (row = reader_step(r, statement, error)) > 0) {
		int64_t document = sqlite3_column_int64(statement, 0);
		const char *name = (const char *)sqlite3_column_text(statement, 1);
		int column = table == TERMS_OF_NAMES ? 0 : column_of_name(name);
		if (any && document != posting.document) {
			more = f(data, &posting);
			memset(counts, 0, sizeof counts);
		}
		posting.document = document;
		any = true;
		if (column >= 0)
			counts[column]++;
	}
	if (row > 0)
		sqlite3_reset(statement);
	if (any && more && row == 0)
		f(data, &posting);
	return row >= 0;
}

bool match_postings(Reader *r, TermTable table, const char *term, bool prefix, TermPostingFunc f,
        void *data, GError **error)
{
	return prefix ? match_prefix_postings(r, table, term, f, data, error)
	              : match_term_postings(r, table, term, f, data, error);
}

/* ---- a walk over all terms */

bool match_walk(Reader *r, TermTable table, const char *after, unsigned terms,
        const TermWalkFuncs *f, void *data, char **last_r, GError **error)
{
	static const char *const sql[] = {
	        [TERMS_OF_TEXT] =
	                "SELECT term FROM temp.text_terms WHERE term > ?1 ORDER BY term LIMIT ?2",
	        [TERMS_OF_NAMES] =
	                "SELECT term FROM temp.name_terms WHERE term > ?1 ORDER BY term LIMIT ?2"};
	g_autoptr(GPtrArray) found = g_ptr_array_new_with_free_func(g_free);
	sqlite3_stmt *statement = match_statement(r, sql[table], error);
	int row = statement ? 1 : -1;
	if (statement) {
		sqlite3_bind_text(statement, 1, after, -1, SQLITE_TRANSIENT);
		sqlite3_bind_int64(statement, 2, terms);
	}
	while (row > 0 && (row = reader_step(r, statement, error)) > 0)
		g_ptr_array_add(found, g_strdup((const char *)sqlite3_column_text(statement, 0)));
	bool ok = row == 0;
	for (guint i = 0; ok && i < found->len; i++)
		ok = !f->term(data, found->pdata[i]) ||
		     match_postings(r, table, found->pdata[i], false, f->posting, data, error);
	if (ok && found->len > 0)
		*last_r = g_strdup(found->pdata[found->len - 1]);
	return ok;
}
