/* SPDX-License-Identifier: GPL-3.0-or-later */
/* saved.h - searches kept under a name, in a file of their own beside the configuration
 *
 * Key file "saved-searches", section [saved], NAME=QUERY; mode 0600. Nothing gets there but by
 * "tarsier saved add": no search is recorded by itself. */
#pragma once
#include <glib.h>
#include <stdbool.h>

typedef struct Saved Saved;

/* What is saved beside this configuration file; a missing file is an empty list. NULL with error.
 */
Saved *saved_open(const char *config_file, GError **error);
void saved_free(Saved *saved);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Saved, saved_free)

/* One to 64 letters, digits, "-", "_" and ".". */
bool saved_is_name(const char *name);
/* In the order they were added. NULL-terminated; yours. */
char **saved_names(const Saved *saved);
/* Text of the query; NULL: there is none of that name. Yours. */
char *saved_query(const Saved *saved, const char *name);
/* Each writes the file at once. remove: false without error if there is none of that name. */
bool saved_add(Saved *saved, const char *name, const char *query, GError **error);
bool saved_remove(Saved *saved, const char *name, GError **error);
