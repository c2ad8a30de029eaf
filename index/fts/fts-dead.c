/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fts-dead.c - a set of documents: a bit for each */
#include <config.h>
#include "index/fts/fts-sweep.h"

struct FtsDead {
	GByteArray *bits;
};

FtsDead *fts_dead_new(void)
{
	FtsDead *dead = g_new0(FtsDead, 1);
	dead->bits = g_byte_array_new();
	return dead;
}

void fts_dead_free(FtsDead *dead)
{
	if (!dead)
		return;
	g_byte_array_unref(dead->bits);
	g_free(dead);
}

bool fts_dead_has(const FtsDead *dead, int64_t document)
{
	return document > 0 && (uint64_t)document >> 3 < dead->bits->len &&
	       (dead->bits->data[document >> 3] >> (document & 7) & 1);
}

int64_t fts_dead_next(const FtsDead *dead, int64_t after)
{
	int64_t end = (int64_t)dead->bits->len << 3;
	for (int64_t document = MAX(after, 0) + 1; document < end;) {
		if (fts_dead_has(dead, document))
			return document;
		document +=
		        dead->bits->data[document >> 3] >> (document & 7) ? 1 : 8 - (document & 7);
	}
	return 0;
}

void fts_dead_add(FtsDead *dead, int64_t document)
{
	if (document <= 0 || document > FTS_DEAD_MAX || fts_dead_has(dead, document))
		return;
	guint length = dead->bits->len, needed = (document >> 3) + 1;
	if (needed > length) {
		g_byte_array_set_size(dead->bits, needed);
		for (guint i = length; i < needed; i++)
			dead->bits->data[i] = 0;
	}
	dead->bits->data[document >> 3] |= 1 << (document & 7);
}
