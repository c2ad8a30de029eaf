/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/engine/status-publisher.h"

enum { PUBLISH_US = 50 * 1000, COUNT_US = 1000 * 1000 };

typedef struct {
	EngineReply reply;
	void *data;
} StatusWaiter;

struct StatusPublisher {
	GMutex lock;
	EngineStatus *last; /* protected by lock */
	GArray *waiters; /* of StatusWaiter */
	int64_t due_us;
	WriterCounts counts;
	int64_t count_us; /* earliest time of the next count */
};

StatusPublisher *status_publisher_new(void)
{
	StatusPublisher *p = g_new0(StatusPublisher, 1);
	g_mutex_init(&p->lock);
	p->waiters = g_array_new(FALSE, FALSE, sizeof(StatusWaiter));
	return p;
}

void status_publisher_free(StatusPublisher *p)
{
	engine_status_free(p->last);
	g_array_unref(p->waiters);
	g_mutex_clear(&p->lock);
	g_free(p);
}

/* ---- copies */

static void engine_root_free(gpointer data)
{
	EngineRoot *root = data;
	g_free(root->path);
	g_free(root);
}

GPtrArray *engine_roots_new(void)
{
	return g_ptr_array_new_with_free_func(engine_root_free);
}

EngineRoot *engine_root_new(const char *path, RootState state, const Coverage *coverage)
{
	EngineRoot *root = g_new(EngineRoot, 1);
	*root = (EngineRoot){g_strdup(path), state, *coverage};
	return root;
}

void engine_status_free(EngineStatus *status)
{
	if (!status)
		return;
	g_ptr_array_unref(status->roots);
	g_free(status->last_error);
	g_free(status->current);
	g_free(status->partition.error);
	g_free(status);
}

static EngineStatus *status_copy(const EngineStatus *status)
{
	EngineStatus *copy = g_memdup2(status, sizeof(*status));
	copy->last_error = g_strdup(status->last_error);
	copy->current = g_strdup(status->current);
	copy->partition.error = g_strdup(status->partition.error);
	copy->roots = engine_roots_new();
	for (guint i = 0; i < status->roots->len; i++) {
		const EngineRoot *root = status->roots->pdata[i];
		g_ptr_array_add(
		        copy->roots, engine_root_new(root->path, root->state, &root->coverage));
	}
	return copy;
}

/* ---- publishing */

bool status_publisher_is_due(const StatusPublisher *p, bool busy, int64_t now_us)
{
	return !busy || p->waiters->len > 0 || now_us >= p->due_us;
}

void status_publisher_publish(StatusPublisher *p, EngineStatus *status, int64_t now_us)
{
	p->due_us = now_us + PUBLISH_US;
	g_mutex_lock(&p->lock);
	EngineStatus *old = p->last;
	p->last = status;
	g_mutex_unlock(&p->lock);
	if (!old || old->mode != status->mode)
		g_info("mode: %s", mode_name(status->mode));
	engine_status_free(old);
	for (guint i = 0; i < p->waiters->len; i++) {
		const StatusWaiter *waiter = &g_array_index(p->waiters, StatusWaiter, i);
		answer_post(waiter->reply, waiter->data, 0, NULL);
	}
	g_array_set_size(p->waiters, 0);
}

void status_publisher_answer_after(StatusPublisher *p, EngineReply reply, void *data)
{
	const StatusWaiter waiter = {reply, data};
	g_array_append_val(p->waiters, waiter);
}

EngineStatus *status_publisher_copy(StatusPublisher *p)
{
	g_mutex_lock(&p->lock);
	EngineStatus *copy = status_copy(p->last);
	g_mutex_unlock(&p->lock);
	return copy;
}

/* ---- counts */

bool status_publisher_count(
        StatusPublisher *p, Writer *writer, bool exact, int64_t now_us, GError **error)
{
	if (now_us < p->count_us && !exact)
		return true;
	p->count_us = now_us + COUNT_US;
	return writer_counts(writer, &p->counts, error);
}

const WriterCounts *status_publisher_counts(const StatusPublisher *p)
{
	return &p->counts;
}
