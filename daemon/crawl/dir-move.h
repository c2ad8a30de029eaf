/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dir-move.h - what must be visited after a directory was renamed or moved (part of crawl.h)
 *
 * The rows below it name their parents, and watches belong to inodes: both are right at the new
 * place as they were at the old one. So nothing below is visited, except where the rules depend on
 * the path, where a watch is missing, or where hints were lost while the directory was nowhere. */
#pragma once
#include "daemon/crawl/place.h"

/* False if everything below dir must be visited at (to, name), because its rules depend on the
 * place. Must be called before row and Dir move. */
bool dir_move_keeps_rules(const Crawl *crawl, const Dir *dir, const Place *to, const char *name);
/* Marks what must be visited of dir, which has moved and kept its rules: itself, because its new
 * name and its neighbours may exclude it, and whatever below it is not known for certain. */
void dir_move_mark(Crawl *crawl, Dir *dir);
