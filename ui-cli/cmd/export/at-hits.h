/* SPDX-License-Identifier: GPL-3.0-or-later */
/* at-hits.h - hits that a target tells, checked and in the form of those of a search here
 *
 * A target may be hostile. Of each value, what is too long, out of range or not UTF-8 is refused
 * and fails the search; printers escape the rest as they do with names and texts of files. */
#pragma once
#include "index/search/search.h"
#include "ui-cli/cmd/export/export-target.h"

typedef struct {
	SearchResult *result;
	GPtrArray *snippets; /* of GPtrArray of Snippet, one for each hit */
	unsigned most; /* hits */
} AtHits;

/* most: more hits than that are an error. */
AtHits *at_hits_new(unsigned most);
void at_hits_free(AtHits *hits);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AtHits, at_hits_free)
/* An ExportHitFunc; data: AtHits. */
bool at_hits_take(const char *const values[N_HIT_VALUES], void *data, GError **error);
/* Sets the number of all hits. skip: the hits before the page. False with error. */
bool at_hits_set_total(AtHits *hits, const ExportAnswer *answer, unsigned skip, GError **error);
