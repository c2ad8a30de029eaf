/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/crawl/rescan-suspicion.h"
#include "daemon/watch/hints.h"

/* Limit on the remembered names that were written by and then found. */
enum { MOST_FOUND = 20000 };

struct Suspicion {
	GHashTable *found; /* hash of directory and name -> inode, as int64_t * */
	int64_t moved_us; /* when a file that was written unseen had moved on; 0: never */
	int64_t lost_us; /* when the name that a file had moved to was gone */
};

Suspicion *suspicion_new(void)
{
	Suspicion *suspicion = g_new0(Suspicion, 1);
	suspicion->found = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
	return suspicion;
}

void suspicion_free(Suspicion *suspicion)
{
	g_hash_table_unref(suspicion->found);
	g_free(suspicion);
}

static bool is_written(unsigned what)
{
	return what & HINT_WRITTEN;
}

bool suspicion_wants_inode(unsigned what)
{
	return (what & HINT_ARRIVED) && (is_written(what) || (what & HINT_MOVED));
}

static bool is_chain(Suspicion *suspicion)
{
	return suspicion->moved_us > 0 && suspicion->lost_us > 0 &&
	       ABS(suspicion->moved_us - suspicion->lost_us) < SUSPICION_CHAIN_US;
}

static SuspicionAnswer answer_lost(Suspicion *suspicion, unsigned what, int64_t now_us)
{
	if (is_written(what))
		return SUSPICION_RAISED;
	if (!(what & HINT_MOVED)) /* It is a link, and nothing was written by its name. */
		return SUSPICION_NONE;
	suspicion->lost_us = now_us;
	return is_chain(suspicion) ? SUSPICION_RAISED : SUSPICION_NONE;
}

static uint64_t suspicion_hash_of(const SuspicionLook *look)
{
	uint64_t hash = UINT64_C(14695981039346656037) ^ (uint64_t)look->dir; /* FNV-1a */
	for (const char *at = look->name; *at; at++)
		hash = (hash ^ (uint8_t)*at) * UINT64_C(1099511628211);
	return hash;
}

/* The arrival that is reported now may be that of the file which was already found there. */
static bool was_found_before(Suspicion *suspicion, const SuspicionLook *look)
{
	uint64_t key = suspicion_hash_of(look);
	const int64_t *before = g_hash_table_lookup(suspicion->found, &key);
	return before && *before == look->inode;
}

static void suspicion_remember(Suspicion *suspicion, const SuspicionLook *look)
{
	uint64_t key = suspicion_hash_of(look);
	if (g_hash_table_size(suspicion->found) >= MOST_FOUND)
		suspicion_forget(suspicion);
	g_hash_table_replace(suspicion->found, g_memdup2(&key, sizeof(key)),
	        g_memdup2(&look->inode, sizeof(look->inode)));
}

static SuspicionAnswer answer_gone(Suspicion *suspicion, const SuspicionLook *look, int64_t now_us)
{
	if (look->what & HINT_GONE)
		return answer_lost(suspicion, look->what, now_us);
	if (look->what & HINT_MOVED_ON)
		return SUSPICION_NONE;
	if (look->what & HINT_LOOK_AGAIN)
		return answer_lost(suspicion, look->what, now_us);
	return SUSPICION_LOOK_AGAIN;
}

SuspicionAnswer suspicion_ask(Suspicion *suspicion, const SuspicionLook *look, int64_t now_us)
{
	unsigned what = look->what;
	if (!(what & HINT_ARRIVED))
		return SUSPICION_NONE;
	if (what & HINT_CARRIED)
		suspicion->moved_us = now_us;
	bool chain = (what & HINT_CARRIED) && is_chain(suspicion);
	bool replaced = look->inode != 0 && was_found_before(suspicion, look);
	if (look->inode != 0 && suspicion_wants_inode(what))
		suspicion_remember(suspicion, look);
	if (chain || replaced)
		return SUSPICION_RAISED;
	if (what & HINT_AGAIN)
		return answer_lost(suspicion, what, now_us);
	return look->inode != 0 ? SUSPICION_NONE : answer_gone(suspicion, look, now_us);
}

void suspicion_forget(Suspicion *suspicion)
{
	g_hash_table_remove_all(suspicion->found);
}
