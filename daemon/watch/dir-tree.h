/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dir-tree.h - the directories that are covered, in memory: what is watched, what must be visited
 *
 * One Dir for each directory whose contents are indexed, about 130 bytes; files exist only as rows.
 * A Dir knows no path and no name: moving a directory with everything below it is one change here
 * as it is one row in the index. Directories that must be visited form a list; a visit in progress
 * may find more. Engine only. */
#pragma once
#include "daemon/watch/revisit.h"
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum {
	DIR_DIRTY = 1, /* in the list of those to visit */
	DIR_DEEP = 2, /* visit everything below too */
	DIR_DENIED = 4, /* could not be opened for lack of rights */
	DIR_POLLED = 8, /* changes may come without an event: visited by the clock */
	DIR_VISITED = 16, /* visited since the start */
	DIR_REMOTE = 256, /* polled because its file system does not tell all changes */
	DIR_MOUNT = 64, /* the top of a file system mounted below a root */
	DIR_BARE =
	        128, /* its mount point, while it is away: the rows below it are of what is away */
	DIR_MISSED = 32, /* the last visit was in vain; with DIR_DEEP if it was to go deep */
} DirFlags;

typedef struct Dir Dir;
struct Dir {
	int64_t node; /* its row */
	uint64_t ino; /* what must be found when it is opened */
	Dir *parent; /* NULL: a root */
	Dir *child, *next, **back; /* first child; siblings */
	Dir *dirty_next, **dirty_back;
	int watch; /* -1: none */
	uint16_t flags;
	uint16_t failures; /* visits in vain since the last that went well */
	uint32_t changed_s; /* when something in it changed last, monotonic seconds; 0: not since
	                       the start */
	int64_t poll_us; /* next visit of a polled one */
	int64_t visited_us; /* last visit of a polled one; 0: not since the start */
	RevisitSource source; /* of a polled one */
};

typedef struct Tree Tree;

Tree *tree_new(void);
void tree_free(Tree *tree);
Dir *tree_find(const Tree *tree, int64_t node);
/* The Dir of the node; made below parent (NULL: a root) if it is new. */
Dir *tree_add(Tree *tree, Dir *parent, int64_t node, uint64_t ino);
void tree_move(Tree *tree, Dir *dir, Dir *parent);
/* Calls gone for dir and everything below it, deepest first, and frees them. */
typedef void (*TreeFunc)(Dir *dir, void *data);
void tree_remove(Tree *tree, Dir *dir, TreeFunc gone, void *data);
void tree_foreach(Tree *tree, TreeFunc f, void *data);
/* Counts what happened to its shape, so that a summary of it need not be made twice. */
uint64_t tree_version(const Tree *tree);
const Dir *dir_top(const Dir *dir);
unsigned dir_depth(const Dir *dir); /* a root: 0 */
/* Is dir at or below above? */
bool dir_is_below(const Dir *dir, const Dir *above);

/* Puts dir at the front of the list of those to visit. flags: 0 or DIR_DEEP. */
void tree_mark_dirty(Tree *tree, Dir *dir, unsigned flags);
/* The same for those at dir and below it that could not be opened. */
void tree_mark_denied(Tree *tree, Dir *dir);
/* The next to visit, taken off the list; its DIR_DEEP stays set for the visitor to clear. NULL:
 * none. */
Dir *tree_take_dirty(Tree *tree);
size_t tree_dirty(const Tree *tree);
