/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rules.h - which entries are entered and indexed, and which rule says no
 *
 * Pure decisions from names, facts and marker files; used by the crawler and by "tarsier info".
 * In this order:
 *
 * 1. The program's own directories (index, cache) are never entered.
 * 2. A directory that the key "roots" lists is taken whatever its name says, also inside another
 *    root; of the hidden or skipped directories that lead to it nothing else is taken. Its own
 *    markers (5) still count.
 * 3. Secrets, by name (key "skip").
 * 4. Patterns: .tarsierignore, the nearest file first, a later line before an earlier one; then
 *    the key "exclude".
 * 5. Marker files in the directory: CACHEDIR.TAG, .nomedia, .trackerignore, .noindex (key
 *    "markers").
 * 6. Names that the key "skip" leaves out, generic ones only with a witness; hidden entries but
 *    those that the key "hidden" lists. The key "include" takes back what 6 leaves out.
 *
 * What a directory's parents say is not asked again: who walks does not enter what is excluded. */
#pragma once
#include "common/settings/settings.h"
#include <sys/stat.h>

typedef struct Rules Rules;

/* index_dir: absolute. Keeps nothing of settings. Whatever rules_dir_enter() made must be gone
 * before rules_free(). */
Rules *rules_new(const Settings *settings, const char *index_dir);
void rules_free(Rules *rules);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Rules, rules_free)

/* The ignore patterns in force in one directory: its own .tarsierignore on top of its parent's. */
typedef struct RulesDir RulesDir;

/* How the files of a directory are reached whose server may not answer. */
typedef struct RulesFiles RulesFiles;
struct RulesFiles {
	int (*open)(const RulesFiles *files, int dir_fd,
	        const char *name); /* for reading, no link; -1 with errno */
	bool (*exists)(const RulesFiles *files, int dir_fd, const char *name);
	void *data;
};

/* Reads the markers of a directory that is open as dir_fd (O_PATH will do): about five system
 * calls. parent NULL: dir is a root. path: absolute and canonical, for messages and for "dir:"
 * sections. Never NULL. Refcounted (atomically): a child holds its parent. */
RulesDir *rules_dir_enter(const Rules *rules, RulesDir *parent, int dir_fd, const char *path);
RulesDir *rules_dir_enter_by(const Rules *rules, RulesDir *parent, int dir_fd, const char *path,
        const RulesFiles *files);
RulesDir *rules_dir_ref(RulesDir *dir);
void rules_dir_unref(RulesDir *dir);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(RulesDir, rules_dir_unref)

/* NULL if the directory's contents may be indexed; else the rule that keeps all of it out, as text
 * for a person ("CACHEDIR.TAG marks a cache"). Borrowed. */
const char *rules_dir_excluded(const RulesDir *dir);

/* Verdict on one entry of dir. mode: st_mode (its type bits). NULL: take it; a directory may still
 * say no when it is entered. Else the rule that keeps it out, for a person ("hidden entries are
 * skipped", "~/x/.tarsierignore:3: *.o"). Static or borrowed from dir or its rules; valid UTF-8. */
const char *rules_entry_excluded(const RulesDir *dir, const char *name, mode_t mode);

/* Do the rules of a directory change when the entry of this name in it comes, goes or changes? */
bool rules_is_marker(const char *name);
