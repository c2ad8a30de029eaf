/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tokenizer.h - text to index terms; registered as FTS5 tokenizer 'tarsier'
 *
 * One routine for index, query, snippets and fingerprints. Terms are maximal runs of letters, digits and marks,
 * case-folded and stripped of accents (NFKD, no combining marks, full case folding), at most 64 bytes. CJK and other unspaced
 * scripts give overlapping bigrams. Separators never reach the index. */
#pragma once
#include <glib.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>

enum { TOKEN_MAX_BYTES = 64 };

/* Called for each token in order; start and end are byte offsets in the text (bigrams overlap). Return non-zero to stop. */
typedef int (*TokenFunc)(void *data, const char *token, int length, int start, int end);
/* Returns what the function returned last (0: ran to the end). text: UTF-8; invalid bytes separate. */
int tokenize(const char *text, size_t length, TokenFunc function, void *data);

/* Makes 'tarsier' known to one connection. Both openers of db.h call it. */
bool tokenizer_register(sqlite3 *db, GError **error);
