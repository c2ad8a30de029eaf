/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tokenizer.h - text to index terms; registered as the FTS5 tokenizer 'tarsier'
 *
 * One routine serves index, query, snippets and fingerprints. A term is a maximal run of letters,
 * digits and marks, case-folded and stripped of diacritics (NFKD, full case folding; decimal digits
 * of all scripts become ASCII; ø, ł, æ and the like become the letters they resemble), cut at 64
 * bytes. Soft hyphens and joiners are dropped.
 *
 * A compound word ("QuarterlyReport2023", "readXMLFile"; index/text/word-parts.h) also yields its
 * parts, at the position of the whole word and with its start and end. A word of a query yields
 * only itself.
 *
 * A word to which signs belong ("C++", "AT&T"; index/text/word-signs.h) also yields itself with
 * them, at its position and after its parts: "C++ primer" yields c c++ primer, "AT&T" yields at
 * at&t t. The word then has the place of the whole. A word of a query yields only the term with the
 * signs: c++ primer, at&t t.
 *
 * Two words that a hyphen joins (index/text/word-hyphen.h) are also yielded as one, after the first
 * of them and its parts: "Wi-Fi on" yields wi wifi fi on. That term begins where the first word
 * does, and ends where the second one does. Words of a query are never joined.
 *
 * Scripts without spaces (CJK with Hangul; Thai and its neighbours) yield overlapping pairs of
 * characters, and the last character of a run alone: "ABC" yields AB BC C. Every character
 * therefore begins a term, and searching for a single character is a prefix search. */
#pragma once
#include <glib.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>

enum { TOKEN_MAX_BYTES = 64 };

/* Called for each token in order. start and end are byte offsets in the text; pairs overlap, and a
 * part begins where the word before it does, as no word does. A non-zero result stops. */
typedef int (*TokenFunc)(void *data, const char *token, int length, int start, int end);
/* Returns the last result of the function (0: all tokens were passed). text: UTF-8; invalid bytes
 * separate words. At most INT_MAX bytes are read. */
int tokenize(const char *text, size_t length, TokenFunc function, void *data);
/* The same for the name of a file, whose invalid bytes are characters (name-bytes.h). */
int tokenize_name(const char *name, size_t length, TokenFunc function, void *data);
/* The same as tokenize() for a phrase of a query. The last character of a run at the end of the
 * text, which may go on in the document, is a term only if it is the whole run: "ABC d" yields AB
 * BC C d, "d ABC" yields d AB BC, "A" yields A. */
int tokenize_phrase(const char *text, size_t length, TokenFunc function, void *data);
/* Terms of either function, separated by blanks, yield themselves. */
int tokenize_query(const char *text, size_t length, TokenFunc function, void *data);

/* Bytes of the first character with its marks if it is of a script without spaces; else 0. */
size_t tokenize_unspaced(const char *text, size_t length);

/* Returns the whole text, or name of a file, with words folded like terms and separators unchanged.
 * The result is valid UTF-8 whatever the text is; the caller owns it. */
char *tokenize_fold(const char *text, size_t length);
/* A gram is a sequence of GRAM characters of a folded text. */
enum { GRAM = 3 };
int tokenize_grams(const char *folded, TokenFunc function, void *data);

/* In a query for FTS5: the next term is a synonym of the one before it. A text of TOKEN_NOTHING
 * alone is a term that no document has. Neither occurs in a term. */
#define TOKEN_SYNONYM "\x1f"
#define TOKEN_NOTHING "\x1e"

/* Registers 'tarsier' with one connection. Returns an SQLite code, SQLITE_ERROR if SQLite lacks
 * FTS5. The functions of db.h that open an index call it. FTS5 tables declare it as
 *
 *   'tarsier'         values are text
 *   'tarsier stream'  indexed values are streams of terms (index/text/terms.h), queries are text
 *   'tarsier grams'   values are names, and their grams are the terms; a quoted string of a query
 * is one gram */
int tokenizer_register(sqlite3 *db);
/* Returns FTS5's table of functions; NULL if SQLite lacks FTS5. */
fts5_api *tokenizer_fts5(sqlite3 *db);
