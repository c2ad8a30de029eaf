/* SPDX-License-Identifier: GPL-3.0-or-later */
/* visit.h - reading a directory in slices (part of crawl.h)
 *
 * The watch is in place before the first entry is read, so whatever changes behind the reader comes
 * as a hint. A row without an entry is never taken for deleted by its absence from the listing
 * alone: it is looked at once more. */
#pragma once
#include "daemon/crawl/crawl.h"

/* Takes the next dirty directory. *visit_r is NULL if it cannot be entered (that is settled then).
 */
bool visit_begin(Crawl *crawl, Dir *dir, int64_t now_us, Visit **visit_r, GError **error);
/* At most *budget entries, which it lessens. *done_r: the directory is finished. */
bool visit_step(
        Crawl *crawl, Visit *visit, unsigned *budget, int64_t now_us, bool *done_r, GError **error);
/* Of its directory. */
int64_t visit_node(const Visit *visit);
void visit_free(Visit *visit);
/* Is its directory still in the tree? If not it must end. */
bool visit_is_valid(const Crawl *crawl, const Visit *visit);
/* The directory's own facts change when its entries do, without an event for it. */
bool visit_update_own_facts(Crawl *crawl, const Dir *dir, int fd, GError **error);
/* Something is to be learned about dir at its entry in the directory above. */
void visit_ask_parent(Crawl *crawl, Dir *dir, const char *path, int64_t now_us);
/* A directory that could not be entered: settled by what that means, or to be tried again, at first
 * after VISIT_AGAIN_US, doubling to seven minutes. */
enum { VISIT_AGAIN_US = 50 * 1000 };
/* Something that passes was in the way: a directory above it was being renamed, no descriptor was
 * left, an error of the disk. */
void visit_again(Crawl *crawl, Dir *dir, int64_t now_us);
bool visit_settle(
        Crawl *crawl, Dir *dir, unsigned result, const char *path, int64_t now_us, GError **error);
