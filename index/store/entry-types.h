/* SPDX-License-Identifier: GPL-3.0-or-later */
/* entry-types.h - an entry of the tree, as the writer stores it and the reader tells it */
#pragma once
#include "index/store/states.h"
#include <stdint.h>

typedef struct {
	int64_t filesystem; /* row of table filesystem */
	uint64_t ino;
	int64_t birth_ns;
	EntryKind kind;
	int64_t size, mtime_ns, ctime_ns;
	uint32_t uid, gid, mode;
} EntryStat;
