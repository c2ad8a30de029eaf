/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reader-private.h - what the files of the reader share */
#pragma once
#include "index/read/reader.h"
#include "index/store/textcache.h"
#include <sqlite3.h>

/* The path of a directory, cached for the transaction. */
typedef struct {
	char *path; /* NULL: the chain of parents is broken */
	int64_t root; /* topmost node of the chain */
	EntrySource source; /* of the entries below */
} ReaderDir;

struct FtsGate;

struct Reader {
	sqlite3 *db;
	char *index_dir, *cache_dir;
	GHashTable *dirs; /* node -> ReaderDir, for the transaction */
	GHashTable *removed, *roots; /* paths, for the transaction; see removed.h */
	bool removed_known;
	GHashTable *types; /* MIME type -> result of doctype_of(), for the transaction */
	GHashTable *statements; /* SQL text -> sqlite3_stmt */
	TextCache *cache; /* NULL: it is not opened yet, or there is none */
	bool cache_tried;
	struct FtsGate *fts_gate; /* belongs to index/fts; NULL: not used yet */
	int64_t deadline_us; /* monotonic; 0: none */
	unsigned max_ms; /* of the transaction */
	ReaderStopFunc stop; /* NULL: none */
	void *stop_data;
	ReaderTellsFunc tells; /* NULL: no limit but permissions */
	ReaderTellsMemberFunc tells_member; /* the same */
	void *tells_data;
	bool stopped; /* it stopped this transaction */
	uint64_t calls_left; /* of a transaction without time limit, until it is stopped */
	void *search_state; /* belongs to index/search, which sets it at its first use; NULL: not
	                       used yet */
	GDestroyNotify free_search_state; /* called once the connection is closed */
};

/* Returns the statement, reset and unbound. It is prepared once, so sql must be static. NULL with
 * error. */
sqlite3_stmt *reader_statement(Reader *r, const char *sql, GError **error);
/* Makes one step. 1: a row; 0: done; -1: error. The statement is reset after 0 and -1. */
int reader_step(Reader *r, sqlite3_stmt *statement, GError **error);
/* A text of the row, made valid UTF-8; NULL: it has none. The caller frees it. */
char *reader_column_text(sqlite3_stmt *row, int column);
/* Reports the error of the connection, or that the time limit is over. Returns false. */
bool reader_fail(Reader *r, GError **error);

/* Begins a transaction: everything until reader_end() sees one snapshot. max_ms 0: no time limit,
 * but one of steps that only a damaged index reaches (INDEX_ERROR_DAMAGED). */
bool reader_begin(Reader *r, unsigned max_ms, GError **error);
/* The transaction may take so many milliseconds longer, if its time is limited. */
void reader_allow_more(Reader *r, unsigned ms);
void reader_end(Reader *r);

/* Of the rows n and their inodes i: the roots, without those that are being removed. */
#define READER_ROOTS_SQL                                                                           \
	"FROM node n CROSS JOIN inode i ON i.id = n.inode "                                        \
	"WHERE n.parent = 0 AND i.state <> " SQL_INODE_ORPHAN
/* Returns what reader_root_paths() does, within a transaction. NULL with error. */
GPtrArray *reader_read_root_paths(Reader *r, GError **error);

/* Reads one number; it is 0 if there is no row. */
bool reader_count(Reader *r, const char *sql, uint64_t *out, GError **error);
/* SQL for reader_count(): the number of entries that are pending, which the writer keeps. An index
 * that only an older version has written to does not have it. */
#define READER_PENDING_SQL                                                                         \
	"SELECT max(0, coalesce((SELECT value FROM meta WHERE key = 'pending'), "                  \
	"(SELECT count(*) FROM inode i CROSS JOIN node n ON n.inode = i.id "                       \
	"WHERE i.state <> " SQL_INODE_DONE " AND i.state = " SQL_INODE_PENDING ")))"

/* ---- paths */
/* Returns the directory of this node. It is never NULL. */
const ReaderDir *reader_dir(Reader *r, int64_t node);
/* Returns the path of an entry, which the caller owns, or NULL if the path is broken. root_r may be
 * NULL. */
char *reader_path(
        Reader *r, int64_t parent, int64_t node, const void *name, int length, int64_t *root_r);
/* Returns the node of an absolute path; 0: there is none; -1: error. */
int64_t reader_resolve(Reader *r, const char *path, GError **error);

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
/* The joins that INFO_COLUMNS need, after a FROM clause that defines n. */
#define INFO_JOINS                                                                                 \
	"CROSS JOIN inode i ON i.id = n.inode LEFT JOIN content c ON c.id = i.content "            \
	"LEFT JOIN document d ON d.content = i.content LEFT JOIN fact f ON f.document = d.id "
/* Makes an Info, with its path, of the current row of a statement with INFO_COLUMNS. NULL: the row
 * has no valid path. *root_r: the node of its root; root_r may be NULL. */
Info *reader_info_of_row(Reader *r, sqlite3_stmt *row, int64_t *root_r);
/* As reader_info_by_id(), within a transaction; the rows are appended. */
bool reader_read_info_by_id(Reader *r, int64_t document, GPtrArray *infos, GError **error);
