/* SPDX-License-Identifier: GPL-3.0-or-later */
/* writer.h - every change of the index
 *
 * One Writer, one thread. A transaction begins with the first change and ends with writer_commit();
 * readers see all of it or nothing. Functions return false with INDEX_ERROR_*. After any error but
 * INDEX_ERROR_BUSY of writer_begin_content() the whole transaction is rolled back, unfinished
 * contents are forgotten, and the caller does the work again (INDEX_ERROR_FULL: later). After
 * INDEX_ERROR_DAMAGED only writer_close() makes sense: the next writer_open() makes the index anew.
 * Names and paths are raw bytes. */
#pragma once
#include "common/base/document.h"
#include "index/store/db.h"
#include "index/text/fingerprint.h"

typedef struct Writer Writer;

Writer *writer_open(
        const char *index_dir, const char *cache_dir, GError **error); /* takes db_lock() too */
void writer_close(Writer *w); /* commits, marks the index clean */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Writer, writer_close)

/* Bytes of text kept for snippets (textcache.h); 256 MiB until it is called, 0: none. */
void writer_set_cache_budget(Writer *w, uint64_t bytes);

bool writer_commit(Writer *w, GError **error);
void writer_rollback(Writer *w);
/* A first index, or one that is mostly new: larger segments, so that less is merged and the index
 * gets smaller (some 40 MB more memory), and no syncing, so that less is written. Should the
 * machine go down meanwhile, the next writer_open() makes the index anew. Commits first. The end
 * syncs. */
bool writer_set_bulk(Writer *w, bool bulk, GError **error);
/* Rows changed since the last commit; 0: nothing to commit. */
unsigned writer_changes(const Writer *w);

/* ---- the tree */
typedef enum { ENTRY_FILE, ENTRY_DIR, ENTRY_LINK, ENTRY_OTHER } EntryKind;
typedef enum { INODE_DONE, INODE_PENDING, INODE_FAILED, INODE_ORPHAN } InodeState;

typedef struct {
	int64_t filesystem; /* from writer_filesystem() */
	uint64_t ino;
	int64_t birth_ns;
	EntryKind kind;
	int64_t size, mtime_ns, ctime_ns;
	uint32_t uid, gid, mode;
} EntryStat;

typedef struct {
	int64_t node, parent, inode;
	EntryStat stat; /* as stored */
	int64_t content; /* 0: none */
	InodeState state;
} Entry;

bool writer_filesystem(
        Writer *w, const char *identity, const char *type, int64_t *id_r, GError **error);

/* Finds (parent, name). 1 found, 0 not there, -1 error. A root is (0, absolute path). */
int writer_lookup(Writer *w, int64_t parent, const char *name, Entry *out, GError **error);
int writer_get(Writer *w, int64_t node, Entry *out, GError **error);
/* The same for one that must be there: that it is not is an error, the index is damaged. */
bool writer_must_get(Writer *w, int64_t node, Entry *out, GError **error);
/* Nodes that lead to the inode with this identity, at most max, oldest first; *nodes_r is a GArray
 * of int64_t, yours. */
bool writer_find_identity(
        Writer *w, const EntryStat *stat, unsigned max, GArray **nodes_r, GError **error);
/* Path of a node: root name and components joined. NULL with error. Yours. */
char *writer_path(Writer *w, int64_t node, GError **error);
/* Calls f for each child of a directory node, in the order of names; the callback may not write. */
typedef void (*WriterChildFunc)(const char *name, const Entry *entry, void *data);
bool writer_children(Writer *w, int64_t node, WriterChildFunc f, void *data, GError **error);

/* Makes (parent, name) say what stat says: inserts or updates node and inode. With needs_content a
 * regular file becomes INODE_PENDING when it is new, when its size, mtime or ctime changed, when it
 * was an orphan, or when it is done and has no content; what it had stays searchable until
 * writer_link(). Without needs_content a changed file loses its content. If another inode was
 * there, the node leads to the new one and what was below it goes. *out gets the row. */
bool writer_put(Writer *w, int64_t parent, const char *name, const EntryStat *stat,
        bool needs_content, Entry *out, GError **error);
/* Only facts of the inode (chmod, chown, ctime): no conversion. */
bool writer_update_stat(Writer *w, int64_t inode, const EntryStat *stat, GError **error);
/* Renames or moves a node; replaces what is at the new place. One row, whatever is below it. */
bool writer_move(Writer *w, int64_t node, int64_t parent, const char *name, GError **error);
/* Removes a node and all below it; inodes, contents and documents that nobody leads to any more go
 * too. */
bool writer_remove(Writer *w, int64_t node, GError **error);
/* INODE_FAILED counts a try; with REASON_UNREADABLE the content goes at once. */
bool writer_set_inode_state(Writer *w, int64_t inode, InodeState state, DocReason reason,
        const char *detail, GError **error);

/* Counts one more try to bring the inode's content in; *tries_r: with this one. Forgotten when it
 * succeeds or the file changes. */
bool writer_attempt(Writer *w, int64_t inode, unsigned *tries_r, GError **error);

/* ---- the backlog: files whose content is not in the index yet */
typedef struct {
	uint64_t files, directories; /* nodes */
	uint64_t pending; /* inodes; counted by an index of them alone */
} WriterCounts;
bool writer_counts(Writer *w, WriterCounts *out, GError **error);
/* Next pending inodes, newest mtime first, at most n, none of them in skip (set of int64_t *, may
 * be NULL). *entries_r is a GArray of Entry, yours. */
bool writer_pending(Writer *w, unsigned n, GHashTable *skip, GArray **entries_r, GError **error);
/* Notes that something that takes long was left out of a content; forgotten when the content goes
 * or has a successor. */
bool writer_add_deferred(Writer *w, int64_t content, GError **error);
bool writer_forget_deferred(Writer *w, int64_t content, GError **error);
/* The file changed last of those whose content was noted so, is not in skip (set of int64_t *) and
 * which are up to date otherwise. 1 found, 0 none, -1 error. */
int writer_next_deferred(Writer *w, GHashTable *skip, Entry *out, GError **error);
/* Contents converted by another version of this plugin: their files become pending again. They are
 * no longer found by writer_find_content(), but stay searchable until their successor ends.
 * *queued_r counts inodes. */
bool writer_requeue_outdated(
        Writer *w, const char *plugin, uint32_t version, unsigned *queued_r, GError **error);
/* Contents of this type that no plugin was there for, again: a plugin was installed. */
bool writer_requeue_unsupported(Writer *w, const char *mime, unsigned *queued_r, GError **error);
/* Failed files, and files with a failed member, again: all (inode 0), or one. */
bool writer_retry(Writer *w, int64_t inode, unsigned *queued_r, GError **error);
/* Files that could not be read for a reason that passes (REASON_IO, REASON_UNSTABLE), again. */
bool writer_retry_unread(Writer *w, unsigned *queued_r, GError **error);

/* ---- content */
typedef enum { CONTENT_UNKNOWN, CONTENT_KNOWN } ContentLookup;
/* 1: this checksum is indexed (or failed for good), *content_r; 0 no; -1 error. */
int writer_find_content(
        Writer *w, const uint8_t checksum[CHECKSUM_BYTES], int64_t *content_r, GError **error);
/* Leads inode to content and sets it INODE_DONE; what it led to before goes if nobody else leads
 * there. */
bool writer_link(Writer *w, int64_t inode, int64_t content, GError **error);
/* begin .. add .. end, then writer_link(): documents are hidden until end. abandon removes them.
 * Commits may fall in between. Several may be open at a time; INDEX_ERROR_BUSY if this checksum is
 * one of them: wait for it and link. A known content with the same checksum is replaced by the new
 * one at end. */
bool writer_begin_content(Writer *w, const uint8_t checksum[CHECKSUM_BYTES], int64_t size,
        int64_t *content_r, GError **error);
/* cache: the text was expensive to convert, keep it in the text cache. */
bool writer_add_document(
        Writer *w, int64_t content, const Document *doc, bool cache, GError **error);
typedef struct {
	const char *mime, *extractor, *detail; /* may be NULL */
	uint32_t version;
	DocState state;
	DocReason reason;
} ContentEnd;
bool writer_end_content(Writer *w, int64_t content, const ContentEnd *end, GError **error);
bool writer_abandon_content(Writer *w, int64_t content, GError **error);

/* ---- care, in slices of some 50 ms; each commits first, and returns true in *more_r while there
 * is work left */
bool writer_merge_step(Writer *w, bool *more_r, GError **error);
/* Dead rows of the text index, when they are more than 20 % of it (always: any), and contents that
 * no file leads to; then merge again. To leave no word of what was deleted on the disk: purge
 * always, merge, vacuum, checkpoint, each until there is no more. */
bool writer_purge_step(Writer *w, bool always, bool *more_r, GError **error);
bool writer_vacuum_step(
        Writer *w, bool *more_r, GError **error); /* gives free pages back to the file system */
/* Gives back memory that only speeds up the next change; nothing while a transaction is open. */
void writer_rest(Writer *w);
bool writer_checkpoint(
        Writer *w, GError **error); /* passive; truncates the WAL when it can without waiting */

/* The end of leaving no word of what was deleted, after purge, merge and vacuum: the logs are
 * emptied, damaged files that were moved aside are removed. *done_r false: a reader still holds a
 * log; again later. */
bool writer_scrub_end(Writer *w, bool *done_r, GError **error);

/* meta */
bool writer_get_meta_int(
        Writer *w, const char *key, int64_t preset, int64_t *value_r, GError **error);
bool writer_set_meta(Writer *w, const char *key, const char *value, GError **error);
