/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/ingest/cooldown.h"

enum { MAX_FILES = 256 };
#define COOL_US (60 * G_GINT64_CONSTANT(1000000))
#define WAIT_MIN_US (2 * G_GINT64_CONSTANT(1000000))
#define WAIT_MAX_US (600 * G_GINT64_CONSTANT(1000000))

typedef struct {
	uint64_t key;
	int64_t last_us, cost_us, wait_us;
	unsigned times;
} HotFile;

struct Hot {
	GHashTable *files; /* HotFile by its key */
};

Hot *hot_new(void)
{
	Hot *hot = g_new0(Hot, 1);
	hot->files = g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL, g_free);
	return hot;
}

void hot_free(Hot *hot)
{
	g_hash_table_unref(hot->files);
	g_free(hot);
}

uint64_t hot_key(int64_t dir, const char *name)
{
	uint64_t hash = UINT64_C(14695981039346656037) ^ (uint64_t)dir; /* FNV-1a */
	for (; *name; name++)
		hash = (hash ^ (uint8_t)*name) * UINT64_C(1099511628211);
	return hash;
}

static gboolean is_cool(gpointer key, gpointer value, gpointer now_us)
{
	const HotFile *file = value;
	return *(int64_t *)now_us - file->last_us > MAX(COOL_US, 2 * file->wait_us);
}

static HotFile *find(Hot *hot, uint64_t key, int64_t now_us)
{
	HotFile *file = g_hash_table_lookup(hot->files, &key);
	if (file && is_cool(NULL, file, &now_us)) {
		g_hash_table_remove(hot->files, &key);
		return NULL;
	}
	return file;
}

int64_t hot_not_before_us(Hot *hot, uint64_t key, int64_t now_us)
{
	const HotFile *file = find(hot, key, now_us);
	int64_t due_us = file && file->wait_us > 0 ? file->last_us + file->wait_us : 0;
	return due_us > now_us ? due_us : 0;
}

void hot_note(Hot *hot, uint64_t key, int64_t cost_us, int64_t now_us)
{
	HotFile *file = find(hot, key, now_us);
	if (!file) {
		if (g_hash_table_size(hot->files) >= MAX_FILES)
			g_hash_table_foreach_remove(hot->files, is_cool, &now_us);
		if (g_hash_table_size(hot->files) >= MAX_FILES)
			return;
		file = g_new0(HotFile, 1);
		file->key = key;
		g_hash_table_add(hot->files, file);
	}
	file->times++;
	file->cost_us += cost_us;
	file->last_us = now_us;
	if (file->times >= HOT_FREE_TIMES || file->cost_us >= HOT_FREE_US)
		file->wait_us = CLAMP(file->wait_us * 2, WAIT_MIN_US, WAIT_MAX_US);
}
