/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tokenizer.h - text to index terms; registered as FTS5 tokenizer 'tarsier'
 *
 * One routine for index, query, snippets and fingerprints. Terms are maximal runs of letters,
 * digits and marks, case-folded and stripped of diacritics (NFKD, full case folding, no diacritics;
 * decimal digits of all scripts become ASCII; ø, ł, æ and their like become what they resemble),
 * cut at 64 bytes. Soft hyphens and joiners leave nothing.
 *
 * A compound word ("QuarterlyReport2023", "readXMLFile"; index/text/word-parts.h) gives its parts
 * too, at the place of the whole: with its start and end. A word of the query gives only itself.
 *
 * Scripts without spaces (CJK with Hangul; Thai and its neighbours) give overlapping pairs of
 * characters, and at the end of a run its last character alone: "ABC" gives AB BC C. So each
 * character begins a term, and a search for a single one is a search for a prefix. */
#pragma once
#include <glib.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>

enum { TOKEN_MAX_BYTES = 64 };

/* Called for each token in order; start and end are byte offsets in the text (pairs overlap; a part
 * has those of the token before it). Return non-zero to stop. */
typedef int (*TokenFunc)(void *data, const char *token, int length, int start, int end);
/* Returns what the function returned last (0: ran to the end). text: UTF-8; invalid bytes separate.
 * At most INT_MAX bytes are read. */
int tokenize(const char *text, size_t length, TokenFunc function, void *data);
/* The same for what is searched: the last character of a run at the end, where the text may go on,
 * stands alone only if it is all of the run ("ABC d" gives AB BC C d, "d ABC" gives d AB BC, "A"
 * gives A). */
int tokenize_phrase(const char *text, size_t length, TokenFunc function, void *data);
/* Terms of either, with blanks between them, give themselves. */
int tokenize_query(const char *text, size_t length, TokenFunc function, void *data);

/* Bytes of the first character with its marks, if it is of a script without spaces; else 0. */
size_t tokenize_unspaced(const char *text, size_t length);

/* The whole text, folded as its terms are, with what divides them as it is; valid UTF-8 whatever
 * the text is. Yours. */
char *tokenize_fold(const char *text, size_t length);
/* Every GRAM characters that follow each other in a folded text. */
enum { GRAM = 3 };
int tokenize_grams(const char *folded, TokenFunc function, void *data);

/* In a query that FTS5 is given: the next term counts as the one before it; a text of TOKEN_NOTHING
 * alone is a term that no document holds. Neither stands in a term. */
#define TOKEN_SYNONYM "\x1f"
#define TOKEN_NOTHING "\x1e"

/* Makes 'tarsier' known to one connection. Both openers of db.h call it. FTS5 tables declare it as
 *   'tarsier'         values are text
 *   'tarsier stream'  values that are indexed are terms already (index/text/terms.h), queries are
 * text 'tarsier grams'   values are names, terms their grams; what is quoted in a query is one gram
 */
bool tokenizer_register(sqlite3 *db, GError **error);
/* FTS5's table of functions, NULL if SQLite lacks it. */
fts5_api *tokenizer_fts5(sqlite3 *db);
