/* SPDX-License-Identifier: GPL-3.0-or-later */
/* similar-hits.h - what is near a document, without the document itself */
#pragma once
#include "index/search/search.h"

/* So many hits more than wanted are asked for: the names of the document itself. */
enum { SIMILAR_NAMES = 64 };

/* Drops the document (inode and member, which may be NULL) under any of its names, and all hits
 * after the first so many. */
void similar_drop_itself(SearchResult *result, int64_t inode, const char *member, unsigned limit);
