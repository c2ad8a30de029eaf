/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/crawl/digest.h"
#include "daemon/crawl/reconcile.h"
#include "daemon/crawl/volumes.h"
#include <errno.h>
#include <string.h>
#include <xxhash.h>

uint64_t digest_key(const Writer *writer)
{
	uint64_t key;
	memcpy(&key, writer_checksum_key(writer)->hmac, sizeof key);
	return key;
}

uint64_t digest_of_entry(uint64_t key, const char *name, const EntryStat *stat)
{
	const uint64_t facts[] = {stat->filesystem, stat->ino, stat->birth_ns, stat->kind,
	        stat->size, stat->mtime_ns, stat->ctime_ns, stat->uid, stat->gid, stat->mode};
	uint64_t hash = XXH3_64bits_withSeed(name, strlen(name), key);
	return XXH3_64bits_withSeed(facts, sizeof facts, hash);
}

bool digest_of_entries(const Crawl *crawl, const Place *place, SafeList *list, uint64_t *digest_r,
        GPtrArray *dirs, unsigned *n_r)
{
	const Volume *volume = volume_of(crawl, place->dir);
	uint64_t key = digest_key(crawl->writer);
	struct statx st;
	const char *name;
	*digest_r = *n_r = 0;
	while ((name = safe_list_next(list))) {
		if (++*n_r > DIGEST_MOST_ENTRIES ||
		        safe_stat(place->root->agent, place->fd, name, volume_ask(volume), &st) !=
		                0 ||
		        volume_ends(volume, &st))
			return false;
		if (reconcile_is_excluded(crawl, place, name, &st))
			continue;
		EntryStat stat = place_stat(crawl, volume, place->dir->node, name, &st);
		*digest_r += digest_of_entry(key, name, &stat);
		if (stat.kind == ENTRY_DIR)
			g_ptr_array_add(dirs, g_strdup(name));
	}
	return errno == 0;
}
