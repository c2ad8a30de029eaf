/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/write/checkpointer.h"
#include "index/store/db.h"

struct Checkpointer {
	char *index_dir;
	GThread *thread; /* NULL: none was started since the last wait */
	int done; /* atomic: the thread has nothing left to do */
};

Checkpointer *checkpointer_new(const char *index_dir)
{
	Checkpointer *c = g_new0(Checkpointer, 1);
	c->index_dir = g_strdup(index_dir);
	return c;
}

void checkpointer_free(Checkpointer *c)
{
	if (!c)
		return;
	checkpointer_wait(c);
	g_free(c->index_dir);
	g_free(c);
}

CheckpointerState checkpointer_state(const Checkpointer *c)
{
	if (!c->thread)
		return CHECKPOINTER_RESTS;
	return g_atomic_int_get(&c->done) ? CHECKPOINTER_IS_DONE : CHECKPOINTER_RUNS;
}

static gpointer checkpointer_run(gpointer data)
{
	Checkpointer *c = data;
	sqlite3 *db = db_open_log(c->index_dir, NULL);
	if (db)
		sqlite3_wal_checkpoint_v2(db, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
	db_close(db);
	g_atomic_int_set(&c->done, 1);
	return NULL;
}

bool checkpointer_start(Checkpointer *c)
{
	g_assert(!c->thread);
	g_atomic_int_set(&c->done, 0);
	c->thread = g_thread_try_new("checkpoint", checkpointer_run, c, NULL);
	return c->thread != NULL;
}

void checkpointer_wait(Checkpointer *c)
{
	if (c->thread)
		g_thread_join(g_steal_pointer(&c->thread));
}
