/* SPDX-License-Identifier: GPL-3.0-or-later */
/* textcache.h - texts that were expensive to convert, kept for snippets
 *
 * CACHE_DIR/text.db maps a document id to a packed Document (index/store/pack.h), compressed with
 * zstd. It has a budget in bytes; the oldest entries are removed first. It may be deleted at any
 * time; if it is damaged or belongs to another index (meta 'identity'), it is created anew. An
 * entry is removed in the same transaction as its document. */
#pragma once
#include "common/base/document.h"
#include <sqlite3.h>

typedef struct TextCache TextCache;

enum { TEXTCACHE_BUDGET_BYTES = 256 << 20 };

/* Opens it for the writer of the index. identity: meta 'identity' of the index. */
TextCache *textcache_open(
        const char *cache_dir, const char *identity, uint64_t budget_bytes, GError **error);
/* Opens it for a reader. NULL without error: there is none, or it belongs to another index. */
TextCache *textcache_open_reader(const char *cache_dir, const char *identity, GError **error);
void textcache_close(TextCache *cache); /* NULL is allowed; uncommitted changes are lost */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TextCache, textcache_close)

/* Sets the budget; entries beyond it are removed at once. Not inside a transaction of the index. */
void textcache_set_budget(TextCache *cache, uint64_t budget_bytes);

/* Changes wait for textcache_commit(). Errors are logged and never fatal: the cache is created
 * anew. */
void textcache_put(TextCache *cache, int64_t document, const Document *doc);
/* The same in pieces. textpack_continue() compresses up to 1 MiB more, and returns false when all
 * is done. doc is not needed after textpack_new(). */
typedef struct TextPack TextPack;
TextPack *textpack_new(const Document *doc);
bool textpack_continue(TextPack *pack);
void textpack_free(TextPack *pack); /* NULL is allowed */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TextPack, textpack_free)
void textcache_put_pack(TextCache *cache, int64_t document, const TextPack *pack);
void textcache_remove(TextCache *cache, int64_t document);
void textcache_commit(TextCache *cache);
void textcache_rollback(TextCache *cache);

/* Checkpoints everything and empties the log. Returns false while a reader holds it. */
bool textcache_empty_log(TextCache *cache);
void textcache_release_memory(TextCache *cache);

/* Is there an entry? The text is not read. */
bool textcache_has(TextCache *cache, int64_t document);
/* NULL: there is no entry. */
Document *textcache_get(TextCache *cache, int64_t document);
