/* SPDX-License-Identifier: GPL-3.0-or-later */
/* settings.h - the configuration: one table of keys, layered files, typed values with their origin
 *
 * Files are read in this order, and later ones win: PKGDATADIR/tarsier.conf,
 * /etc/xdg/tarsier/tarsier.conf (XDG_CONFIG_DIRS), the user's tarsier.conf. After each of the last
 * two come its files FILE.d/NAME.conf, sorted by name. It is an error if a file belongs to another
 * user than us and root, or if everybody may write to it. conffile.h describes the syntax.
 *
 * Sections: "index" (what is watched and skipped), "limits", "daemon", "search", "web", "export". A
 * section "dir:/ABSOLUTE/PATH" or "dir:~/PATH" overrides keys marked per_dir below that directory.
 * A section "web:URL" is a source, even without keys, and overrides the keys of "web" for it. A
 * section "export NAME" is an export, and does the same with those of "export". A list replaces the
 * list of an earlier file; if its first item is "+", it is added to that list. An unknown key or
 * section gives a warning with its line. A bad value is an error with its file and line, and the
 * caller keeps the old configuration. */
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
	const char *preset; /* the value when no file sets it, in the syntax of the file */
	bool per_dir;
	int64_t min, max; /* for INT, SIZE (bytes) and TIME (seconds) */
	const char *words; /* STRING, LIST: allowed words, separated by spaces; NULL: any */
} SettingKey;

/* All keys, ended by an entry with NULL section. data/tarsier.conf and tarsier.conf(5) explain
 * them, and a test compares both with this table. */
extern const SettingKey setting_keys[];
/* How the section of an export begins; its name follows. */
#define SETTINGS_EXPORT "export "
/* NULL if there is no such key. For a section "dir:...", the key that is marked per_dir; for a
 * section "web:..." or "export ...", the key of "web" or "export". */
const SettingKey *settings_find_key(const char *section, const char *name);

#define SETTINGS_ERROR settings_error_quark()
GQuark settings_error_quark(void);
typedef enum {
	SETTINGS_ERROR_SYNTAX,
	SETTINGS_ERROR_VALUE,
	SETTINGS_ERROR_UNKNOWN,
	SETTINGS_ERROR_FILE
} SettingsError;

/* Reads all files. user_file: the user's tarsier.conf; it need not exist. warnings: receives char *
 * lines "FILE:LINE: text"; may be NULL. NULL with SETTINGS_ERROR on failure. */
Settings *settings_load(const char *user_file, GPtrArray *warnings, GError **error);
/* The same, but goes on after faults. warnings, faults: receive char * messages. NULL if there are
 * faults. */
Settings *settings_check(const char *user_file, GPtrArray *warnings, GPtrArray *faults);
/* Reads the files of the system alone, which the user cannot change. NULL with error. */
Settings *settings_load_system(GError **error);
/* True if settings_load() opens this path: a file of the user or the system, or a directory of
 * their further files. */
bool settings_reads(const char *user_file, const char *path);
void settings_free(Settings *settings);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Settings, settings_free)

/* The values. dir: an absolute path whose "dir:" sections apply, the longest match first; for keys
 * of "web", the canonical URL of a source; for those of "export", the name of one; or NULL. The
 * name must be in the table. Lists and strings are borrowed. */
bool settings_bool(const Settings *s, const char *section, const char *name, const char *dir);
int64_t settings_int(const Settings *s, const char *section, const char *name,
        const char *dir); /* also SIZE, TIME */
const char *settings_string(
        const Settings *s, const char *section, const char *name, const char *dir);
const char *const *settings_list(
        const Settings *s, const char *section, const char *name, const char *dir);

/* The origin of a value: "FILE:LINE" or "built in". *text_r: the value in the syntax of the file;
 * text_r may be NULL. The caller frees both. */
char *settings_origin(
        const Settings *s, const char *section, const char *name, const char *dir, char **text_r);

/* The paths of all "dir:" sections. Borrowed, NULL-terminated. */
const char *const *settings_dirs(const Settings *s);

/* The names of all exports, sorted, not checked. Borrowed, NULL-terminated. */
const char *const *settings_exports(const Settings *s);

/* The section "limits" as limits for a conversion. */
ExtractLimits settings_limits(const Settings *s);

/* The watched directories: absolute, "~" expanded, sorted, without duplicates and without
 * directories inside another one. Borrowed, NULL-terminated. */
const char *const *settings_roots(const Settings *s);
/* The same, including those inside another one. The rules accept these directories even where a
 * rule would skip them. */
const char *const *settings_listed(const Settings *s);

/* A site or feed that is to be read. */
typedef struct {
	const char *url; /* canonical (common/url/url-canonical.h); http or https */
	bool is_feed;
	int64_t pages, depth, bytes; /* at most; depth 0: any */
	int64_t every_s; /* the most seconds between two visits */
	const char *const *include, *const *exclude; /* patterns of whole URLs (GLOB_SQLITE) */
	const char *about; /* the query of a focused source, or NULL */
	bool full; /* the page of each item of a feed is fetched, in place of its text */
	const char *keep; /* "page", "text" or "nothing" */
	const char *contact; /* that its webmaster is told (common/base/web-agent.h), or NULL */
	const char *partition; /* address of the database of several crawlers, or "" */
} SettingsSource;

/* All sources, sorted by URL without duplicates; borrowed. */
const SettingsSource *settings_sources(const Settings *s, unsigned *n_r);
/* Is any directory watched, or any site or feed read? */
bool settings_has_any(const Settings *s);
/* The source with this canonical URL, or NULL. */
const SettingsSource *settings_source(const Settings *s, const char *url);
/* The settings of a source without keys of its own: the keys of "web". url is borrowed. */
SettingsSource settings_source_preset(const Settings *s, const char *url);
/* The canonical URL of a source. NULL with SETTINGS_ERROR_VALUE if text is not a URL of http or
 * https. The caller frees it. */
char *settings_source_url(const char *text, GError **error);

/* The name of a section as settings_list() and others take it: the path of "dir:" is absolute, the
 * URL of "web:" canonical. NULL with SETTINGS_ERROR_VALUE. The caller frees it. */
char *settings_canonical_section(const char *section, GError **error);

/* Edits the user's file. Comments are kept; the new file is written beside the old one (mode 0600)
 * and renamed; a symbolic link stays a link. value is in the syntax of the file and is checked
 * against the table first; NULL removes the key. A section is found however its path or URL is
 * written. Fails with SETTINGS_ERROR_FILE also if a file in tarsier.conf.d sets the key, because
 * that file would win. */
bool settings_set(const char *user_file, const char *section, const char *name, const char *value,
        GError **error);
/* Adds a root. dir must be a directory; it is made absolute, and symbolic links are resolved. Does
 * nothing if the directory is listed already. A list of the system's files stays in force: the
 * user's list begins with "+" then. */
bool settings_add_root(const char *user_file, const char *dir, GError **error);
/* Removes a root, which need not exist. Fails with SETTINGS_ERROR_UNKNOWN if dir is not listed, and
 * with SETTINGS_ERROR_FILE if a file of the system lists it; the message says what to do. */
bool settings_remove_root(const char *user_file, const char *dir, GError **error);
/* Adds sources, or changes known ones, in one edit. Of each, the kind is written, and what differs
 * from the keys of "web". Fails as settings_set() does, and then changes nothing. */
bool settings_add_sources(
        const char *user_file, const SettingsSource *sources, unsigned n, GError **error);
/* Removes a source by its canonical URL. Fails with SETTINGS_ERROR_UNKNOWN if there is none, and
 * with SETTINGS_ERROR_FILE if another file than the user's names it. */
bool settings_remove_source(const char *user_file, const char *url, GError **error);
