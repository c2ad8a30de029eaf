/* SPDX-License-Identifier: GPL-3.0-or-later */
/* place.h - an open directory of the index, with the rules in force in it (part of crawl.h) */
#pragma once
#include "daemon/crawl/crawl.h"

typedef struct {
	Dir *dir;
	Root *root;
	int fd;
	RulesDir *rules;
	char *path; /* absolute */
} Place;

typedef enum {
	PLACE_OPEN,
	PLACE_GONE, /* it does not exist, or another directory is in its place */
	PLACE_DENIED,
	PLACE_AWAY, /* the root is offline, something is mounted over it, or a temporary error
	               occurred */
	PLACE_FAILED /* the index failed; error is set */
} PlaceResult;

PlaceResult place_open(Crawl *crawl, Dir *dir, Place *out, GError **error);
/* The same in two steps: opens the directory, then reads its rules. list: of its entries, none of
 * which was taken yet, so that markers which are not there are not asked for; NULL: there is none.
 */
PlaceResult place_enter(Crawl *crawl, Dir *dir, Place *out, GError **error);
PlaceResult place_find_rules(Crawl *crawl, Place *place, SafeList *list, GError **error);
void place_clear(Place *place);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Place, place_clear)

Root *place_root_of(const Crawl *crawl, const Dir *dir);
/* The root that path is or lies below, or NULL. *relative_r points into path. */
Root *place_root_of_path(const Crawl *crawl, const char *path, const char **relative_r);
/* O_PATH descriptor of the root, borrowed; -1 with errno on error. */
int place_root_fd(Root *root);
void place_forget_rules(Crawl *crawl);
/* True if the directory of this node is to be visited before others. */
bool place_is_hot(const Crawl *crawl, int64_t node);
/* The facts of an entry of this volume. parent: the node of its directory; for the top of the
 * volume, PLACE_TOP and "". */
enum { PLACE_TOP = 0 };
EntryStat place_stat(const Crawl *crawl, const Volume *volume, int64_t parent, const char *name,
        const struct statx *st);
/* The facts of an entry that has a row. One that is known by its name is the same entry, whatever
 * its inode number is. */
EntryStat place_stat_again(const EntryStat *row, const struct statx *st);
/* The inode number that opening a directory must find; 0: any. */
uint64_t place_dir_ino(const EntryStat *stat);
