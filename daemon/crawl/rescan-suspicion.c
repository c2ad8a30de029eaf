/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/crawl/rescan-suspicion.h"
#include "daemon/watch/hints.h"

/* So many names that were written and found are remembered. */
enum { MOST_FOUND = 20000 };

struct Doubt {
	GHashTable *found; /* hash of directory and name -> inode, as int64_t * */
	int64_t moved_us; /* when a file that was written unseen had moved on; 0: never */
	int64_t lost_us; /* when the name that a file had moved to was gone */
};

Doubt *doubt_new(void)
{
	Doubt *doubt = g_new0(Doubt, 1);
	doubt->found = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
	return doubt;
}

void doubt_free(Doubt *doubt)
{
	g_hash_table_unref(doubt->found);
	g_free(doubt);
}

static bool is_written(unsigned what)
{
	return what & HINT_WRITTEN;
}

bool doubt_wants_inode(unsigned what)
{
	return (what & HINT_ARRIVED) && (is_written(what) || (what & HINT_MOVED));
}

static bool is_chain(Doubt *doubt)
{
	return doubt->moved_us > 0 && doubt->lost_us > 0 &&
	       ABS(doubt->moved_us - doubt->lost_us) < DOUBT_CHAIN_US;
}

static DoubtAnswer answer_lost(Doubt *doubt, unsigned what, int64_t now_us)
{
	if (is_written(what))
		return DOUBT_FILES;
	if (!(what & HINT_MOVED)) /* a link that nothing was written by */
		return DOUBT_NONE;
	doubt->lost_us = now_us;
	return is_chain(doubt) ? DOUBT_FILES : DOUBT_NONE;
}

static uint64_t hash_of(const DoubtLook *look)
{
	uint64_t hash = UINT64_C(14695981039346656037) ^ (uint64_t)look->dir; /* FNV-1a */
	for (const char *at = look->name; *at; at++)
		hash = (hash ^ (uint8_t)*at) * UINT64_C(1099511628211);
	return hash;
}

/* An arrival that is told of now may be that of what was found there already. */
static bool was_found_before(Doubt *doubt, const DoubtLook *look)
{
	uint64_t key = hash_of(look);
	const int64_t *before = g_hash_table_lookup(doubt->found, &key);
	return before && *before == look->inode;
}

static void remember(Doubt *doubt, const DoubtLook *look)
{
	uint64_t key = hash_of(look);
	if (g_hash_table_size(doubt->found) >= MOST_FOUND)
		doubt_rest(doubt);
	g_hash_table_replace(doubt->found, g_memdup2(&key, sizeof(key)),
	        g_memdup2(&look->inode, sizeof(look->inode)));
}

static DoubtAnswer answer_gone(Doubt *doubt, const DoubtLook *look, int64_t now_us)
{
	if (look->what & HINT_GONE)
		return answer_lost(doubt, look->what, now_us);
	if (look->what & HINT_MOVED_ON)
		return DOUBT_NONE;
	if (look->what & HINT_LATE)
		return answer_lost(doubt, look->what, now_us);
	return DOUBT_LATER;
}

DoubtAnswer doubt_ask(Doubt *doubt, const DoubtLook *look, int64_t now_us)
{
	unsigned what = look->what;
	if (!(what & HINT_ARRIVED))
		return DOUBT_NONE;
	if (what & HINT_CARRIED)
		doubt->moved_us = now_us;
	bool chain = (what & HINT_CARRIED) && is_chain(doubt);
	bool replaced = look->inode != 0 && was_found_before(doubt, look);
	if (look->inode != 0 && doubt_wants_inode(what))
		remember(doubt, look);
	if (chain || replaced)
		return DOUBT_FILES;
	if (what & HINT_AGAIN)
		return answer_lost(doubt, what, now_us);
	return look->inode != 0 ? DOUBT_NONE : answer_gone(doubt, look, now_us);
}

void doubt_rest(Doubt *doubt)
{
	g_hash_table_remove_all(doubt->found);
}
