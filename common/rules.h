/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rules.h - which entries are entered and indexed, and which rule says no
 *
 * Pure decisions from names, facts and marker files; used by the crawler and by "tarsier info". */
#pragma once
#include "common/settings.h"
#include <sys/stat.h>

typedef struct Rules Rules;

Rules *rules_new(const Settings *settings);
void rules_free(Rules *rules);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Rules, rules_free)

/* The ignore patterns in force in one directory: its own .tarsierignore on top of its parent's. */
typedef struct RulesDir RulesDir;

/* Reads the markers of a directory that is open as dir_fd (CACHEDIR.TAG, .nomedia, .trackerignore, .noindex, .tarsierignore,
 * project files that tell a build tree). parent NULL: dir is a root. path: absolute, for messages and for "dir:" sections.
 * Never NULL. Refcounted: a child holds its parent. */
RulesDir *rules_dir_enter(Rules *rules, RulesDir *parent, int dir_fd, const char *path);
RulesDir *rules_dir_ref(RulesDir *dir);
void rules_dir_unref(RulesDir *dir);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(RulesDir, rules_dir_unref)

/* NULL if the directory's contents may be indexed; else the rule that keeps all of it out, as text for a person ("CACHEDIR.TAG
 * marks a cache"). Borrowed. */
const char *rules_dir_excluded(const RulesDir *dir);

/* Verdict on one entry of dir. mode: st_mode (its type bits). NULL: take it. Else the rule that keeps it out, for a person
 * ("hidden entries are skipped", "~/x/.tarsierignore:3: *.o"). Static or borrowed from dir. */
const char *rules_entry_excluded(const RulesDir *dir, const char *name, mode_t mode);
