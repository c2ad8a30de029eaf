/* SPDX-License-Identifier: GPL-3.0-or-later */
/* main-teasers.h - finds lists of teasers in a page
 *
 * A teaser is a short part below a heading that is a link. Several of one class side by side are a
 * list that leads to other articles. */
#pragma once
#include "extractors/html/main-tree.h"

/* The indexes (guint) of all nodes that are teasers of a list, in ascending order. The caller frees
 * the array. */
GArray *teasers_find(const ContentTree *tree);
/* Removes the lists that stand in containers of their own. */
void teasers_remove(ContentTree *tree);
