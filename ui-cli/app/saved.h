/* SPDX-License-Identifier: GPL-3.0-or-later */
/* saved.h - searches saved under a name, in a file beside the configuration
 *
 * The key file "saved-searches" (mode 0600) has a section [saved] with lines NAME=QUERY. Only
 * "tarsier saved add" writes to it: no search is recorded automatically. */
#pragma once
#include <glib.h>
#include <stdbool.h>

typedef struct Saved Saved;

/* Loads the searches saved beside this configuration file. A missing file is an empty list. NULL
 * with error. */
Saved *saved_open(const char *config_file, GError **error);
void saved_free(Saved *saved);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Saved, saved_free)

/* A name has 1 to 64 letters, digits, "-", "_" and ".". */
bool saved_is_name(const char *name);
/* The names in the order in which they were added. NULL-terminated; the caller frees it. Somebody
 * who edits the file may write what is no name: it is left out. */
char **saved_names(const Saved *saved);
/* The first one that is left out; NULL: there is none. The caller frees it. */
char *saved_wrong_name(const Saved *saved);
/* The text of the query; NULL if there is none with this name. The caller frees it. */
char *saved_query(const Saved *saved, const char *name);
/* Both write the file at once. saved_remove() returns false without error if there is no search
 * with this name. */
bool saved_add(Saved *saved, const char *name, const char *query, GError **error);
bool saved_remove(Saved *saved, const char *name, GError **error);
