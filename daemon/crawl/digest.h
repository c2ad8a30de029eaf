/* SPDX-License-Identifier: GPL-3.0-or-later */
/* digest.h - one number that says what the entries of a directory are (part of crawl.h)
 *
 * When a visit has found all entries as their rows say, the index gets the digest of the rows: the
 * sum of a hash (XXH3) of each, of its name and its facts. The writer forgets it with the next
 * change of one of them. The next visit computes the digest of the entries instead, and if it is
 * the same, no row is read: at a start, when hardly anything has changed, reading them would be a
 * third of the work. The hashes have a key of the index, so that nobody can make entries whose
 * changes cancel out. */
#pragma once
#include "daemon/crawl/place.h"

/* Larger directories have no digest. */
enum { DIGEST_MOST_ENTRIES = 1024 };

/* Returns the key of the hashes, which depends on the secret of the index. */
uint64_t digest_key(const Writer *writer);
/* Returns the part of the digest that is due to one entry. */
uint64_t digest_of_entry(uint64_t key, const char *name, const EntryStat *stat);
/* Reads the rest of the list. dirs: copies of the names of directories are appended. *n_r: how many
 * entries were looked at. False: there are too many, or one of them needs a row to be judged. */
bool digest_of_entries(const Crawl *crawl, const Place *place, SafeList *list, uint64_t *digest_r,
        GPtrArray *dirs, unsigned *n_r);
