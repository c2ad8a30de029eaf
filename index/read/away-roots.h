/* SPDX-License-Identifier: GPL-3.0-or-later */
/* away-roots.h - the roots that are not there now
 *
 * A root does not exist, its file system does not answer, or it is an empty directory of which the
 * index has entries: the mount point of a file system that is not mounted. If the entries were
 * removed instead, the daemon forgets them in a moment. */
#pragma once
#include "index/read/reader.h"

typedef struct {
	int64_t node;
	char *path;
} AwayRoot;

/* Returns an array of AwayRoot, which the caller owns. Call it within a transaction. */
GArray *away_roots(Reader *r, GError **error);
