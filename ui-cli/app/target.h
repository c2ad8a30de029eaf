/* SPDX-License-Identifier: GPL-3.0-or-later */
/* target.h - finds the entry meant by FILE, ID or OUTER|inner/path */
#pragma once
#include "ui-cli/app/cli.h"

/* Splits "OUTER|inner". *path_r: absolute; *member_r: NULL for the file itself; the caller frees
 * both. If a file exists whose own name contains the "|", it wins. */
void target_split(const char *argument, char **path_r, char **member_r);
/* The index entry of the argument, with stale set; NULL without error if there is none, or none
 * that the user may be told of. number_is_id: "7" and "id:7" are a document's ID. */
Info *target_info(Cli *cli, const char *argument, bool number_is_id, GError **error);
/* The same for the member of a file, or with NULL the file itself, by its path as the index has
 * it. */
Info *target_entry(Cli *cli, const char *path, const char *member, GError **error);
/* Is text a decimal number above 0? */
bool target_is_number(const char *text, uint64_t *number_r);
/* Is it "id:" and such a number, which is a document's ID even where a number means another thing?
 */
bool target_is_id(const char *text, uint64_t *id_r);
/* Is there nothing of that name, neither on the disk nor in the index? path: absolute. False for a
 * URL, and for what cannot be looked at. */
bool target_is_missing(Cli *cli, const char *path);
/* Says so if there is no text of the argument: its file is missing or a directory, or it is a URL
 * that the index has not. */
bool target_has_no_text(Cli *cli, const char *argument);
/* Resolves symbolic links in the directory of the path, but not in its last component; NULL on
 * failure. The caller frees it. */
char *target_real_path(const char *path);
/* The absolute path of a directory that was named, as the index may have it: with links resolved if
 * it is a link, or leads into a watched directory only so. The caller frees it. */
char *target_dir(Cli *cli, const char *argument);
/* The directory or file that the argument names, or the container if it names a member, which
 * *member_r gets; NULL for NULL. The caller frees both. */
char *target_place(Cli *cli, const char *argument, char **member_r);
/* Is it the member within, or inside it? within NULL: always. */
bool target_is_inside(const char *member, const char *within);
/* The absolute path if it is a watched directory or inside one, also after resolving links; else
 * NULL. The caller frees it. */
char *target_below_root(const Settings *settings, const char *argument);
