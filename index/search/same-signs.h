/* SPDX-License-Identifier: GPL-3.0-or-later */
/* same-signs.h - lowers hits that have the words of 1.2.3 or foo_bar with other signs between them,
 * and those that have Muller for Müller, Mueller or Müller for Muller, or Straße for Strasse
 *
 * Paths and titles are compared first. Then the text tells, from the text cache or, if the document
 * is a file of plain text, from that file. Other documents would have to be converted, which takes
 * too long before the first hit is shown; they are lowered less than those that have other signs.
 * At most SAME_SIGNS_TEXTS texts are read for an answer, and none once SAME_SIGNS_BYTES were, so
 * that only the best hits are told apart; the rest count like documents that would have to be
 * converted. Nothing is read from file systems that may not answer, nor of
 * a file whose inode number, size or time is not that of its row. A query without joined words
 * (index/text/joined-words.h) and words that may be spelled otherwise (index/text/marked-words.h)
 * costs nothing. Whether ss is written for ß is asked only of texts that may be in German. For a
 * word without marks, long texts are read only after a path, a title or another text had it with
 * them: texts of most words would be read in vain. */
#pragma once
#include "index/search/search-order.h"

enum { SAME_SIGNS_TEXTS = 48, SAME_SIGNS_FILE_BYTES = 512 << 10, SAME_SIGNS_BYTES = 4 << 20 };

typedef struct SameSigns SameSigns;
/* Returns NULL if the query has no joined and no marked words. The caller owns it; s must outlive
 * it. */
SameSigns *same_signs_new(const Search *s);
void same_signs_free(SameSigns *signs);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(SameSigns, same_signs_free)
/* Sets *factor_r to the factor of a group, at most 1: 1 if its document has all joined words with
 * their signs. */
bool same_signs_factor(
        SameSigns *signs, const SearchMatch *match, double *factor_r, GError **error);
