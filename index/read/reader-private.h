/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reader-private.h - between the parts of the reader */
#pragma once
#include "index/read/reader.h"
#include "index/store/textcache.h"
#include <sqlite3.h>

/* A directory's path, found once in a transaction. */
typedef struct {
	char *path; /* NULL: the chain of parents is broken */
	int64_t root; /* its topmost node */
} ReaderDir;

struct FtsGate;

struct Reader {
	sqlite3 *db;
	char *index_dir, *cache_dir;
	GHashTable *dirs; /* node -> ReaderDir, of the transaction */
	GHashTable *types; /* MIME type -> what doctype_of() says, of the transaction */
	GHashTable *statements; /* SQL text -> sqlite3_stmt */
	TextCache *cache; /* NULL: not opened yet, or there is none */
	bool cache_tried;
	struct FtsGate *fts_gate; /* of index/fts; NULL: nothing was asked yet */
	int64_t deadline_us; /* monotonic; 0: none */
	unsigned max_ms; /* of the transaction */
	void *search_state; /* of index/search, which attaches it at its first use; NULL: not yet */
	GDestroyNotify free_search_state; /* called once the connection is closed */
};

/* Prepared once; reset and unbound. sql must be static. NULL with error. */
sqlite3_stmt *reader_statement(Reader *r, const char *sql, GError **error);
/* Steps: 1 row, 0 done (statement reset), -1 error (statement reset). */
int reader_step(Reader *r, sqlite3_stmt *statement, GError **error);
/* Error of the connection; tells of the time limit. */
bool reader_fail(Reader *r, GError **error);

/* One snapshot for all that follows. max_ms 0: no limit. */
bool reader_begin(Reader *r, unsigned max_ms, GError **error);
void reader_end(Reader *r);

/* One number; 0 without a row. */
bool reader_count(Reader *r, const char *sql, uint64_t *out, GError **error);

/* ---- paths */
/* The directory with this node. Never NULL. */
const ReaderDir *reader_dir(Reader *r, int64_t node);
/* Path of an entry; NULL if broken. Yours. root_r may be NULL. */
char *reader_path(
        Reader *r, int64_t parent, int64_t node, const void *name, int length, int64_t *root_r);
/* Node of an absolute path, 0 if there is none, -1 error. */
int64_t reader_resolve(Reader *r, const char *path, GError **error);

/* Is path dir itself or below it? dir NULL: always. */
bool reader_path_is_below(const char *path, const char *dir);

/* ---- rows */
#define INFO_COLUMNS                                                                               \
	"n.id, n.parent, n.name, i.id, i.filesystem, i.ino, i.birth_ns, i.kind, i.size, "          \
	"i.mtime_ns, "                                                                             \
	"i.ctime_ns, i.uid, i.gid, i.mode, i.state, i.reason, i.tries, i.detail, "                 \
	"c.checksum, c.mime, c.extractor, c.version, c.state, c.reason, c.tries, c.detail, "       \
	"d.id, d.date, f.member, f.mime, f.size, f.mtime_ns, f.title, f.author, f.lang, f.pages, " \
	"f.seconds, "                                                                              \
	"f.state, "                                                                                \
	"f.reason, f.truncated, f.detail, "                                                        \
	"(SELECT bits FROM fingerprint WHERE document = d.id) "
/* Joins that go with them behind a FROM that gives n. */
#define INFO_JOINS                                                                                 \
	"CROSS JOIN inode i ON i.id = n.inode LEFT JOIN content c ON c.id = i.content "            \
	"LEFT JOIN document d ON d.content = i.content LEFT JOIN fact f ON f.document = d.id "
/* The current row of a statement with these columns. Path left out. */
Info *info_of_row(sqlite3_stmt *statement);
/* The same with its path; NULL: the row leads to no path. root_r may be NULL. */
Info *reader_info_of_row(Reader *r, sqlite3_stmt *row, int64_t *root_r);
