/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gaps.h - tells what an answer may lack */
#pragma once
#include "index/search/search.h"

/* One short line, "Incomplete: 2 pending, 1 failed."; NULL if nothing is missing. The caller frees
 * it. */
char *gaps_text(const SearchResult *result);
