/* SPDX-License-Identifier: GPL-3.0-or-later */
/* browse-facets.h - by what the hits of a search can be narrowed down, with counts
 *
 * Types, years, places, languages, owners and sources of the first FACET_HITS hits. Each value is a
 * link that searches within the hits. A timeline of these hits stands below. */
#pragma once
#include "ui-web/browse-search.h"

enum { FACET_HITS = 1000 };

/* Appends them; nothing where all hits have the same values, or while somebody types. It searches
 * once more. */
void browse_facets_append(BrowseWorker *worker, GString *out, const BrowseSearch *search);
