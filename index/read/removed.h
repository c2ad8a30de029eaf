/* SPDX-License-Identifier: GPL-3.0-or-later */
/* removed.h - directories that are not covered any more, while their rows are still removed
 *
 * A directory of a million files that a rule excludes, or that is no root any more, has rows for a
 * while. The row of the directory itself is an orphan from the first moment; those below are not
 * touched before they go. */
#pragma once
#include "index/read/reader-private.h"

/* Is the path one of them or below it? Not if it is below a root that is inside of the directory,
 * nor if the directory is a root that lies inside of another one. They are read once for each
 * transaction; if that fails, so does what the transaction reads next. */
bool removed_has(Reader *r, const char *path);
