/* SPDX-License-Identifier: GPL-3.0-or-later */
/* entry-types.h - an entry of the tree, as the writer stores it and the reader tells it */
#pragma once
#include "index/store/states.h"
#include <stdbool.h>
#include <stdint.h>

/* Stands for the birth time where inode numbers change with each mount: the entry is known by its
 * name, from which ino is derived. */
enum { ENTRY_BY_NAME = -1 };

typedef struct {
	int64_t filesystem; /* row of table filesystem */
	uint64_t ino;
	int64_t birth_ns; /* 0: the file system has none; ENTRY_BY_NAME */
	EntryKind kind;
	int64_t size, mtime_ns, ctime_ns;
	uint32_t uid, gid, mode;
} EntryStat;

static inline bool entry_is_by_name(const EntryStat *stat)
{
	return stat->birth_ns == ENTRY_BY_NAME;
}

/* True if the inode with this number, at the place of the entry, is the one that was indexed. */
static inline bool entry_is_inode(const EntryStat *stat, uint64_t ino)
{
	return entry_is_by_name(stat) || stat->ino == ino;
}
