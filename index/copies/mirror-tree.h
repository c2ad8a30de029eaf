/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mirror-tree.h - all directories and files of the index in memory, for mirror.c and mirror-names.c
 */
#pragma once
#include "index/copies/mirror.h"
#include "index/read/reader-private.h"

enum { MIRROR_NONE = UINT32_MAX, MIRROR_LEVELS = 1024 };

/* A directory or a file. Entries refer to each other by their index in tree->entries. */
typedef struct {
	int64_t node, size, inode;
	uint32_t parent; /* MIRROR_NONE: a root */
	uint32_t name; /* in tree->names */
	uint32_t first, children; /* of a directory: its children in tree->order */
	uint32_t files; /* number of files below a directory, without empty ones */
	bool dir;
} MirrorEntry;

typedef struct {
	GArray *entries; /* MirrorEntry */
	GByteArray *names; /* NUL-terminated */
	uint32_t *order; /* by parent, then by name */
} MirrorTree;

/* Two files with the same name (or the same end of their paths) and the same size. */
typedef struct {
	uint32_t from, to;
} MirrorPair;

MirrorTree *mirror_tree_read(Reader *r, GError **error);
void mirror_tree_free(MirrorTree *tree);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MirrorTree, mirror_tree_free)

static inline const MirrorEntry *mirror_entry(const MirrorTree *tree, uint32_t i)
{
	return &g_array_index(tree->entries, MirrorEntry, i);
}
static inline const char *mirror_name(const MirrorTree *tree, uint32_t i)
{
	return (const char *)tree->names->data + mirror_entry(tree, i)->name;
}
/* Does the file count? Empty files do not: they are all equal. */
static inline bool mirror_counts(const MirrorEntry *entry)
{
	return !entry->dir && entry->size > 0;
}
/* Returns the entry with this name in a directory, or MIRROR_NONE. */
uint32_t mirror_child(const MirrorTree *tree, uint32_t dir, const char *name);
/* The caller owns the path. */
char *mirror_path(const MirrorTree *tree, uint32_t i);
/* Adds the support and the bytes of these pairs to the rule. */
void mirror_rule_count(MirrorRule *rule, const MirrorTree *tree, const GArray *pairs);

/* A finder appends rules (MirrorRule, without sample) and the pairs of each rule (GArray of
 * MirrorPair). */
typedef struct {
	const MirrorTree *tree;
	const MirrorOptions *options;
	GPtrArray *rules, *pairs;
} MirrorFinder;
void mirror_find_trees(MirrorFinder *finder);
void mirror_find_names(MirrorFinder *finder);
