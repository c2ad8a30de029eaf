/* SPDX-License-Identifier: GPL-3.0-or-later */
/* root-kind.h - what a directory is that somebody wants to have watched */
#pragma once
#include <stdbool.h>

/* Says so if the directory is one of the kernel's (/proc, /sys, /dev), which hold no documents and
 * are endless. dir: absolute. table: the mount table, as for mounts_new(). */
bool root_kind_refuses(const char *dir, const char *table);
/* A sentence about a directory that is not a usual choice: the whole system, or a network file
 * system. NULL: nothing to say. The caller frees it. */
char *root_kind_note(const char *dir, const char *table);
