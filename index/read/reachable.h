/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reachable.h - does a root exist, and does its file system answer?
 *
 * A call on a file system with a dead server blocks for ever, so check this before. A local disk
 * always answers. For a network file system or FUSE a child process makes the call and has
 * REACHABLE_MS to end. If it does not, the root counts as not reachable, and the child is
 * abandoned. A root to which the way is closed is reachable: what lies there is not away, it may
 * not be read. */
#pragma once
#include <stdbool.h>

enum { REACHABLE_MS = 500 };

bool reachable(const char *path);
