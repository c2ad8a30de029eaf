/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/ingest/cooldown.h"

enum { MAX_FILES = 256 };
#define COOL_DOWN_US (60 * G_GINT64_CONSTANT(1000000))
#define WAIT_MIN_US (2 * G_GINT64_CONSTANT(1000000))
#define WAIT_MAX_US (600 * G_GINT64_CONSTANT(1000000))

typedef struct {
	uint64_t key;
	int64_t last_us, cost_us, wait_us;
	unsigned times;
} CooldownFile;

struct Cooldown {
	GHashTable *files; /* key -> CooldownFile */
};

Cooldown *cooldown_new(void)
{
	Cooldown *cooldown = g_new0(Cooldown, 1);
	cooldown->files = g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL, g_free);
	return cooldown;
}

void cooldown_free(Cooldown *cooldown)
{
	g_hash_table_unref(cooldown->files);
	g_free(cooldown);
}

uint64_t cooldown_key(int64_t dir, const char *name)
{
	uint64_t hash = UINT64_C(14695981039346656037) ^ (uint64_t)dir; /* FNV-1a */
	for (; *name; name++)
		hash = (hash ^ (uint8_t)*name) * UINT64_C(1099511628211);
	return hash;
}

static gboolean has_cooled_down(gpointer key, gpointer value, gpointer now_us)
{
	const CooldownFile *file = value;
	return *(int64_t *)now_us - file->last_us > MAX(COOL_DOWN_US, 2 * file->wait_us);
}

static CooldownFile *cooldown_find(Cooldown *cooldown, uint64_t key, int64_t now_us)
{
	CooldownFile *file = g_hash_table_lookup(cooldown->files, &key);
	if (file && has_cooled_down(NULL, file, &now_us)) {
		g_hash_table_remove(cooldown->files, &key);
		return NULL;
	}
	return file;
}

int64_t cooldown_not_before_us(Cooldown *cooldown, uint64_t key, int64_t now_us)
{
	const CooldownFile *file = cooldown_find(cooldown, key, now_us);
	int64_t due_us = file && file->wait_us > 0 ? file->last_us + file->wait_us : 0;
	return due_us > now_us ? due_us : 0;
}

void cooldown_note(Cooldown *cooldown, uint64_t key, int64_t cost_us, int64_t now_us)
{
	CooldownFile *file = cooldown_find(cooldown, key, now_us);
	if (!file) {
		if (g_hash_table_size(cooldown->files) >= MAX_FILES)
			g_hash_table_foreach_remove(cooldown->files, has_cooled_down, &now_us);
		if (g_hash_table_size(cooldown->files) >= MAX_FILES)
			return;
		file = g_new0(CooldownFile, 1);
		file->key = key;
		g_hash_table_add(cooldown->files, file);
	}
	file->times++;
	file->cost_us += cost_us;
	file->last_us = now_us;
	if (file->times >= COOLDOWN_FREE_TIMES || file->cost_us >= COOLDOWN_FREE_US)
		file->wait_us = CLAMP(file->wait_us * 2, WAIT_MIN_US, WAIT_MAX_US);
}
