/* SPDX-License-Identifier: GPL-3.0-or-later */
/* missing-lines.h - tells which words and parts of a query match nothing */
#pragma once
#include "index/search/suggest.h"

/* One sentence. The caller frees it. */
char *missing_line(const Missing *missing);
/* One sentence for each, of a long text for the first ones, and then how many more there are.
 * missing: of Missing. GPtrArray of char * that the caller owns. */
GPtrArray *missing_lines(const GPtrArray *missing);
