/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/crawl/orphans.h"

typedef struct {
	int64_t node, since_us;
	GList link; /* its data is this Orphan */
} Orphan;

struct Orphans {
	GHashTable *nodes; /* node -> Orphan */
	GQueue order; /* oldest first */
	uint64_t left;
};

Orphans *orphans_new(void)
{
	Orphans *orphans = g_new0(Orphans, 1);
	orphans->nodes = g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL, g_free);
	return orphans;
}

void orphans_free(Orphans *orphans)
{
	g_hash_table_unref(orphans->nodes);
	g_free(orphans);
}

void orphans_clear(Orphans *orphans)
{
	g_queue_init(&orphans->order);
	g_hash_table_remove_all(orphans->nodes);
}

void orphans_remove(Orphans *orphans, int64_t node)
{
	Orphan *orphan = g_hash_table_lookup(orphans->nodes, &node);
	if (!orphan)
		return;
	orphans->left++;
	g_queue_unlink(&orphans->order, &orphan->link);
	g_hash_table_remove(orphans->nodes, &node);
}

static Orphan *orphan_add(Orphans *orphans, int64_t node, int64_t since_us)
{
	orphans_remove(orphans, node);
	Orphan *orphan = g_new0(Orphan, 1);
	*orphan = (Orphan){.node = node, .since_us = since_us, .link.data = orphan};
	g_hash_table_insert(orphans->nodes, &orphan->node, orphan);
	return orphan;
}

void orphans_put(Orphans *orphans, int64_t node, int64_t since_us)
{
	Orphan *orphan = orphan_add(orphans, node, since_us);
	g_queue_push_tail_link(&orphans->order, &orphan->link);
}

void orphans_put_first(Orphans *orphans, int64_t node)
{
	Orphan *orphan = orphan_add(orphans, node, ORPHAN_FIRST_US);
	g_queue_push_head_link(&orphans->order, &orphan->link);
}

bool orphans_has(const Orphans *orphans, int64_t node)
{
	return g_hash_table_contains(orphans->nodes, &node);
}

int64_t orphans_oldest(const Orphans *orphans, int64_t before_us)
{
	const Orphan *oldest = g_queue_peek_head((GQueue *)&orphans->order);
	return oldest && oldest->since_us <= before_us ? oldest->node : 0;
}

uint64_t orphans_left(const Orphans *orphans)
{
	return orphans->left;
}

int64_t orphans_oldest_us(const Orphans *orphans)
{
	const Orphan *oldest = g_queue_peek_head((GQueue *)&orphans->order);
	return oldest ? oldest->since_us : INT64_MAX;
}
