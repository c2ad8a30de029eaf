/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/crawl/entry-queue.h"
#include <string.h>

typedef struct {
	int64_t dir;
	unsigned what;
	int64_t first_us, due_us;
	GSequenceIter *place;
	char name[];
} QueuedEntry;

struct Queue {
	GHashTable *items; /* set of QueuedEntry; each is its own key */
	GSequence *order; /* of QueuedEntry, by due_us */
};

static guint item_hash(gconstpointer key)
{
	const QueuedEntry *item = key;
	return g_str_hash(item->name) ^ g_int64_hash(&item->dir);
}

static gboolean item_equal(gconstpointer one, gconstpointer other)
{
	const QueuedEntry *a = one, *b = other;
	return a->dir == b->dir && strcmp(a->name, b->name) == 0;
}

static gint item_compare(gconstpointer one, gconstpointer other, gpointer data)
{
	const QueuedEntry *a = one, *b = other;
	return (a->due_us > b->due_us) - (a->due_us < b->due_us);
}

void queue_entry_clear(QueueEntry *entry)
{
	g_clear_pointer(&entry->name, g_free);
}

Queue *queue_new(void)
{
	Queue *queue = g_new0(Queue, 1);
	queue->items = g_hash_table_new_full(item_hash, item_equal, NULL, g_free);
	queue->order = g_sequence_new(NULL);
	return queue;
}

void queue_free(Queue *queue)
{
	g_sequence_free(queue->order);
	g_hash_table_unref(queue->items);
	g_free(queue);
}

static void queue_insert(Queue *queue, QueuedEntry *item)
{
	item->place = g_sequence_insert_sorted(queue->order, item, item_compare, NULL);
}

static void set_due(Queue *queue, QueuedEntry *item, int64_t due_us)
{
	if (item->due_us == due_us)
		return;
	item->due_us = due_us;
	g_sequence_remove(item->place);
	queue_insert(queue, item);
}

static QueuedEntry *item_new(
        int64_t dir, const char *name, unsigned what, int64_t first_us, int64_t due_us)
{
	size_t length = strlen(name) + 1;
	QueuedEntry *item = g_malloc(sizeof(*item) + length);
	*item = (QueuedEntry){.dir = dir, .what = what, .first_us = first_us, .due_us = due_us};
	memcpy(item->name, name, length);
	return item;
}

static bool is_only(unsigned what, unsigned bits)
{
	return (what & ~bits) == 0;
}

static int64_t wait_us(unsigned what)
{
	if (is_only(what, HINT_MODIFIED))
		return QUEUE_OPEN_US;
	return is_only(what, HINT_CREATED | HINT_ARRIVED | HINT_MODIFIED) ? QUEUE_CREATED_US : 0;
}

/* Merges another hint into a waiting entry. Only further writes to an open file delay it. */
static void queue_merge(Queue *queue, QueuedEntry *item, unsigned what, int64_t due_us)
{
	bool open = is_only(item->what | what, HINT_MODIFIED);
	item->what = hint_merge(item->what, what);
	if (open)
		set_due(queue, item, MIN(due_us, item->first_us + QUEUE_OPEN_MAX_US));
	else if (due_us < item->due_us)
		set_due(queue, item, due_us);
}

static void entry_queue_push(Queue *queue, QueuedEntry *item)
{
	QueuedEntry *old = g_hash_table_lookup(queue->items, item);
	if (old) {
		queue_merge(queue, old, item->what, item->due_us);
		g_free(item);
		return;
	}
	g_hash_table_add(queue->items, item);
	queue_insert(queue, item);
}

void queue_push(Queue *queue, int64_t dir, const char *name, unsigned what, int64_t now_us)
{
	entry_queue_push(queue, item_new(dir, name, what, now_us, now_us + wait_us(what)));
}

void queue_push_at(Queue *queue, int64_t dir, const char *name, unsigned what, int64_t due_us)
{
	entry_queue_push(queue, item_new(dir, name, what, due_us, due_us));
}

bool queue_take(Queue *queue, int64_t now_us, QueueEntry *out)
{
	GSequenceIter *first = g_sequence_get_begin_iter(queue->order);
	if (g_sequence_iter_is_end(first))
		return false;
	QueuedEntry *item = g_sequence_get(first);
	if (item->due_us > now_us)
		return false;
	*out = (QueueEntry){item->dir, item->what, g_strdup(item->name)};
	g_sequence_remove(first);
	g_hash_table_remove(queue->items, item);
	return true;
}

int64_t queue_next_us(const Queue *queue)
{
	GSequenceIter *first = g_sequence_get_begin_iter(queue->order);
	if (g_sequence_iter_is_end(first))
		return INT64_MAX;
	return ((const QueuedEntry *)g_sequence_get(first))->due_us;
}

static void make_due(gpointer data, gpointer now_us)
{
	QueuedEntry *item = data;
	item->due_us = MIN(item->due_us, *(int64_t *)now_us);
}

void queue_flush(Queue *queue, int64_t now_us)
{
	g_sequence_foreach(queue->order, make_due, &now_us);
}

void queue_clear(Queue *queue)
{
	g_sequence_free(queue->order);
	queue->order = g_sequence_new(NULL);
	g_hash_table_remove_all(queue->items);
}

size_t queue_length(const Queue *queue)
{
	return g_hash_table_size(queue->items);
}
