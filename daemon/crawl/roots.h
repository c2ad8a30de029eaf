/* SPDX-License-Identifier: GPL-3.0-or-later */
/* roots.h - the watched directories themselves: there, away or denied (part of crawl.h) */
#pragma once
#include "daemon/crawl/crawl.h"

Root *root_new(const char *path);
void root_free(gpointer root);
/* Everything known in memory of what is below it. */
void root_forget_dir(Crawl *crawl, Root *root);
/* Looks at all of them: one that came is taken on, one that went is offline. */
bool roots_check(Crawl *crawl, int64_t now_us, GError **error);
/* Rows of roots that are not among these go. */
bool roots_purge(Crawl *crawl, const char *const *roots, GError **error);
