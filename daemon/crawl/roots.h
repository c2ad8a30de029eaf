/* SPDX-License-Identifier: GPL-3.0-or-later */
/* roots.h - the state of the watched directories themselves: present, offline or denied (part of
 * crawl.h) */
#pragma once
#include "daemon/crawl/crawl.h"

Root *root_new(const char *path);
void root_free(gpointer data);
/* Frees everything kept in memory about what lies below the root. */
void root_forget_dir(Crawl *crawl, Root *root);
/* Checks all roots: adopts those that appeared, and marks missing ones as offline. */
bool roots_check(Crawl *crawl, int64_t now_us, GError **error);
/* True if no root is left on this file system, or away with it. st: of a root that was on it. */
bool roots_have_left(Crawl *crawl, int64_t filesystem, const struct statx *st);
/* Discards (reconcile.h) the rows of all roots that are not in this list. */
bool roots_purge(Crawl *crawl, const char *const *roots, GError **error);
