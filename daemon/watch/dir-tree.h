/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dir-tree.h - the covered directories in memory: which are watched, which must be visited
 *
 * Each directory whose contents are indexed has one Dir of about 130 bytes; files exist as rows
 * only. A Dir holds neither path nor name, so moving a directory with everything below it is one
 * change here, as it is one row in the index. Directories that must be visited form a list, and a
 * visit may add to it. Only the engine uses it. */
#pragma once
#include "daemon/watch/revisit.h"
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum {
	DIR_DIRTY = 1, /* on the list of directories to visit */
	DIR_DEEP = 2, /* visit everything below it too */
	DIR_DENIED = 4, /* could not be opened: permission denied */
	DIR_POLLED = 8, /* changes may raise no event: it is visited at intervals */
	DIR_VISITED = 16, /* visited since the daemon started */
	DIR_BOUND = 512, /* the rules of its last visit depend on where it lies */
	DIR_REMOTE = 256, /* polled because its file system does not report all changes */
	DIR_MOUNT = 64, /* the top of a file system mounted below a root */
	DIR_BARE = 128, /* its mount point while it is unmounted: the rows below it describe the
	                   missing file system */
	DIR_HOT = 1024, /* it is visited before directories that are not; set when it is added */
	DIR_MISSED = 32, /* the last visit failed; together with DIR_DEEP, a deep visit failed */
} DirFlags;

typedef struct Dir Dir;
struct Dir {
	int64_t node; /* its row in the index */
	uint64_t ino; /* the inode number that opening it must find; 0: any */
	Dir *parent; /* NULL for a root */
	Dir *child, *next, **back; /* first child; siblings */
	Dir *dirty_next, **dirty_back;
	int watch; /* watch descriptor; -1: none */
	uint16_t flags;
	uint16_t failures; /* failed visits since the last successful one */
	uint32_t
	        changed_s; /* last change of an entry, monotonic seconds; 0: none since the start */
	int64_t poll_us; /* next visit if it is polled */
	int64_t visited_us; /* last visit if it is polled; 0: none since the start */
	RevisitSource source; /* used if it is polled */
};

typedef struct Tree Tree;

Tree *tree_new(void);
void tree_free(Tree *tree);
Dir *tree_find(const Tree *tree, int64_t node);
/* Returns the Dir of the node; a new one is made below parent (NULL: as a root). */
Dir *tree_add(Tree *tree, Dir *parent, int64_t node, uint64_t ino);
void tree_move(Tree *tree, Dir *dir, Dir *parent);
/* Calls gone for dir and for everything below it, deepest first, and frees them. */
typedef void (*TreeFunc)(Dir *dir, void *data);
void tree_remove(Tree *tree, Dir *dir, TreeFunc gone, void *data);
void tree_foreach(Tree *tree, TreeFunc f, void *data);
/* Grows with every change of the tree's shape, so that a summary can be cached. */
uint64_t tree_version(const Tree *tree);
const Dir *dir_top(const Dir *dir);
unsigned dir_depth(const Dir *dir); /* 0 for a root */
/* True if dir is above itself or lies below it. */
bool dir_is_below(const Dir *dir, const Dir *above);

/* Puts dir at the front of the list of directories to visit; one that is not hot, after those that
 * are. flags: 0 or DIR_DEEP. */
void tree_mark_dirty(Tree *tree, Dir *dir, unsigned flags);
/* The same, but behind the directory for which it was called last, if that waits and has the same
 * parent. So directories are visited in the order in which a visit of their parent finds them. */
void tree_mark_dirty_behind(Tree *tree, Dir *dir, unsigned flags);
/* Puts dir at the end of its part of the list, unless it is on the list. */
void tree_mark_dirty_last(Tree *tree, Dir *dir);
/* Calls tree_mark_dirty() for every directory at or below dir that could not be opened. */
void tree_mark_denied(Tree *tree, Dir *dir);
/* Takes the next directory off the list; NULL if it is empty. The visitor clears DIR_DEEP. */
Dir *tree_take_dirty(Tree *tree);
size_t tree_dirty(const Tree *tree);
