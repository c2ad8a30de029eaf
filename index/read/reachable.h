/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reachable.h - does a path exist, and does its file system answer?
 *
 * A call on a file system with a dead server blocks for ever, so check this before. A local disk
 * always answers. For a network file system or FUSE a child process makes the call and has
 * REACHABLE_MS to end. If it does not, the path counts as not reachable, and the child is
 * abandoned. A path to which the way is closed is reachable: what lies there is not away, it may
 * not be read. */
#pragma once
#include <stdbool.h>

enum { REACHABLE_MS = 500 };

bool reachable(const char *path);
/* The same of a directory that must have an entry, unless it may not be read: an empty one is
 * perhaps the mount point of a file system that is away. */
bool reachable_filled(const char *path);
