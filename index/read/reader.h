/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reader.h - read-only queries of the index, with or without a daemon */
#pragma once
#include "common/base/document.h"
#include "index/store/db.h"
#include "index/store/entry-types.h"
#include "index/text/fingerprint.h"

typedef struct Reader Reader;

/* Opens the index read-only (db_open_reader()). cache_dir: where its text cache is
 * (paths_cache_dir()), which is opened when a text is asked for; NULL: no text comes from a cache.
 * NULL with INDEX_ERROR: INDEX_ERROR_NONE_YET if there is no index. */
Reader *reader_open(const char *index_dir, const char *cache_dir, GError **error);
void reader_close(Reader *r); /* NULL is allowed */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Reader, reader_close)
/* Sets a function that is asked every millisecond or so while a query runs. If it returns true, the
 * query fails with INDEX_ERROR_STOPPED. NULL: none. */
typedef bool (*ReaderStopFunc)(void *data);
void reader_set_stop(Reader *r, ReaderStopFunc stop, void *data);
/* Sets functions that narrow what may be told, in searches and by visible.h: an entry for whose
 * path tells() returns false is treated like one that the user may not read, and so is a member for
 * whose path in its container tells_member() does. They must not use the reader. NULL: none. */
typedef bool (*ReaderTellsFunc)(const char *path, void *data);
typedef bool (*ReaderTellsMemberFunc)(const char *member);
void reader_set_tells(
        Reader *r, ReaderTellsFunc tells, ReaderTellsMemberFunc tells_member, void *data);
/* False also for what lies below a directory whose rows are being removed. */
bool reader_tells(Reader *r, const char *path);
/* Must members be asked about? If not, all are told. */
bool reader_asks_of_members(const Reader *r);
/* member: NULL is no member, and true. */
bool reader_tells_member(const Reader *r, const char *member);

/* Where an entry comes from. */
typedef enum { ENTRY_OF_DISK, ENTRY_OF_SITE, ENTRY_OF_FEED } EntrySource;
/* Returns "file", "web" or "feed": the values of "source:" and of OUTPUT.md. */
const char *entry_source_name(EntrySource source);

/* Everything that the index knows about one entry or member. Paths are raw bytes, other strings
 * UTF-8. */
typedef struct {
	int64_t node, inode, document; /* document 0: there is none (a directory, or a pending
	                                  file) */
	EntrySource source;
	char *path; /* of the file; of a page or item: its URL */
	char *member; /* NULL: it is not a member */
	EntryStat stat;
	InodeState inode_state;
	DocState state; /* of document or content */
	DocReason reason;
	char *detail, *extractor;
	uint32_t version, tries;
	bool offline; /* its root is not mounted; the reader leaves it false */
	bool stale; /* size or time differ from the file's; set by those who call access_check() */
	bool truncated, has_checksum, has_near;
	char *mime, *title, *author, *lang;
	int64_t member_size, member_mtime_ns;
	int64_t date; /* seconds since 1970; 0: none */
	int64_t pages, seconds; /* 0: unknown */
	uint8_t checksum[CHECKSUM_BYTES];
	NearPrint near; /* zero if there is none */
	/* of a file; set by reader_info(). Excluded ones are kept out by the rules. */
	unsigned members, members_failed, members_truncated, members_excluded;
} Info;
void info_free(Info *info);
void info_clear(Info *info); /* Frees its strings. */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Info, info_free)
/* Returns "ok", "stale", "offline", "failed", "pending" or "truncated": the field state of
 * OUTPUT.md. */
const char *info_state_name(const Info *info);

/* Calls f for every entry below dir (NULL: of all roots) in the order of paths, the members after
 * their file. f borrows info, and returns false to stop. dir may be the URL of a source, for all
 * its documents, or another URL, for those of all sources there and below. Sources themselves are
 * no entries. */
typedef bool (*ReaderInfoFunc)(const Info *info, void *data);
bool reader_list(Reader *r, const char *dir, ReaderInfoFunc f, void *data, GError **error);
/* Calls f for the documents and files whose conversion failed, or ended at a limit. */
bool reader_failed(Reader *r, ReaderInfoFunc f, void *data, GError **error);
/* Returns all rows of one path: the file, then its members. *infos_r is a GPtrArray of Info; it is
 * empty if the path is unknown. */
bool reader_info(Reader *r, const char *path, GPtrArray **infos_r, GError **error);
/* The same for the number of a node. */
bool reader_info_by_node(Reader *r, int64_t node, GPtrArray **infos_r, GError **error);
/* The same for all files that have the document. */
bool reader_info_by_id(Reader *r, int64_t document, GPtrArray **infos_r, GError **error);

typedef struct {
	uint64_t files, directories, documents, pending, failed, offline, truncated;
	uint64_t day_limited; /* files that are read on the next day; part of failed */
	uint64_t index_bytes, text_bytes; /* size of the index with its WAL on the disk; size of the
	                                     extracted text */
	uint64_t signs_left; /* contents of an older index whose text must be read for words with
	                        signs (index/text/word-signs.h) */
	uint64_t tombstones; /* rows of the text index whose document is deleted */
	char *rebuilt; /* why and when the index was last rebuilt; or NULL */
} IndexStats;
void index_stats_clear(IndexStats *stats);
/* Counts everything in the index. The caller clears *out. */
bool reader_stats(Reader *r, IndexStats *out, GError **error);
/* Counts the PDF files that have no text, as scans before OCR. */
bool reader_count_textless_pdf(Reader *r, uint64_t *out, GError **error);
typedef struct {
	char *path;
	uint64_t files, directories;
} RootStats;
/* Counts what is below each root. *roots_r: a GArray of RootStats, which the caller owns. */
bool reader_roots(Reader *r, GArray **roots_r, GError **error);
/* A file system that is, or was, mounted below a root. */
typedef struct {
	char *path; /* of its top directory, raw bytes */
	uint64_t files; /* number of entries that are not directories */
	bool offline; /* it is not mounted there now; its entries are kept but hidden */
} VolumeStats;
/* *volumes_r: a GArray of VolumeStats, which the caller owns. */
bool reader_volumes(Reader *r, GArray **volumes_r, GError **error);
/* Appends the numbers (int64_t, of the table filesystem) of those volumes that are not mounted
 * where they were, without counting their files. Call it between reader_begin() and reader_end().
 */
bool reader_offline_filesystems(Reader *r, GArray *filesystems, GError **error);
/* Returns the paths of all roots without counting. GPtrArray of char * that the caller owns. */
bool reader_root_paths(Reader *r, GPtrArray **paths_r, GError **error);

/* Returns the text of a document from the text cache, or NULL without error if it is not there. */
Document *reader_cached_text(Reader *r, int64_t document, GError **error);

/* Is the text of a document in the text cache? False also if the cache cannot be read. */
bool reader_has_cached_text(Reader *r, int64_t document);

/* The key for the checksums of files in this index. */
bool reader_checksum_key(Reader *r, ChecksumKey *key_r, GError **error);

/* Checks that the index is consistent. *problems_r: a GPtrArray of char *, a line for each problem,
 * which the caller owns. */
bool reader_check(Reader *r, GPtrArray **problems_r, GError **error);

/* ---- the file of word vectors that somebody brings (index/meaning/brought.h) */

/* Its state when the model was made. */
typedef struct {
	char *path; /* raw bytes; "": there was none */
	unsigned words; /* that have their direction by it; 0: it was not used */
	char *refusal; /* why not, a clause; "" otherwise */
} ReaderVectors;
void reader_vectors_clear(ReaderVectors *vectors);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(ReaderVectors, reader_vectors_clear)
/* The caller clears the result, also after an error. */
bool reader_word_vectors(Reader *r, ReaderVectors *out, GError **error);
/* Is it used? Call it between reader_begin() and reader_end(). */
bool reader_has_word_vectors(Reader *r, bool *has_r, GError **error);
