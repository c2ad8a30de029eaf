/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-web/browse-life.h"
#include <string.h>

/* GOODBYE_S: within it the next page follows the one that was left. */
enum { START_TIMES = 2, PLAIN_TIMES = 6, GOODBYE_S = 5, NAME_BYTES = 40 };

/* A page of which it is not known whether it has a script. */
typedef struct {
	unsigned number;
	int64_t until_us;
} LifeLoad;

struct BrowseLife {
	GMutex mutex;
	GHashTable *pages; /* name -> int64_t *: when it was heard of last, monotonic */
	GArray *loads; /* LifeLoad, the oldest first */
	unsigned n_loads; /* so far */
	int64_t until_us; /* the server goes on until then even without pages */
	int64_t idle_us;
};

BrowseLife *browse_life_new(unsigned idle_s)
{
	BrowseLife *life = g_new0(BrowseLife, 1);
	g_mutex_init(&life->mutex);
	life->pages = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	life->loads = g_array_new(FALSE, FALSE, sizeof(LifeLoad));
	life->idle_us = idle_s * G_USEC_PER_SEC;
	life->until_us = g_get_monotonic_time() + START_TIMES * life->idle_us;
	return life;
}

void browse_life_free(BrowseLife *life)
{
	g_hash_table_unref(life->pages);
	g_array_unref(life->loads);
	g_mutex_clear(&life->mutex);
	g_free(life);
}

static int64_t life_goodbye_us(const BrowseLife *life)
{
	return g_get_monotonic_time() + MIN(GOODBYE_S * G_USEC_PER_SEC, life->idle_us);
}

/* The one that would end first makes room. */
unsigned browse_life_page(BrowseLife *life)
{
	g_mutex_lock(&life->mutex);
	if (++life->n_loads == 0)
		life->n_loads = 1;
	const LifeLoad load = {life->n_loads, g_get_monotonic_time() + PLAIN_TIMES * life->idle_us};
	if (life->loads->len >= LIFE_PAGES)
		g_array_remove_index(life->loads, 0);
	g_array_append_val(life->loads, load);
	g_mutex_unlock(&life->mutex);
	return load.number;
}

static void life_forget_load(BrowseLife *life, unsigned number)
{
	for (guint i = 0; i < life->loads->len; i++)
		if (g_array_index(life->loads, LifeLoad, i).number == number) {
			g_array_remove_index(life->loads, i);
			return;
		}
}

void browse_life_alive(BrowseLife *life, const char *page, unsigned number)
{
	g_mutex_lock(&life->mutex);
	life_forget_load(life, number);
	int64_t *heard = g_hash_table_lookup(life->pages, page);
	if (!heard && strlen(page) <= NAME_BYTES && g_hash_table_size(life->pages) < LIFE_PAGES) {
		heard = g_new(int64_t, 1);
		g_hash_table_insert(life->pages, g_strdup(page), heard);
	}
	if (heard)
		*heard = g_get_monotonic_time();
	life->until_us = life_goodbye_us(life);
	g_mutex_unlock(&life->mutex);
}

/* The next page may have been asked for already. */
void browse_life_bye(BrowseLife *life, const char *page)
{
	g_mutex_lock(&life->mutex);
	g_hash_table_remove(life->pages, page);
	life->until_us = MAX(life->until_us, life_goodbye_us(life));
	g_mutex_unlock(&life->mutex);
}

/* The page that is asked for instead may follow. */
void browse_life_abort(BrowseLife *life, unsigned number)
{
	g_mutex_lock(&life->mutex);
	life_forget_load(life, number);
	life->until_us = MAX(life->until_us, life_goodbye_us(life));
	g_mutex_unlock(&life->mutex);
}

int64_t browse_life_left_us(BrowseLife *life)
{
	GHashTableIter each;
	gpointer heard;
	g_mutex_lock(&life->mutex);
	int64_t now_us = g_get_monotonic_time(), until_us = life->until_us;
	for (guint i = 0; i < life->loads->len; i++)
		until_us = MAX(until_us, g_array_index(life->loads, LifeLoad, i).until_us);
	g_hash_table_iter_init(&each, life->pages);
	while (g_hash_table_iter_next(&each, NULL, &heard)) {
		int64_t end_us = *(int64_t *)heard + life->idle_us;
		if (end_us <= now_us)
			g_hash_table_iter_remove(&each);
		until_us = MAX(until_us, end_us);
	}
	g_mutex_unlock(&life->mutex);
	return MAX(until_us - now_us, 0);
}
