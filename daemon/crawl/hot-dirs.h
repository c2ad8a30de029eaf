/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hot-dirs.h - the directories that are visited first, because files were saved there last (part of
 * crawl.h)
 *
 * A user who starts the daemon with the session goes on where he stopped. There, events are heard
 * within a moment of the start, however long the comparison of everything else takes. */
#pragma once
#include "index/write/writer.h"

/* Of so many files, and in so many directories. */
enum { HOT_FILES = 1024, HOT_DIRS = 64 };

/* The nodes of the directories with the newest files of the index, and of all directories above
 * them: a set of int64_t * that the caller owns. NULL with error. */
GHashTable *hot_dirs_find(Writer *writer, GError **error);
