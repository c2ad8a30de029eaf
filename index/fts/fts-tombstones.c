/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fts-tombstones.c - a set of deleted documents: a bit for each */
#include <config.h>
#include "index/fts/fts-sweep.h"

struct FtsTombstones {
	GByteArray *bits;
};

FtsTombstones *fts_tombstones_new(void)
{
	FtsTombstones *tombstones = g_new0(FtsTombstones, 1);
	tombstones->bits = g_byte_array_new();
	return tombstones;
}

void fts_tombstones_free(FtsTombstones *tombstones)
{
	if (!tombstones)
		return;
	g_byte_array_unref(tombstones->bits);
	g_free(tombstones);
}

bool fts_tombstones_has(const FtsTombstones *tombstones, int64_t document)
{
	return document > 0 && (uint64_t)document >> 3 < tombstones->bits->len &&
	       (tombstones->bits->data[document >> 3] >> (document & 7) & 1);
}

int64_t fts_tombstones_next(const FtsTombstones *tombstones, int64_t after)
{
	int64_t end = (int64_t)tombstones->bits->len << 3;
	for (int64_t document = MAX(after, 0) + 1; document < end;) {
		if (fts_tombstones_has(tombstones, document))
			return document;
		document += tombstones->bits->data[document >> 3] >> (document & 7)
		                    ? 1
		                    : 8 - (document & 7);
	}
	return 0;
}

void fts_tombstones_add(FtsTombstones *tombstones, int64_t document)
{
	if (document <= 0 || document > FTS_TOMBSTONES_MAX ||
	        fts_tombstones_has(tombstones, document))
		return;
	guint length = tombstones->bits->len, needed = (document >> 3) + 1;
	if (needed > length) {
		g_byte_array_set_size(tombstones->bits, needed);
		for (guint i = length; i < needed; i++)
			tombstones->bits->data[i] = 0;
	}
	tombstones->bits->data[document >> 3] |= 1 << (document & 7);
}
