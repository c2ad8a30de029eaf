/* SPDX-License-Identifier: GPL-3.0-or-later */
/* visit.h - reads a directory in slices (part of crawl.h)
 *
 * The watch is in place before the first entry is read, so every change behind the reader raises a
 * hint. A row without an entry is never deleted because the listing lacks it: it is looked at
 * again. */
#pragma once
#include "daemon/crawl/crawl.h"

/* Takes the next dirty directory. *visit_r is NULL if it cannot be entered, which is then handled.
 */
bool visit_begin(Crawl *crawl, Dir *dir, int64_t now_us, Visit **visit_r, GError **error);
/* Reads at most *budget entries and lowers *budget by them. *done_r: the directory is finished. Of
 * a directory that may no longer be entered, or that a rule now excludes, it removes rows instead.
 */
bool visit_step(
        Crawl *crawl, Visit *visit, unsigned *budget, int64_t now_us, bool *done_r, GError **error);
/* Node of the directory. */
int64_t visit_node(const Visit *visit);
void visit_free(Visit *visit);
/* Notes that this directory leaves the tree. If it is the one that is visited, the visit must end.
 */
void visit_note_removed(Visit *visit, const Dir *dir);
bool visit_must_end(const Visit *visit);
/* The times of a directory change with its entries, without an event for the directory itself. */
bool visit_update_own_facts(Crawl *crawl, const Dir *dir, int fd, GError **error);
/* Looks at the entry of dir in the directory above. */
void visit_ask_parent(Crawl *crawl, Dir *dir, const char *path, int64_t now_us);
/* A visit that failed is tried again after this time at first, doubling up to seven minutes. */
enum { VISIT_AGAIN_US = 50 * 1000 };
/* Plans the next try after a temporary error: a rename above it, no free descriptor, a disk error.
 */
void visit_again(Crawl *crawl, Dir *dir, int64_t now_us);
/* Handles a directory that could not be entered: it is done, or tried again. result: PlaceResult.
 */
bool visit_not_opened(
        Crawl *crawl, Dir *dir, unsigned result, const char *path, int64_t now_us, GError **error);
