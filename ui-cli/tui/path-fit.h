/* SPDX-License-Identifier: GPL-3.0-or-later */
/* path-fit.h - a path shortened to a width, so that what tells it apart from others stays */
#pragma once
#include <glib.h>

/* paths: char *, raw bytes, of everything that is listed together; path is paths[at]. Returns the
 * path if it has at most so many cells once it is escaped. Else the directories that all have in
 * common are left out first; then those between the last directory that tells the path apart from
 * the others of the same name, and the name; then the beginning. An ellipsis replaces the rest.
 * The caller frees it; raw bytes. */
char *path_fit(const GPtrArray *paths, guint at, unsigned cells);
