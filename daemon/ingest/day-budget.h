/* SPDX-License-Identifier: GPL-3.0-or-later */
/* day-budget.h - how much new text one directory may bring into the index in a day
 *
 * A program that writes random words all day would grow the index without end. Below each directory
 * right below a root (for files right in the root: the root itself), the different words and the
 * bytes of text are counted that were added since midnight, local time. A file below a directory
 * that has reached a limit is not read before the next day. Files that are in progress then are
 * still added. The DAY_BUDGET_DIRS directories that come first in a day have a count each (about 4
 * KiB), and all others share one, so that many directories are not a way around the limits. Counts
 * are kept in memory only: a new start of the daemon begins a new day. Only the engine's thread
 * calls these functions. */
#pragma once
#include "index/text/word-count.h"
#include <stdbool.h>
#include <stddef.h>

enum { DAY_BUDGET_DIRS = 64 };

typedef struct DayBudget DayBudget;

DayBudget *day_budget_new(void);
void day_budget_free(DayBudget *budget);
/* Sets the limits of a directory. 0: there is none. */
void day_budget_set_limits(DayBudget *budget, uint64_t words, uint64_t text_bytes);
/* Begins a new day, with nothing used, if now_s (UTC) is not in the current one. Returns whether it
 * did. */
bool day_budget_begin(DayBudget *budget, int64_t now_s);
/* Returns when the day of now_s ends (UTC, in seconds). */
int64_t day_budget_end_s(int64_t now_s);

/* Returns the number of the directory that this file counts for. root: its path; relative: the path
 * of the file below it. The number is valid until the day ends; an older one may stand for another
 * directory. */
unsigned day_budget_dir(DayBudget *budget, const char *root, const char *relative);
/* True if the directory has reached a limit. */
bool day_budget_is_spent(const DayBudget *budget, unsigned dir);
/* Returns where the words of its documents are counted; it lives as long as budget. */
WordCount *day_budget_words(DayBudget *budget, unsigned dir);
void day_budget_add_text(DayBudget *budget, unsigned dir, uint64_t bytes);
