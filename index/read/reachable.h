/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reachable.h - is a root there, and does its file system answer?
 *
 * Whoever looks at a file on a dead server waits for ever, so this is asked before. A disk always
 * answers. Of a file system on the network or of FUSE a child process asks, for at most
 * REACHABLE_MS; then the root counts as not there, and the child is left to its fate. */
#pragma once
#include <stdbool.h>

enum { REACHABLE_MS = 500 };

bool reachable(const char *path);
