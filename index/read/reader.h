/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reader.h - questions to the index, read-only, with or without a daemon */
#pragma once
#include "common/base/document.h"
#include "index/query/query.h"
#include "index/write/writer.h"

typedef struct Reader Reader;

Reader *reader_open(const char *index_dir, const char *cache_dir, GError **error);
void reader_close(Reader *r);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Reader, reader_close)

typedef enum { SORT_RELEVANCE, SORT_DATE, SORT_SIZE, SORT_NAME, SORT_PATH, SORT_NEAREST } SortOrder;
typedef enum { DUPS_COLLAPSE, DUPS_SHOW, DUPS_ONLY } DupsMode;

typedef struct {
	unsigned limit, offset;
	SortOrder sort;
	bool reverse;
	DupsMode dups;
	unsigned copies; /* paths of copies of one hit, at most; 0: as many as of all hits together,
	                    10,000 */
	bool near_separate; /* only equal documents are shown as one, near copies each for itself */
	bool by_words; /* by relevance: first what meets more of the words */
	bool count; /* total must be exact; else it may count what a page did not have to ask for */
	uint32_t uid; /* asking user: unreadable hits are left out */
} SearchOptions;

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

typedef struct {
	Info info;
	double score;
	unsigned words_matched; /* with by_words: words and phrases of the query that it has */
	int distance; /* with SORT_NEAREST: bits of the simhash that differ; else -1 */
	double similarity; /* with it: Jaccard coefficient as the sketches say */
	GPtrArray *copies; /* char *: other paths (with "|member") of equal content, and of near
	                      copies that meet the query too and would come later; sorted;
	                      empty with DUPS_SHOW */
	bool copies_cut; /* there are more */
	bool stale; /* the file changed since it was indexed */
} Hit;
void hit_free(Hit *hit);

typedef struct {
	GPtrArray *hits; /* Hit */
	uint64_t total;
	bool total_exact; /* false: there are total at most */
	uint64_t partial; /* of total: what meets only some of the words; the last ones */
	uint64_t pending, failed, offline,
	        truncated; /* in the searched scope: what the answer may lack */
	double ms;
} SearchResult;
void search_result_free(SearchResult *result);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(SearchResult, search_result_free)

/* Existence, identity and permission (file and parents) of each hit are checked against the file
 * system before it is handed out. Breach of QUERY_MAX_MS is INDEX_ERROR_BUSY, never a cut result.
 * Fills the forms of the query's words. */
SearchResult *reader_search(Reader *r, Query *query, const SearchOptions *options, GError **error);
/* What SQLite and FTS5 are asked, for --explain. Yours. */
char *reader_plan(Reader *r, Query *query, const SearchOptions *options, GError **error);

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
