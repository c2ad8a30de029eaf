/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spellings.h - how hits write words that the index holds folded: Bestätigung, not bestatigung
 *
 * Words are read from the names and titles of hits, which cost nothing, and from those of their
 * texts that the text cache has, up to a limit. No file is read. */
#pragma once
#include "index/read/reader.h"

typedef struct Spellings Spellings;
/* So many hits are looked at, and the texts of so many of them. */
enum { SPELLINGS_HITS = 8, SPELLINGS_TEXTS = 3 };

/* typed: a query whose words stay as they are. */
Spellings *spellings_new(const char *typed);
void spellings_free(Spellings *spellings);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Spellings, spellings_free)
/* hits: of Hit (index/search/search.h). */
void spellings_add_hits(Spellings *spellings, Reader *r, const GPtrArray *hits);
/* Returns the text with the most frequent spelling of each word that was not typed, if that has
 * marks; other words stay. The caller frees it. */
char *spellings_apply(const Spellings *spellings, const char *text);
