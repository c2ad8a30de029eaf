/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/web/trap-texts.h"
#include "daemon/web/traps.h"
#include "index/store/web-hash.h"
#include "index/text/terms.h"
#include <string.h>

enum { TRAP_BRANCHES = 64, TRAP_PRINTS = 32, TRAP_PATHS = 512, TRAP_WORDS = 4096 };

typedef struct {
	NearPrint prints[TRAP_PRINTS]; /* the last ones */
	unsigned n_prints; /* ever */
	GHashTable *paths; /* hashes of those that were judged */
	GHashTable *words; /* hashes of the words of near copies */
	uint64_t used; /* by age */
} TrapBranch;

struct TrapTexts {
	GHashTable *branches; /* int64_t -> TrapBranch */
	uint64_t uses;
};

/* ---- branches */

static void trap_branch_free(void *data)
{
	TrapBranch *branch = data;
	g_hash_table_unref(branch->paths);
	g_hash_table_unref(branch->words);
	g_free(branch);
}

TrapTexts *trap_texts_new(void)
{
	TrapTexts *texts = g_new0(TrapTexts, 1);
	texts->branches =
	        g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, trap_branch_free);
	return texts;
}

void trap_texts_free(TrapTexts *texts)
{
	if (!texts)
		return;
	g_hash_table_unref(texts->branches);
	g_free(texts);
}

static void trap_forget_oldest(TrapTexts *texts)
{
	GHashTableIter iter;
	void *key, *value, *oldest = NULL;
	uint64_t used = UINT64_MAX;
	g_hash_table_iter_init(&iter, texts->branches);
	while (g_hash_table_iter_next(&iter, &key, &value)) {
		if (((TrapBranch *)value)->used >= used)
			continue;
		used = ((TrapBranch *)value)->used;
		oldest = key;
	}
	if (oldest)
		g_hash_table_remove(texts->branches, oldest);
}

static TrapBranch *trap_branch_of(TrapTexts *texts, const char *origin, const char *path)
{
	g_autofree char *shape = trap_shape(path);
	g_autofree char *name = g_strconcat(origin, shape, NULL);
	int64_t key = web_hash(name, strlen(name));
	TrapBranch *branch = g_hash_table_lookup(texts->branches, &key);
	if (!branch) {
		if (g_hash_table_size(texts->branches) >= TRAP_BRANCHES)
			trap_forget_oldest(texts);
		branch = g_new0(TrapBranch, 1);
		branch->paths = g_hash_table_new(NULL, NULL);
		branch->words = g_hash_table_new(NULL, NULL);
		g_hash_table_insert(texts->branches, g_memdup2(&key, sizeof key), branch);
	}
	branch->used = ++texts->uses;
	return branch;
}

/* ---- words */

typedef struct {
	TrapBranch *branch;
	const char *path; /* in small letters */
	bool any_new;
} TrapWords;

static bool trap_is_word(const char *term, int length)
{
	for (int i = 0; i < length; i++)
		if (g_ascii_isdigit(term[i]))
			return false;
	return true;
}

/* A branch with so many words is none of a calendar. */
static void trap_word(void *data, TextColumn column, const char *term, int length, TermKind kind)
{
	TrapWords *words = data;
	if ((column != COLUMN_BODY && column != COLUMN_TITLE && column != COLUMN_HEADING) ||
	        kind != TERM_IS_WORD || !trap_is_word(term, length))
		return;
	gpointer hash = GSIZE_TO_POINTER((gsize)web_hash(term, (size_t)length));
	if (g_hash_table_contains(words->branch->words, hash) ||
	        memmem(words->path, strlen(words->path), term, (size_t)length))
		return;
	words->any_new = true;
	if (g_hash_table_size(words->branch->words) < TRAP_WORDS)
		g_hash_table_add(words->branch->words, hash);
}

/* ---- pages */

static bool trap_is_near(const TrapBranch *branch, const NearPrint *print)
{
	for (unsigned i = 0; i < MIN(branch->n_prints, TRAP_PRINTS); i++)
		if (near_is(&branch->prints[i], print))
			return true;
	return false;
}

bool trap_texts_add(TrapTexts *texts, const char *origin, const char *path, const NearPrint *print,
        const Document *doc)
{
	TrapBranch *branch = trap_branch_of(texts, origin, path);
	gpointer hash = GSIZE_TO_POINTER((gsize)web_hash(path, strlen(path)));
	g_autofree char *small = g_ascii_strdown(path, -1);
	TrapWords words = {branch, small, false};
	if (g_hash_table_contains(branch->paths, hash))
		return false;
	if (g_hash_table_size(branch->paths) >= TRAP_PATHS)
		g_hash_table_remove_all(branch->paths);
	g_hash_table_add(branch->paths, hash);
	bool near = trap_is_near(branch, print);
	branch->prints[branch->n_prints++ % TRAP_PRINTS] = *print;
	if (!near)
		return false;
	terms_each(doc, trap_word, &words);
	return !words.any_new;
}
