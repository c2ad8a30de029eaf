/* SPDX-License-Identifier: GPL-3.0-or-later */
/* writer-private.h - what the files of the writer share: writer.c, statements.c, write-*.c, purge.c
 */
#pragma once
#include "common/base/i18n.h"
#include "index/text/terms.h"
#include "index/store/textcache.h"
#include "index/write/checkpointer.h"
#include "index/write/writer.h"

typedef enum {
	FILESYSTEM_FIND,
	FILESYSTEM_ADD,
	FILESYSTEM_RENAME,
	NODE_LOOKUP,
	NODE_GET,
	NODE_NAME,
	NODE_CHILDREN,
	NODE_NEWEST_PARENTS,
	NODE_CHILD_BATCH,
	NODE_OF_IDENTITY,
	NODE_ADD,
	NODE_MOVE,
	NODE_SET_INODE,
	NODE_DELETE,
	DIGEST_GET,
	DIGEST_SET,
	DIGEST_DELETE,
	DIGEST_DELETE_OF_NODE,
	DIGEST_DELETE_OF_INODE,
	DIGEST_ANY,
	NAME_ADD,
	NAME_DELETE,
	GRAM_ADD,
	GRAM_DELETE,
	INODE_ADD,
	INODE_RENUMBER,
	INODE_FIND,
	INODE_GET,
	INODE_CONTENT,
	INODE_NODES,
	INODE_SET_STAT,
	INODE_SET_PENDING,
	INODE_SET_STATE,
	INODE_SET_CONTENT,
	INODE_RELEASE,
	INODE_ATTEMPT,
	INODE_TRIES,
	INODE_PENDING_COUNT,
	NODE_PENDING_COUNT,
	INODE_PENDING_LIST,
	INODE_PENDING_OTHERS,
	INODE_OF_CONTENT_PENDING,
	INODE_DEFERRED_LIST,
	INODE_OF_CONTENT_NEXT,
	INODE_RETRY,
	INODE_RETRY_REASON,
	INODE_LARGER_PENDING,
	INODE_MOVE_CONTENT,
	CONTENT_FIND,
	CONTENT_BY_CHECKSUM,
	CONTENT_SET_CHECKSUM,
	CONTENT_ADD,
	CONTENT_SET_UNFINISHED,
	CONTENT_END,
	CONTENT_RELEASE,
	CONTENT_DELETE,
	CONTENT_UNFINISHED,
	CONTENT_SUPERSEDED,
	CONTENT_ABANDONED,
	CONTENT_LAST,
	CONTENT_OUTDATED,
	CONTENT_OF_CONTAINERS,
	CONTENT_UNSUPPORTED,
	CONTENT_UNRECOGNIZED,
	CONTENT_FAILED,
	CONTENT_OF_REASON,
	CONTENT_OF_INODE,
	CONTENT_REQUEUE,
	CONTENT_REHASH_NEXT,
	CONTENT_REHASH_SHARED,
	DOCUMENT_ADD,
	DOCUMENT_SUMS,
	DOCUMENT_IDS,
	DOCUMENT_NEXT,
	DOCUMENT_TEXT,
	DOCUMENT_MEMBER,
	DOCUMENT_CONTENT,
	DOCUMENT_MEMBERS,
	DOCUMENT_HIDE,
	DOCUMENT_DELETE,
	FACT_ADD,
	FACT_DELETE,
	FINGERPRINT_ADD,
	FINGERPRINT_DELETE,
	MEANING_WORD_ADD,
	MEANING_WORD_LIST,
	MEANING_WORD_CLEAR,
	MEANING_BLOCK,
	MEANING_BLOCK_SET,
	MEANING_BLOCK_DELETE,
	MEANING_CLEAR,
	MEANING_OF_DOCUMENT,
	LINK_ADD,
	LINK_DELETE,
	ROOT_HOLDS,
	SOURCE_HOLDS,
	TEXT_ADD,
	TEXT_DELETE,
	TEXT_MERGE,
	TEXT_CONFIGURE,
	NAME_MERGE,
	NAME_CONFIGURE,
	GRAM_MERGE,
	GRAM_CONFIGURE,
	TEXT_LAST,
	NAME_LAST,
	NODE_WITHOUT_GRAMS,
	MEMBER_WITHOUT_GRAMS,
	TEXT_TOMBSTONES,
	TEXT_TOMBSTONES_BETWEEN,
	TEXT_TERMS,
	FREE_PAGES,
	ALL_PAGES,
	META_GET,
	META_SET,
	META_ADD,
	DEFERRED_ADD,
	DEFERRED_DELETE,
	SIGNS_NEXT,
	SIGNS_FORGET,
	SIGNS_DONE,
	SIGNS_LEAVE,
	SIGNS_LEFT_NEXT,
	SIGNS_LEFT_DELETE,
	WEB_SOURCE_ADD,
	WEB_SOURCE_FIND,
	WEB_SOURCE_LIST,
	WEB_SOURCE_COUNT,
	WEB_SOURCE_NAME,
	WEB_SOURCE_NAMED,
	WEB_SOURCE_NODE,
	WEB_SOURCE_ANSWERED,
	WEB_SOURCE_FAILED,
	WEB_SOURCE_FAILED_NO_MORE,
	WEB_SOURCE_PAGES,
	WEB_SOURCE_FORGET,
	WEB_PAGE_SET,
	WEB_PAGE_GET,
	WEB_PAGE_OF_IDENTITY,
	WEB_PAGE_RENAME,
	WEB_PAGE_DELETE,
	WEB_PAGE_LAST,
	WEB_PAGE_IN_FILE,
	WEB_PAGE_AFTER,
	WEB_PAGE_LIVE,
	WEB_HOST_ADD,
	WEB_HOST_FIND,
	WEB_HOST_LIST,
	WEB_HOST_SET,
	WEB_URL_ADD,
	WEB_URL_RAISE,
	WEB_URL_ENDED,
	WEB_URL_GET,
	WEB_URL_SET,
	WEB_URL_NEXT,
	WEB_URL_EACH_NEXT,
	WEB_URL_VISITS,
	WEB_BRANCH_GET,
	WEB_BRANCH_COUNT,
	WEB_BRANCH_POOR,
	WEB_ROBOTS_GET,
	WEB_ROBOTS_SET,
	WEB_ROBOTS_DROP,
	WEB_URL_HELD,
	WEB_URL_RELEASE,
	WEB_SCOPE_GET,
	WEB_SCOPE_SET,
	WEB_SOURCE_DROP,
	WEB_SCOPE_DROP,
	WEB_URL_DROP,
	WEB_URL_FORGET,
	WEB_ITEM_FORGET,
	WEB_BRANCH_DROP,
	WEB_HOST_DROP,
	WEB_RULE_LIST,
	WEB_RULE_ADD,
	WEB_RULE_SET,
	WEB_RULE_SAVED,
	WEB_RULE_DROP,
	WEB_LESSON_GET,
	WEB_LESSON_SET,
	WEB_LESSON_DROP,
	CHANGE_ADD,
	CHANGE_LAST,
	CHANGE_TRIM,
	CHANGE_CLEAR,
	CONSUMER_GET,
	CONSUMER_SET,
	CONSUMER_COUNT,
	CONSUMER_LEAST,
	CONSUMER_LAPSE,
	CONSUMER_DROP,
	WEB_URL_AFTER,
	WEB_PRINT_AFTER,
	WEB_PRINT_OF_INODE,
	N_STATEMENTS
} Statement;

/* Sums that 'status' reads from meta instead of counting. */
typedef enum {
	TOTAL_FILES, /* nodes that are not directories */
	TOTAL_DIRECTORIES,
	TOTAL_DOCUMENTS,
	TOTAL_TEXT_ROWS, /* rows of the text index, with tombstones */
	TOTAL_LIVE_ROWS, /* rows of the text index that belong to a document */
	TOTAL_TEXT_BYTES,
	TOTAL_TRUNCATED,
	TOTAL_PENDING, /* nodes whose inode is pending */
	N_TOTALS
} Total;

/* The rows that have names: nodes, and documents that are members. */
typedef enum { NAMED_NODES, NAMED_DOCUMENTS, N_NAMED } Named;

/* FTS5 tables that are merged. */
enum { MERGED_TEXT, MERGED_NAMES, MERGED_GRAMS, N_MERGED };

/* The data that was written into one of them and is not merged yet. */
typedef struct {
	size_t bytes; /* of streams of terms, or of names */
	unsigned commits;
	bool written; /* in this transaction */
	bool due; /* there may be enough segments to be merged */
} Recent;

typedef struct Purge Purge;
typedef struct PurgeSweep PurgeSweep;
typedef struct LargeDocument LargeDocument;
typedef struct WriterMeaning WriterMeaning;

typedef struct ChangeLog ChangeLog;

struct Writer {
	sqlite3 *db;
	int lock_fd;
	char *index_dir;
	TextCache *cache; /* NULL: there is none */
	sqlite3_stmt *statements[N_STATEMENTS];
	bool in_transaction, damaged, bulk, checked, vacuuming;
	bool reading; /* between writer_read_begin() and writer_read_end(), and nothing was changed
	               */
	bool has_digests; /* false: there is none to be forgotten */
	bool recount; /* TOTAL_PENDING is counted anew before the commit */
	int log_pages, log_most; /* pages in the log after the last commit; from log_most on it is
	                            checkpointed */
	Checkpointer *checkpointer;
	int64_t quota_check_us; /* when quota_has_room is looked at again */
	bool quota_has_room;
	GError *lost; /* why the last transaction was rolled back, until the caller calls
	                 writer_rollback(); NULL: none was lost */
	unsigned changes;
	uint64_t version;
	int64_t path_node; /* of path, as long as the version is path_version; 0: there is none */
	char *path; /* of the directory whose entry writer_path() was asked about last */
	uint64_t path_version;
	int64_t totals[N_TOTALS]; /* changes of this transaction */
	GArray *names; /* of NameChange: pending changes of the tables name and gram */
	bool grams_known; /* gram_last was read */
	int64_t gram_last[N_NAMED]; /* rows up to these have grams */
	ChecksumKey file_key, text_key; /* for checksums of files and of texts */
	Terms terms; /* of the document being added; their memory is reused */
	WordCount *count; /* writer_count_words() */
	GArray *open_contents; /* of OpenContent: begun and not ended */
	bool merge_began[N_MERGED];
	Recent recent[N_MERGED];
	bool purging; /* from the first step that finds work to the one that finds none */
	int64_t abandoned_to; /* contents up to this id were looked at: has each a file? */
	PurgeSweep *sweep; /* the purge that is running; NULL: none */
	Purge *purge; /* the same where the format of the text index is unknown */
	bool sweep_refused; /* its format is unknown */
	char *vectors_path; /* of word vectors that somebody brings; NULL or "": none */
	int (*open_vectors)(const char *path);
	WriterMeaning *meaning; /* the model in use, and the training; NULL: not used yet */
	ChangeLog *log; /* NULL: nobody follows the changes */
};

typedef struct {
	int64_t row; /* a node, or a member's document as a negative number */
	char *name;
	bool gone;
} NameChange;

typedef struct {
	int64_t content;
	int64_t supersedes; /* the content with this checksum that it replaces; 0: none */
	uint8_t checksum[CHECKSUM_BYTES];
	bool hidden; /* a commit came before its end: its documents are hidden until it ends */
	LargeDocument *large; /* that is being added in pieces; NULL: there is none */
	uint64_t bytes; /* of the documents so far: text and facts */
	Fingerprint print; /* of the last document */
	TermBudget *budget; /* NULL: so much text does not need one */
} OpenContent;

/* ---- statements.c */

typedef struct {
	enum { VALUE_NULL, VALUE_INT, VALUE_TEXT, VALUE_BLOB } kind;
	int length;
	int64_t number;
	const void *bytes; /* must be valid until the statement has run */
} Value;

#define INT(value) ((Value){VALUE_INT, 0, (value), NULL})
#define TEXT(string)                                                                               \
	((Value){VALUE_TEXT, -1, 0, (string)}) /* a NULL string becomes an SQL NULL                \
	                                        */
#define TEXT_N(start, n) ((Value){VALUE_TEXT, (n), 0, (start)})
#define BLOB(start, n) ((Value){VALUE_BLOB, (n), 0, (start)})
#define VALUES(...) (const Value[]){__VA_ARGS__}, G_N_ELEMENTS(((const Value[]){__VA_ARGS__}))

/* Returns the statement, prepared at its first use, with its values bound; NULL on error. Step it,
 * then reset it. */
sqlite3_stmt *statement_bind(
        Writer *w, Statement id, const Value *values, size_t n, GError **error);
/* Runs it to the end and ignores rows. */
bool statement_run(Writer *w, Statement id, const Value *values, size_t n, GError **error);
/* Reads one row. 1: found (the caller resets the statement), 0: none, -1: error. */
int statement_row(Writer *w, Statement id, const Value *values, size_t n, sqlite3_stmt **row_r,
        GError **error);
/* Reads the first column of the first row, or absent if there is none. */
bool statement_int(Writer *w, Statement id, const Value *values, size_t n, int64_t absent,
        int64_t *value_r, GError **error);
/* Reads all first columns into a GArray of int64_t, which the caller owns. NULL on error. */
GArray *statement_ints(Writer *w, Statement id, const Value *values, size_t n, GError **error);
void statements_reset(Writer *w);
void statements_finalize(Writer *w);

/* ---- writer.c */

/* Begins a transaction if there is none, and counts a change. */
bool writer_change(Writer *w, GError **error);
/* Reports the connection's error and rolls the transaction back. Returns false. */
bool writer_fail(Writer *w, GError **error);
/* Reports a caller's mistake or an inconsistent index and rolls the transaction back. Returns
 * false. */
bool writer_fail_with(Writer *w, IndexError code, const char *message, GError **error);
/* Reports that a row which must exist is missing: the index is damaged. Returns false. */
bool writer_fail_missing(Writer *w, GError **error);
/* Checkpoints the log, and truncates it if nobody reads it, without waiting. Returns SQLite's code.
 * The caller has reset its statements. */
int writer_empty_log(Writer *w);
/* The current sum, including this transaction. */
bool writer_total(Writer *w, Total total, int64_t *value_r, GError **error);

/* ---- write-tree.c */

void entry_from_row(sqlite3_stmt *row, Entry *out);
/* The name in that column; "" if a damaged index has none. The caller owns it. */
char *row_name(sqlite3_stmt *row, int column);

/* ---- write-web.c */

/* A moment, wait, count or limit: what no clock and no limit can be is cut, so that sums fit. */
int64_t row_web_amount(sqlite3_stmt *row, int column);

/* ---- write-names.c */

/* Gives the row (NameChange) that name, or removes it. */
bool names_add(Writer *w, int64_t row, const char *name, GError **error);
bool names_remove(Writer *w, int64_t row, const char *name, GError **error);
/* Makes the pending changes; called before a commit. */
bool names_flush(Writer *w, GError **error);
/* Writes the grams of all rows that have none yet, if there are more than most of them. No changes
 * are pending. */
bool names_catch_up(Writer *w, int64_t most, GError **error);
/* Drops the pending changes; called after a rollback. */
void names_forget(Writer *w);

/* ---- write-inode.c */

/* Creates or updates the inode that stat identifies. */
bool inode_put(Writer *w, const EntryStat *stat, bool needs_content, Entry *out, GError **error);
/* Updates a known inode (out->stat holds the stored data) to what stat says. */
bool inode_update(Writer *w, const EntryStat *stat, bool needs_content, Entry *out, GError **error);
/* Counts that the inode came into a state from another one. */
bool inode_note_state(Writer *w, int64_t inode, InodeState from, InodeState to, GError **error);
/* Ends the inodes that are pending but no files: an earlier version queued directories that could
 * not be read. */
bool inode_end_others(Writer *w, GError **error);
/* Writes TOTAL_PENDING as it is, for changes of many inodes that inode_note_state() was not told.
 */
bool inode_recount_pending(Writer *w, GError **error);
/* A name of it was removed. Removes the inode if no node refers to it, and its content if no inode
 * refers to that. */
bool inode_release(Writer *w, int64_t inode, GError **error);

/* ---- write-digest.c */

bool digests_open(Writer *w, GError **error);
/* A row of an entry of the directory changes: what its digest says is no longer true. */
bool digest_forget(Writer *w, int64_t directory, GError **error);
/* The same for the directory that has the node. */
bool digest_forget_node(Writer *w, int64_t node, GError **error);
/* The same for all directories that have a name of the inode. */
bool digest_forget_inode(Writer *w, int64_t inode, GError **error);

/* ---- write-content.c */

typedef struct {
	int64_t content;
	bool unfinished; /* it is being written */
	bool outdated; /* it must be converted again */
	unsigned tries; /* conversions of it so far */
} KnownContent;

/* Finds the content that has this checksum, in whatever state. 1: found; 0: none; -1: error. */
int content_find_known(
        Writer *w, const uint8_t checksum[CHECKSUM_BYTES], KnownContent *out, GError **error);
/* Gives the content a mark (index/store/db-key.h), so that nobody finds it by its checksum. */
bool content_set_mark(Writer *w, int64_t content, const char *prefix, GError **error);
bool content_release(Writer *w, int64_t content, GError **error);
/* Removes contents that are not finished and that nobody writes any more. The files of a content
 * that one was to supersede are queued again at the next start. */
bool content_remove_lost(Writer *w, GError **error);
/* The same at the start; files of superseded contents are queued again. */
bool content_remove_unfinished(Writer *w, GError **error);
void content_clear_open(gpointer open); /* frees what an OpenContent owns */
/* Hides the documents of unfinished contents; called before a commit. */
bool content_hide_open(Writer *w, GError **error);
/* Returns the content that was started and not ended; NULL with error: there is none. */
OpenContent *content_get_open(Writer *w, int64_t content, GError **error);
/* Bytes of text and facts. */
size_t content_document_bytes(const Document *doc);
/* Returns what is left of the words of the content for this document, which is counted; NULL: they
 * are not limited yet. It lives as long as the content is open. */
TermBudget *content_budget(OpenContent *open, const Document *doc);
/* Adds all rows of a document but its text and cached text. terms: for what they left out. */
bool content_add_rows(Writer *w, int64_t content, const Document *doc, const Terms *terms,
        const Fingerprint *print, int64_t *id_r, GError **error);
/* statement: TEXT_ADD or TEXT_DELETE. */
bool content_write_text(
        Writer *w, Statement statement, int64_t id, const Terms *terms, GError **error);
/* Puts the text into the cache, or makes sure that there is none. */
void content_keep_text(Writer *w, int64_t id, const Document *doc, bool cache);

/* ---- write-changes.c: all do nothing while nobody follows the changes */

/* Keeps the log if somebody follows it. */
bool changes_open(Writer *w, GError **error);
void changes_close(Writer *w);
/* Are changes noted, so that it is worth looking up what they are? */
bool changes_are_noted(const Writer *w);
/* The documents of the content, or the files that have it, changed; 0: none. */
void changes_note_content(Writer *w, int64_t content);
/* The state or the names of the inode changed. */
void changes_note_inode(Writer *w, int64_t inode);
/* The stat data of the inode changed. */
void changes_note_stat(Writer *w, int64_t inode, const EntryStat *old, const EntryStat *now);
/* An entry has another path. */
void changes_note_move(Writer *w, const Entry *moved);
/* Writes what was noted, before a commit. */
bool changes_flush(Writer *w, GError **error);
/* Drops what was noted; called after a rollback. */
void changes_forget(Writer *w);

/* ---- write-segments.c */

/* Sets how much FTS5 collects and merges by itself, and commits. */
bool segments_configure(Writer *w, bool bulk, GError **error);
/* So many bytes of streams of terms, or of names, were added to the table, or deleted from it. */
void segments_note_bytes(Writer *w, int table, size_t bytes);
/* The transaction is committed. */
void segments_note_commit(Writer *w);
/* It was rolled back. */
void segments_forget(Writer *w);

/* ---- write-large.c */

void large_free(LargeDocument *large); /* NULL is allowed */

/* ---- write-maintenance.c */

/* The next writer_merge_step() merges all names, and with texts all texts too. */
bool maintenance_make_merge_due(Writer *w, bool texts, GError **error);

/* ---- write-vectors.c */
/* Returns the file of word vectors as it is now, with its size and time; "": none. The caller frees
 * it. */
char *vectors_identity(const Writer *w);
/* Opens it. -1 without refusal: there is none; with: a clause that says why it cannot be used. The
 * caller frees and closes them. */
int vectors_open(const Writer *w, char **refusal_r);
/* Is it another than the one that vectors_note() was called for? */
bool vectors_changed(Writer *w, bool *changed_r, GError **error);
/* Writes what became of it. refusal: NULL, unless it was not used. */
bool vectors_note(
        Writer *w, const char *identity, unsigned words, const char *refusal, GError **error);

/* ---- write-meaning.c */

/* Adds the vector of a document with these terms, if there is a model. */
bool meaning_add(Writer *w, int64_t id, const Terms *terms, GError **error);
/* Removes it. */
bool meaning_remove(Writer *w, int64_t id, GError **error);
/* The memory of the model is freed; it is read again when it is needed. */
void meaning_rest(Writer *w);
/* A transaction was rolled back. */
void meaning_forget(Writer *w);
void meaning_free(WriterMeaning *meaning); /* NULL is allowed */

/* ---- purge.c */

void purge_free(Purge *purge);

/* ---- purge-sweep.c */

typedef enum {
	PURGE_SWEEP_MORE,
	PURGE_SWEEP_DONE,
	PURGE_SWEEP_OTHER_FORMAT, /* of the text index: purge by deleting terms instead */
	PURGE_SWEEP_ERROR,
} PurgeSweepState;
PurgeSweep *purge_sweep_new(Writer *w, GError **error);
void purge_sweep_free(PurgeSweep *sweep); /* NULL is allowed */
PurgeSweepState purge_sweep_step(Writer *w, PurgeSweep *sweep, GError **error);

/* ---- write-maintenance.c again */

/* Makes the connection forget what it knows of its tables: FTS5 then reads all of its own anew. Not
 * inside a transaction. */
void writer_forget_tables(Writer *w);
