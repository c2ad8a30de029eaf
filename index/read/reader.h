/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reader.h - questions to the index, read-only, with or without a daemon */
#pragma once
#include "common/base/document.h"
#include "index/store/db.h"
#include "index/store/entry-types.h"
#include "index/text/fingerprint.h"

typedef struct Reader Reader;

Reader *reader_open(const char *index_dir, const char *cache_dir, GError **error);
void reader_close(Reader *r);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Reader, reader_close)

/* All that is known of one entry or member. Strings are raw bytes where paths, else UTF-8. */
typedef struct {
	int64_t node, inode, document; /* document 0: no document (directory, pending) */
	char *path; /* of the file */
	char *member; /* or NULL */
	EntryStat stat;
	InodeState inode_state;
	DocState state; /* of document or content */
	DocReason reason;
	char *detail, *extractor;
	uint32_t version, tries;
	bool offline; /* its root is not there; only asked for by is:offline */
	bool truncated, has_checksum, has_near;
	char *mime, *title, *author, *lang;
	int64_t member_size, member_mtime_ns;
	int64_t date; /* seconds, 0 none */
	int64_t pages, seconds; /* 0 unknown */
	uint8_t checksum[CHECKSUM_BYTES];
	NearPrint near; /* zero without */
} Info;
void info_free(Info *info);
void info_clear(Info *info); /* its strings */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Info, info_free)
/* "ok", "stale", "offline", "failed", "pending", "truncated": the state of OUTPUT.md. */
const char *info_state_name(const Info *info);

/* Every entry below dir (all roots: NULL), members after their file, in the order of paths. info is
 * borrowed; return false to stop. */
typedef bool (*ReaderInfoFunc)(const Info *info, void *data);
bool reader_list(Reader *r, const char *dir, ReaderInfoFunc f, void *data, GError **error);
/* Documents and files whose conversion failed. */
bool reader_failed(Reader *r, ReaderInfoFunc f, void *data, GError **error);
/* All rows for one path (the file, then its members); *infos_r is a GPtrArray of Info, empty if
 * unknown. */
bool reader_info(Reader *r, const char *path, GPtrArray **infos_r, GError **error);
bool reader_info_by_id(Reader *r, int64_t document, Info **info_r, GError **error);

typedef struct {
	uint64_t files, directories, documents, pending, failed, offline, truncated;
	uint64_t index_bytes, text_bytes; /* files on disk with WAL; text that was extracted */
	uint64_t tombstones; /* rows of the text index that join nothing */
	char *rebuilt; /* why and when the index was made anew; or NULL */
} IndexStats;
void index_stats_clear(IndexStats *stats);
bool reader_stats(Reader *r, IndexStats *out, GError **error);
typedef struct {
	char *path;
	uint64_t files, directories;
} RootStats;
bool reader_roots(Reader *r, GArray **roots_r, GError **error); /* RootStats */
/* A file system that is, or was, mounted below a root. */
typedef struct {
	char *path; /* of its top, raw bytes */
	uint64_t files; /* entries that are no directories */
	bool offline; /* not mounted there now: its entries are kept, and hidden */
} VolumeStats;
bool reader_volumes(Reader *r, GArray **volumes_r, GError **error);
/* Without counting. GPtrArray of char *, yours. */
bool reader_root_paths(Reader *r, GPtrArray **paths_r, GError **error);

/* Text of a document from the text cache, or NULL without error if it is not there. */
Document *reader_cached_text(Reader *r, int64_t document, GError **error);

/* Verifies the index against itself; *problems_r gets char * lines. progress may be NULL. */
bool reader_check(Reader *r, GPtrArray **problems_r, GError **error);
