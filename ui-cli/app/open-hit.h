/* SPDX-License-Identifier: GPL-3.0-or-later */
/* open-hit.h - opens a file, or a member as a private copy, where a passage of it is */
#pragma once
#include "ui-cli/app/cli.h"
#include "ui-cli/app/last-search.h"

/* The path or URL to be opened: the file, a private copy of the member, or the URL of the page.
 * NULL with error; G_FILE_ERROR_NOENT: there is no such file or member; G_FILE_ERROR_ACCES: it
 * may not be read. The caller frees it. */
char *open_hit_path(Cli *cli, const LastHit *hit, GError **error);
/* False with error, as open_hit_path(). */
bool open_hit(Cli *cli, const LastHit *hit, GError **error);
/* The page or line of the first passage (Snippet); none if snippets is NULL. */
ViewerPlace open_hit_place(const GPtrArray *snippets);
