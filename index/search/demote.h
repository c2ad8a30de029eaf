/* SPDX-License-Identifier: GPL-3.0-or-later */
/* demote.h - lowers hits that are seldom meant: copies, older versions, members of archives, deep
 * trees, old files
 *
 * The factors are small. They order hits whose words say the same, and no more: a document that is
 * only in a backup is found there. Reading the path of every match would take longer than ranking
 * it, so the best are lowered as they come (search_hits()). */
#pragma once
#include "index/search/search-order.h"

/* The factor of a file by its path alone, at most 1: the higher it is, the more it is the file in
 * use. */
double demote_path(const char *path);
/* Sets *factor_r to the highest factor of the entries that the group stands for. */
bool demote_group(const Search *s, const SearchMatch *match, double *factor_r, GError **error);
