/* SPDX-License-Identifier: GPL-3.0-or-later */
/* settings-edit.h - the steps of an edit of the user's file */
#pragma once
#include "common/settings/conffile.h"
#include "common/settings/settings.h"

/* Sets the error "WHAT: WHY" and returns false. */
bool settings_fail(GError **error, SettingsError code, const char *what, const char *why);
/* The file to write. A symbolic link is followed, so that it stays a link. The caller frees it. */
char *settings_real_file(const char *user_file);
/* Locks the directory of the file: of two edits at the same time none may be lost. Returns a
 * descriptor whose closing unlocks it, -1 with error. */
int settings_lock_dir(const char *file, GError **error);
/* Fails if a file that is read after the user's file sets the key, because the edit would have no
 * effect. */
bool settings_check_not_overridden(
        const char *user_file, const char *section, const char *name, GError **error);
/* Is value, in the syntax of the file, allowed for the key? NULL is. */
bool settings_check_value(const char *section, const char *name, const char *value, GError **error);
/* Returns the text of the file with the key set to value, or without the key (NULL). lines are
 * those of text. The caller frees it. */
GString *settings_edited(const GString *text, const GArray *lines, const char *section,
        const char *name, const char *value);
bool settings_write_file(const char *file, const GString *text, GError **error);
