/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mount-tree.h - searches as directories of links
 *
 *     /saved/NAME/LINK    the hits of a saved search
 *     /q/QUERY/LINK       the hits of a query; /q itself is empty, and has every query
 *
 * A link has the name of its file, or "name (2).ext" where another hit has that name, and leads to
 * it. A member leads to the file that it is in, which is listed once; pages of sites have no link.
 * Names are raw bytes. A query cannot have a slash, and none begins with a dot, since programs look
 * for ".hidden" and the like everywhere. */
#pragma once
#include "ui-cli/app/cli.h"

enum { MOUNT_HITS = 1000 };

typedef struct MountTree MountTree;
MountTree *mount_tree_new(Cli *cli); /* cli must outlive it */
void mount_tree_free(MountTree *tree);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MountTree, mount_tree_free)

/* Looks up a path, absolute within the tree. Returns 0, or a negative errno: ENOENT, EINVAL for a
 * query that cannot be read, EIO for an index that cannot be. *target_r: where a link leads,
 * borrowed until the next call; NULL: the path is a directory. */
int mount_tree_find(MountTree *tree, const char *path, const char **target_r);
/* Searches anew, if the last search is some seconds old. *names_r: GPtrArray of char *, borrowed
 * until the next call. Returns as mount_tree_find(); ENOTDIR for a link. */
int mount_tree_list(MountTree *tree, const char *path, const GPtrArray **names_r);
