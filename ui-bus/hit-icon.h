/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hit-icon.h - the picture of a hit: the thumbnail that a file manager made, or its type's icon
 *
 * Thumbnails lie where the Thumbnail Managing Standard of freedesktop.org says. They are never made
 * or read here: the desktop gets their path. */
#pragma once
#include <gio/gio.h>
#include <stdbool.h>

/* path: of the file; NULL: no thumbnail is wanted. mime: from outside, "" if unknown. The caller
 * unrefs the icon. */
GIcon *hit_icon(const char *path, const char *mime, bool folder);
/* The name of the icon of a type, or the path of a thumbnail. The caller frees it. */
char *hit_icon_name(const char *path, const char *mime, bool folder);
