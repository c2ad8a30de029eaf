/* SPDX-License-Identifier: GPL-3.0-or-later */
/* settings.h - the configuration: one table of keys, layered files, typed values with their origin
 *
 * Files, later ones win: PKGDATADIR/tarsier.conf, /etc/xdg/tarsier/tarsier.conf (XDG_CONFIG_DIRS),
 * the user's tarsier.conf; after each of the last two the files FILE.d/NAME.conf in the order of
 * the names. A file of another user (but root) or one that everybody may write to is an error.
 * Syntax: conffile.h. Section names: "index" (what is watched and skipped), "limits", "daemon",
 * "search", and "dir:/ABSOLUTE/PATH" ("dir:~/PATH") to override keys marked per_dir below that
 * directory. A list replaces the list of an earlier file. An unknown key or section is a warning
 * with its line; a bad value is an error with its file and line, and the caller keeps the old
 * configuration. */
#pragma once
#include "common/base/document.h"
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct Settings Settings;

typedef enum {
	SETTING_BOOL,
	SETTING_INT,
	SETTING_SIZE,
	SETTING_TIME,
	SETTING_STRING,
	SETTING_LIST
} SettingType;

typedef struct {
	const char *section, *name;
	SettingType type;
	const char *preset; /* value when no file sets it, in file syntax */
	bool per_dir;
	int64_t min, max; /* INT, SIZE (bytes), TIME (seconds) */
	const char *words; /* STRING, LIST: the allowed words with a space between; NULL: any */
	const char *help; /* one line, untranslated */
} SettingKey;

/* The table, ended by an entry with NULL section. "config list", tarsier.conf(5) and the checks
 * come from it. */
extern const SettingKey setting_keys[];
/* NULL if there is none. section may be "dir:...": then the key that is marked per_dir. */
const SettingKey *settings_find_key(const char *section, const char *name);

#define SETTINGS_ERROR settings_error_quark()
GQuark settings_error_quark(void);
typedef enum {
	SETTINGS_ERROR_SYNTAX,
	SETTINGS_ERROR_VALUE,
	SETTINGS_ERROR_UNKNOWN,
	SETTINGS_ERROR_FILE
} SettingsError;

/* user_file: the user's tarsier.conf; need not exist. warnings may be NULL, else gets char * lines
 * "FILE:LINE: what". */
Settings *settings_load(const char *user_file, GPtrArray *warnings, GError **error);
void settings_free(Settings *settings);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Settings, settings_free)

/* Values. dir: absolute path whose "dir:" sections apply (the longest match first), or NULL. A name
 * that is not in the table is a bug of the caller. Lists and strings are borrowed. */
bool settings_bool(const Settings *s, const char *section, const char *name, const char *dir);
int64_t settings_int(const Settings *s, const char *section, const char *name,
        const char *dir); /* also SIZE, TIME */
const char *settings_string(
        const Settings *s, const char *section, const char *name, const char *dir);
const char *const *settings_list(
        const Settings *s, const char *section, const char *name, const char *dir);

/* Where the value comes from: "FILE:LINE" or "built in". text_r: the value in file syntax; may be
 * NULL. Both yours. */
char *settings_origin(
        const Settings *s, const char *section, const char *name, const char *dir, char **text_r);

/* The paths of all "dir:" sections. Borrowed, NULL-terminated. */
const char *const *settings_dirs(const Settings *s);

/* Section "limits" for a converter. */
ExtractLimits settings_limits(const Settings *s);

/* The watched directories: absolute, "~" expanded, sorted, none inside another, none twice.
 * Borrowed, NULL-terminated. */
const char *const *settings_roots(const Settings *s);
/* The same with those inside another: what the rules take although a rule would skip it. */
const char *const *settings_listed(const Settings *s);

/* Edit the user's file in place (comments kept, written beside and renamed, 0600; a link stays a
 * link). value is in file syntax and checked against the table first; NULL removes the key.
 * SETTINGS_ERROR_FILE also if a file of tarsier.conf.d sets the key and so would win. */
bool settings_set(const char *user_file, const char *section, const char *name, const char *value,
        GError **error);
/* dir is made absolute and free of links; it must be a directory. Adding one that is listed does
 * nothing. */
bool settings_add_root(const char *user_file, const char *dir, GError **error);
/* SETTINGS_ERROR_UNKNOWN if dir is not listed. It need not exist. */
bool settings_remove_root(const char *user_file, const char *dir, GError **error);
