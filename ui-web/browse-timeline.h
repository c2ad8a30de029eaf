/* SPDX-License-Identifier: GPL-3.0-or-later */
/* browse-timeline.h - the hits of a search by month or year, as bars
 *
 * Months where all hits lie within TIMELINE_BARS months, else years. Each bar is a link that
 * searches within the hits of that time. */
#pragma once
#include "ui-web/browse-search.h"

enum { TIMELINE_BARS = 24 };

/* Appends the bars of the hits of result; nothing where all hits are of one month. Of more than
 * TIMELINE_BARS years, the last ones that have hits are shown, and it says so. */
void browse_timeline_append(GString *out, const SearchResult *result, const BrowseSearch *search);
