/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hit-id.h - how a search box names a hit
 *
 * "PATH" or "PATH|MEMBER", each with percent escapes (RFC 3986) for all but unreserved characters
 * and "/". A desktop may keep it longer than this program runs, so it stands for itself. */
#pragma once
#include <glib.h>
#include <stdbool.h>

enum { HIT_ID_BYTES = 32 << 10 }; /* a longer one is none */

/* path, member: raw bytes; member may be NULL. ASCII; the caller frees it. */
char *hit_id_new(const char *path, const char *member);
/* False if it is not such a name. The caller frees both; *member_r may be NULL. */
bool hit_id_parse(const char *id, char **path_r, char **member_r);
