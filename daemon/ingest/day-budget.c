/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/ingest/day-budget.h"
#include <glib.h>
#include <string.h>
#include <time.h>

typedef struct {
	char *path; /* NULL: free, or shared by the other directories */
	uint64_t text_bytes;
	WordCount words;
} BudgetDir;

struct DayBudget {
	uint64_t most_words, most_text; /* 0: no limit */
	int64_t end_s; /* of the current day; 0: it has not begun */
	BudgetDir *dirs[DAY_BUDGET_DIRS + 1]; /* the last one is shared; NULL: not used yet */
};

DayBudget *day_budget_new(void)
{
	return g_new0(DayBudget, 1);
}

static void budget_clear(DayBudget *budget)
{
	for (size_t i = 0; i < G_N_ELEMENTS(budget->dirs); i++) {
		BudgetDir *dir = budget->dirs[i];
		if (!dir)
			continue;
		g_free(dir->path);
		*dir = (BudgetDir){0};
	}
}

void day_budget_free(DayBudget *budget)
{
	budget_clear(budget);
	for (size_t i = 0; i < G_N_ELEMENTS(budget->dirs); i++)
		g_free(budget->dirs[i]);
	g_free(budget);
}

void day_budget_set_limits(DayBudget *budget, uint64_t words, uint64_t text_bytes)
{
	budget->most_words = words;
	budget->most_text = text_bytes;
}

int64_t day_budget_end_s(int64_t now_s)
{
	time_t now = now_s;
	struct tm local;
	localtime_r(&now, &local);
	local.tm_mday++;
	local.tm_hour = local.tm_min = local.tm_sec = 0;
	local.tm_isdst = -1;
	int64_t end_s = mktime(&local);
	return end_s > now_s ? end_s : now_s + 24 * 3600;
}

/* A clock that was set back begins a new day too. */
bool day_budget_begin(DayBudget *budget, int64_t now_s)
{
	enum { LONGEST_DAY_S = 26 * 3600 };
	if (now_s < budget->end_s && now_s >= budget->end_s - LONGEST_DAY_S)
		return false;
	budget->end_s = day_budget_end_s(now_s);
	budget_clear(budget);
	return true;
}

static BudgetDir *budget_dir(DayBudget *budget, unsigned number)
{
	if (!budget->dirs[number])
		budget->dirs[number] = g_new0(BudgetDir, 1);
	return budget->dirs[number];
}

unsigned day_budget_dir(DayBudget *budget, const char *root, const char *relative)
{
	const char *slash = strchr(relative, '/');
	g_autofree char *path =
	        g_strdup_printf("%s/%.*s", root, slash ? (int)(slash - relative) : 0, relative);
	for (unsigned i = 0; i < DAY_BUDGET_DIRS; i++) {
		BudgetDir *dir = budget_dir(budget, i);
		if (!dir->path)
			dir->path = g_steal_pointer(&path);
		if (!path || strcmp(dir->path, path) == 0)
			return i;
	}
	return DAY_BUDGET_DIRS;
}

bool day_budget_is_spent(const DayBudget *budget, unsigned number)
{
	const BudgetDir *dir = budget->dirs[number];
	if (!dir)
		return false;
	return (budget->most_words > 0 && word_count_estimate(&dir->words) >= budget->most_words) ||
	       (budget->most_text > 0 && dir->text_bytes >= budget->most_text);
}

WordCount *day_budget_words(DayBudget *budget, unsigned number)
{
	return &budget_dir(budget, number)->words;
}

void day_budget_add_text(DayBudget *budget, unsigned number, uint64_t bytes)
{
	budget_dir(budget, number)->text_bytes += bytes;
}
