/* SPDX-License-Identifier: GPL-3.0-or-later */
/* member-file.h - a member of a container as a private file, for viewers
 *
 * The sandboxed extractor reads the container. Each member gets a directory (0700) of its own below
 * "open", beside the control socket (which is gone after the session) or in the cache directory,
 * and is read-only (0400). Those that are older than a day are removed by the next call. */
#pragma once
#include "ui-cli/app/cli.h"

/* Returns the path of the copy, whose name is that of the member without what could mislead:
 * control characters, characters that change the direction of writing, a dot or minus sign at its
 * beginning. NULL with G_FILE_ERROR; NOENT: the container has no such member. The caller frees it.
 */
char *member_file_extract(Cli *cli, const char *path, const char *member, GError **error);
/* Writes the bytes of the member to an empty file. False with an error as above. */
bool member_file_copy(Cli *cli, const char *path, const char *member, int output, GError **error);
