/* SPDX-License-Identifier: GPL-3.0-or-later */
/* textcache.h - texts that were expensive to convert, for snippets
 *
 * CACHE_DIR/text.db: a table of document id -> packed Document (index/store/pack.h),
 * zstd-compressed. A budget of bytes, the oldest leave first. It may be deleted at any time;
 * damaged or of another index (meta 'identity') it is made anew. An entry is removed in the same
 * breath as its document.
 */
#pragma once
#include "common/base/document.h"
#include <sqlite3.h>

typedef struct TextCache TextCache;

enum { TEXTCACHE_BUDGET_BYTES = 256 << 20 };

/* For the writer of the index. identity: meta 'identity' of the index. */
TextCache *textcache_open(
        const char *cache_dir, const char *identity, uint64_t budget_bytes, GError **error);
/* For readers: NULL without error if there is none or it belongs to another index. */
TextCache *textcache_open_reader(const char *cache_dir, const char *identity, GError **error);
void textcache_close(TextCache *cache); /* NULL is fine; what was not committed is gone */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TextCache, textcache_close)

/* A new budget; what is over it leaves at once. Not inside a transaction of the index. */
void textcache_set_budget(TextCache *cache, uint64_t budget_bytes);

/* Changes wait for textcache_commit(). Errors of a cache are logged, never fatal: it is made anew.
 */
void textcache_put(TextCache *cache, int64_t document, const Document *doc);
void textcache_remove(TextCache *cache, int64_t document);
void textcache_commit(TextCache *cache);
void textcache_rollback(TextCache *cache);

/* Everything into the file itself and the log emptied; false while a reader holds it. */
bool textcache_empty_log(TextCache *cache);
void textcache_release_memory(TextCache *cache);

/* NULL if it is not there. */
Document *textcache_get(TextCache *cache, int64_t document);
