/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gaps.h - what an answer may lack */
#pragma once
#include "index/read/reader.h"

/* "2 files wait for conversion, 1 failed (see ...)"; NULL: nothing is lacking. Yours. */
char *gaps_text(const SearchResult *result);
