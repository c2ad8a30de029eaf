/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rules.h - decides which entries are entered and indexed, and names the rule that excludes one
 *
 * The decisions depend only on names, file metadata and marker files. The crawler and "tarsier
 * info" use them. Rules apply in this order:
 *
 * 1. The program's own directories (index, cache) are never entered.
 * 2. A directory that the key "roots" lists is accepted whatever its name, also inside another
 * root. Of the hidden or skipped directories that lead to it, nothing else is accepted. Its own
 * markers (5) still apply.
 * 3. Secrets are skipped by name (key "skip").
 * 4. Patterns: .tarsierignore, the nearest file first, a later line before an earlier one; then the
 * key "exclude".
 * 5. Marker files in the directory: CACHEDIR.TAG, .nomedia, .trackerignore, .noindex (key
 * "markers").
 * 6. Names that the key "skip" excludes, generic ones only with a witness; and hidden entries,
 * except those that the key "hidden" lists. The key "include" takes back what rule 6 excludes.
 *
 * The rules of parent directories are not checked again: the caller does not enter what is
 * excluded. */
#pragma once
#include "common/settings/settings.h"
#include <sys/stat.h>

typedef struct Rules Rules;

/* index_dir: absolute. Keeps no reference to settings. Release every RulesDir before
 * rules_free(). */
Rules *rules_new(const Settings *settings, const char *index_dir);
void rules_free(Rules *rules);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Rules, rules_free)

/* The ignore patterns that apply in one directory: its own .tarsierignore on top of its
 * parent's. */
typedef struct RulesDir RulesDir;

/* How to access the files of a directory whose server may not answer, or whose names are known. */
typedef struct RulesFiles RulesFiles;
struct RulesFiles {
	/* Opens for reading without following a link; -1 with errno. NULL: openat(2) does. */
	int (*open)(const RulesFiles *files, int dir_fd, const char *name);
	bool (*exists)(const RulesFiles *files, int dir_fd,
	        const char *name); /* NULL: faccessat(2) tells */
	/* False if the directory certainly has no entry of this name (one component): then neither
	 * of the above is asked. NULL: nothing is known. */
	bool (*may_exist)(const RulesFiles *files, const char *name);
	void *data;
};

/* Reads the markers of a directory that is open as dir_fd (O_PATH is enough); takes about five
 * system calls, and none where may_exist() rules the markers out. parent: NULL for a root. path:
 * absolute and canonical, for messages and for "dir:" sections. Never returns NULL. Atomically
 * reference-counted: a child holds a reference to its parent. */
RulesDir *rules_dir_enter(const Rules *rules, RulesDir *parent, int dir_fd, const char *path);
RulesDir *rules_dir_enter_by(const Rules *rules, RulesDir *parent, int dir_fd, const char *path,
        const RulesFiles *files);
RulesDir *rules_dir_ref(RulesDir *dir);
void rules_dir_unref(RulesDir *dir);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(RulesDir, rules_dir_unref)

/* NULL if the contents of the directory may be indexed; otherwise the rule that excludes all of it,
 * as text for the user ("CACHEDIR.TAG marks a cache"). Borrowed. */
const char *rules_dir_excluded(const RulesDir *dir);

/* The verdict on one entry of dir. mode: st_mode, of which the type bits matter. NULL: accept it; a
 * directory may still be excluded when it is entered. Otherwise the rule that excludes it, as text
 * for the user ("hidden entries are skipped", "~/x/.tarsierignore:3: *.o"). Valid UTF-8;
 * borrowed until the next call with the same rules, which only one thread at a time may make. */
const char *rules_entry_excluded(const RulesDir *dir, const char *name, mode_t mode);

/* The verdict on a file in a container: NULL: accept it; otherwise the rule that keeps it out, as
 * text for the user. Only secrets are kept out there, by the name of the file or of a directory
 * above it in the container. member: its path, levels of containers joined by '|'. */
const char *rules_member_excluded(const Rules *rules, const char *member);
/* A number that stands for the rules for files in containers, and changes with them. 0: no file is
 * kept out there. */
uint32_t rules_members_version(const Rules *rules);

/* True if a rule that holds in this directory may depend on where it lies: a pattern of a path, a
 * .tarsierignore, a "dir:" section, a listed directory. Where that is false, all names are judged
 * alike wherever they are. */
bool rules_dir_is_bound(const RulesDir *dir);
/* The same for what would lie below the entry called name. */
bool rules_entry_is_bound(const RulesDir *dir, const char *name);

/* Can the rules of a directory change when an entry of this name appears, disappears or changes? */
bool rules_is_marker(const char *name);
