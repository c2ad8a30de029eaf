/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/read/reader-private.h"
#include <string.h>

void reader_vectors_clear(ReaderVectors *vectors)
{
	g_clear_pointer(&vectors->path, g_free);
	g_clear_pointer(&vectors->refusal, g_free);
}

/* The identity is "SIZE TIME PATH" (index/write/write-vectors.c). */
static char *vectors_path_of(const char *identity)
{
	const char *time = strchr(identity, ' '), *path = time ? strchr(time + 1, ' ') : NULL;
	return g_strdup(path ? path + 1 : "");
}

static char *vectors_column(sqlite3_stmt *row, int column)
{
	const char *text = (const char *)sqlite3_column_text(row, column);
	return g_strdup(text ? text : "");
}

bool reader_word_vectors(Reader *r, ReaderVectors *out, GError **error)
{
	static const char sql[] = "SELECT (SELECT value FROM meta WHERE key = 'vectors'), "
	                          "(SELECT value FROM meta WHERE key = 'vectors_words'), "
	                          "(SELECT value FROM meta WHERE key = 'vectors_refused')";
	*out = (ReaderVectors){0};
	if (!reader_begin(r, 0, error))
		return false;
	sqlite3_stmt *statement = reader_statement(r, sql, error);
	int row = statement ? reader_step(r, statement, error) : -1;
	if (row > 0) {
		g_autofree char *identity = vectors_column(statement, 0);
		out->path = vectors_path_of(identity);
		out->words = CLAMP(sqlite3_column_int64(statement, 1), 0, G_MAXINT);
		out->refusal = vectors_column(statement, 2);
		sqlite3_reset(statement);
	}
	reader_end(r);
	return row > 0;
}

bool reader_has_word_vectors(Reader *r, bool *has_r, GError **error)
{
	uint64_t words;
	if (!reader_count(r, "SELECT value FROM meta WHERE key = 'vectors_words'", &words, error))
		return false;
	*has_r = words > 0;
	return true;
}
