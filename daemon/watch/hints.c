/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/watch/hints.h"
#include <string.h>

struct Hints {
	GMutex lock;
	GHashTable *set; /* set of Hint; each is its own key */
	bool collapsed; /* the set keeps whole directories only */
	bool overflow;
	uint64_t cookie;
};

static guint hint_hash(gconstpointer key)
{
	const Hint *hint = key;
	return g_str_hash(hint->name) ^ ((guint)hint->watch * 2654435761u);
}

static gboolean hint_equal(gconstpointer one, gconstpointer other)
{
	const Hint *a = one, *b = other;
	return a->watch == b->watch && strcmp(a->name, b->name) == 0;
}

static GHashTable *set_new(void)
{
	return g_hash_table_new_full(hint_hash, hint_equal, NULL, g_free);
}

Hints *hints_new(void)
{
	Hints *hints = g_new0(Hints, 1);
	g_mutex_init(&hints->lock);
	hints->set = set_new();
	return hints;
}

void hints_free(Hints *hints)
{
	g_hash_table_unref(hints->set);
	g_mutex_clear(&hints->lock);
	g_free(hints);
}

unsigned hint_merge(unsigned before, unsigned now)
{
	const unsigned went = HINT_GONE | HINT_MOVED_ON;
	unsigned both = before | now;
	if ((now & HINT_ARRIVED) && (before & HINT_ARRIVED) && (before & went) != HINT_MOVED_ON)
		both |= HINT_AGAIN;
	if (now & HINT_ARRIVED)
		both &= ~(before & ~now & went);
	/* now may hold several events: the file was written before it moved on, in whatever order
	 * they came */
	if ((before & HINT_ARRIVED) && (both & HINT_WRITTEN) && (now & HINT_MOVED_ON))
		both |= HINT_CARRIED;
	return both;
}

static void hints_add_one(GHashTable *set, int watch, const char *name, unsigned what)
{
	size_t length = strlen(name) + 1;
	Hint *hint = g_malloc(sizeof(*hint) + length);
	hint->watch = watch;
	hint->what = what;
	memcpy(hint->name, name, length);
	Hint *old = g_hash_table_lookup(set, hint);
	if (old) {
		old->what = hint_merge(old->what, what);
		g_free(hint);
	} else {
		g_hash_table_add(set, hint);
	}
}

static void hints_give_up(Hints *hints)
{
	hints->overflow = true;
	g_hash_table_remove_all(hints->set);
}

/* There are too many entries: each directory that has one is kept as a whole. */
static void hints_collapse(Hints *hints)
{
	GHashTable *dirs = set_new();
	GHashTableIter iter;
	gpointer key;
	g_hash_table_iter_init(&iter, hints->set);
	while (g_hash_table_iter_next(&iter, &key, NULL)) {
		const Hint *hint = key;
		hints_add_one(dirs, hint->watch, "", *hint->name ? HINT_WHOLE : hint->what);
	}
	g_hash_table_unref(hints->set);
	hints->set = dirs;
	hints->collapsed = true;
}

void hints_add(Hints *hints, int watch, const char *name, unsigned what)
{
	g_mutex_lock(&hints->lock);
	if (hints->collapsed && *name)
		hints_add_one(hints->set, watch, "", HINT_WHOLE);
	else
		hints_add_one(hints->set, watch, name, what);
	if (!hints->collapsed && g_hash_table_size(hints->set) > HINTS_MAX)
		hints_collapse(hints);
	if (hints->collapsed && g_hash_table_size(hints->set) > HINTS_MAX_DIRS)
		hints_give_up(hints);
	g_mutex_unlock(&hints->lock);
}

void hints_overflow(Hints *hints)
{
	g_mutex_lock(&hints->lock);
	hints->overflow = true;
	g_mutex_unlock(&hints->lock);
}

void hints_cookie(Hints *hints, uint64_t number)
{
	g_mutex_lock(&hints->lock);
	hints->cookie = MAX(hints->cookie, number);
	g_mutex_unlock(&hints->lock);
}

void hints_take(Hints *hints, HintBatch *out)
{
	out->hints = g_ptr_array_new_with_free_func(g_free);
	g_mutex_lock(&hints->lock);
	GHashTableIter iter;
	gpointer key;
	g_hash_table_iter_init(&iter, hints->set);
	while (g_hash_table_iter_next(&iter, &key, NULL)) {
		g_ptr_array_add(out->hints, key);
		g_hash_table_iter_steal(&iter);
	}
	out->overflow = hints->overflow;
	out->cookie = hints->cookie;
	hints->overflow = hints->collapsed = false;
	g_mutex_unlock(&hints->lock);
}

bool hints_any(Hints *hints)
{
	g_mutex_lock(&hints->lock);
	bool any = hints->overflow || g_hash_table_size(hints->set) > 0;
	g_mutex_unlock(&hints->lock);
	return any;
}

void hint_batch_clear(HintBatch *batch)
{
	g_clear_pointer(&batch->hints, g_ptr_array_unref);
}
