/* SPDX-License-Identifier: GPL-3.0-or-later */
/* write-signs.c - gives the texts of an older index their words with signs (c++, at&t)
 *
 * The text is known from the cache, or is converted once more. If its words are those of the row in
 * the text index, only the new terms are added to that row: postings of different terms are
 * independent (index/text/terms.h). Their positions come from a filler at all other words, which is
 * taken back at once. Then FTS5 knows no sizes of the row's columns; a search for whole titles
 * counts the words of the title itself (index/search/whole-query.c). */
#include <config.h>
#include "index/write/writer-private.h"
#include <string.h>

static bool signs_is_over(Writer *w, bool *over_r, GError **error)
{
	int64_t last;
	bool ok = statement_int(w, META_GET, VALUES(TEXT("signs_last")), 0, &last, error);
	*over_r = last == 0;
	return ok;
}

static bool signs_next_left(Writer *w, int64_t after, int64_t *content_r, GError **error)
{
	return statement_int(w, SIGNS_LEFT_NEXT, VALUES(INT(after)), 0, content_r, error);
}

int writer_next_signs(Writer *w, int64_t left, int64_t *content_r, GError **error)
{
	bool over;
	int64_t first;
	*content_r = 0;
	if (!signs_is_over(w, &over, error))
		return -1;
	if (over)
		return 0;
	if (!statement_int(w, SIGNS_NEXT, NULL, 0, 0, content_r, error) ||
	        (*content_r == 0 && !signs_next_left(w, left, content_r, error)) ||
	        !signs_next_left(w, 0, &first, error))
		return -1;
	if (*content_r != 0)
		return 1;
	if (first != 0)
		return 0;
	return writer_change(w, error) && statement_run(w, SIGNS_FORGET, NULL, 0, error) ? 0 : -1;
}

static bool signs_same_blob(sqlite3_stmt *row, int column, const void *bytes, int length)
{
	return sqlite3_column_bytes(row, column) == length &&
	       memcmp(sqlite3_column_blob(row, column), bytes, length) == 0;
}

/* Does the row in the text index have the words of this document? The checksum of a text that was
 * indexed before checksums had a key tells nothing; then its fingerprint does. */
static bool signs_fit(Writer *w, int64_t id, const Fingerprint *print, bool *fit_r, GError **error)
{
	uint8_t bits[NEAR_PRINT_BYTES];
	sqlite3_stmt *row;
	int found = statement_row(w, DOCUMENT_TEXT, VALUES(INT(id)), &row, error);
	if (found <= 0)
		return found == 0 && writer_fail_missing(w, error);
	near_pack(&print->near, bits);
	bool same_words = sqlite3_column_int64(row, 0) == print->words &&
	                  sqlite3_column_int(row, 1) != REASON_LIMIT_WORDS;
	bool same_text = print->has_checksum
	                         ? signs_same_blob(row, 2, print->text_checksum, TEXT_CHECKSUM_KEPT)
	                         : sqlite3_column_type(row, 2) == SQLITE_NULL;
	bool same_print = print->has_near && signs_same_blob(row, 3, bits, sizeof bits);
	*fit_r = same_words && (same_text || same_print);
	sqlite3_reset(row);
	return true;
}

/* Each deletion keeps FTS5's count of rows, and the filler's its count of tokens. */
static bool signs_write(Writer *w, int64_t id, const Terms *signs, Terms *scratch, GError **error)
{
	Terms nothing;
	terms_init(&nothing);
	terms_unslice(signs, scratch);
	bool ok = writer_change(w, error) &&
	          content_write_text(w, TEXT_DELETE, id, &nothing, error) &&
	          content_write_text(w, TEXT_ADD, id, signs, error) &&
	          content_write_text(w, TEXT_DELETE, id, scratch, error) &&
	          content_write_text(w, TEXT_ADD, id, &nothing, error);
	terms_clear(&nothing);
	return ok;
}

/* A text without words with signs needs nothing, whatever the row says. */
static bool signs_add(Writer *w, int64_t id, const Document *doc, bool *fit_r, GError **error)
{
	Fingerprint print;
	Terms signs, scratch;
	w->terms.budget = NULL;
	w->terms.count = NULL; /* the words were counted when they were new */
	terms_of_document(&w->terms, doc, &w->text_key, &print);
	terms_init(&signs);
	terms_init(&scratch);
	bool any = terms_with_signs(&w->terms, &signs);
	*fit_r = true;
	bool ok = !any || (signs_fit(w, id, &print, fit_r, error) &&
	                          (!*fit_r || signs_write(w, id, &signs, &scratch, error)));
	terms_clear(&signs);
	terms_clear(&scratch);
	return ok;
}

static bool signs_next_document(
        Writer *w, int64_t content, int64_t after, int64_t *id_r, GError **error)
{
	return statement_int(w, DOCUMENT_NEXT, VALUES(INT(content), INT(after)), 0, id_r, error);
}

bool writer_add_cached_signs(
        Writer *w, int64_t content, int64_t *after, CachedSigns *state_r, GError **error)
{
	enum { MOST_DOCUMENTS = 16, MOST_BYTES = 128 << 10 };
	size_t bytes = 0;
	*state_r = SIGNS_CUT;
	for (unsigned n = 0; n < MOST_DOCUMENTS && bytes < MOST_BYTES; n++) {
		int64_t id;
		bool fit;
		if (!signs_next_document(w, content, *after, &id, error))
			return false;
		g_autoptr(Document) doc = id != 0 && w->cache ? textcache_get(w->cache, id) : NULL;
		if (doc && !signs_add(w, id, doc, &fit, error))
			return false;
		if (!doc || !fit) {
			*state_r = id == 0 ? SIGNS_ALL : SIGNS_UNCACHED;
			return true;
		}
		*after = id;
		bytes += doc->text->len;
	}
	return true;
}

bool writer_add_signs(Writer *w, int64_t content, int64_t *after, const Document *doc, bool *fit_r,
        GError **error)
{
	int64_t id;
	if (!signs_next_document(w, content, *after, &id, error))
		return false;
	*fit_r = id != 0;
	if (id != 0)
		*after = id;
	return id == 0 || signs_add(w, id, doc, fit_r, error);
}

bool writer_count_documents(Writer *w, int64_t content, unsigned *n_r, GError **error)
{
	g_autoptr(GArray) ids = statement_ints(w, DOCUMENT_IDS, VALUES(INT(content)), error);
	*n_r = ids ? ids->len : 0;
	return ids != NULL;
}

bool writer_end_signs(Writer *w, int64_t content, bool again, GError **error)
{
	if (!writer_change(w, error) ||
	        !statement_run(w, SIGNS_DONE, VALUES(INT(content)), error) ||
	        !statement_run(w, SIGNS_LEFT_DELETE, VALUES(INT(content)), error))
		return false;
	w->recount |= again;
	if (again)
		changes_note_content(w, content);
	return !again ||
	       (statement_run(w, CONTENT_REQUEUE, VALUES(INT(content)), error) &&
	               statement_run(w, INODE_OF_CONTENT_PENDING, VALUES(INT(content)), error));
}

bool writer_leave_signs(Writer *w, int64_t content, GError **error)
{
	return writer_change(w, error) &&
	       statement_run(w, SIGNS_LEAVE, VALUES(INT(content)), error) &&
	       statement_run(w, SIGNS_DONE, VALUES(INT(content)), error);
}
