/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gaps.h - tells what an answer may lack */
#pragma once
#include "index/search/search.h"

/* "2 files wait for conversion, 1 failed (see ...)"; NULL if nothing is missing. The caller frees
 * it. */
char *gaps_text(const SearchResult *result);
