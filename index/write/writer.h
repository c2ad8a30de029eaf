/* SPDX-License-Identifier: GPL-3.0-or-later */
/* writer.h - every change of the index
 *
 * There is one Writer, used by one thread. A transaction begins with the first change and ends with
 * writer_commit(); readers see all of it or nothing. Functions return false with INDEX_ERROR_*.
 * After any error, except INDEX_ERROR_BUSY of writer_begin_content(), the whole transaction is
 * rolled back, unfinished contents are forgotten, and the caller repeats the work
 * (INDEX_ERROR_FULL: later). Until writer_rollback() is called, every change and commit fails with
 * the same error, so that a caller which ignored it cannot commit the rest of a lost transaction.
 * After INDEX_ERROR_DAMAGED only writer_close() makes sense: the next writer_open() creates the
 * index anew. Names and paths are raw bytes. */
#pragma once
#include "common/base/document.h"
#include "index/store/db.h"
#include "index/store/entry-types.h"
#include "index/text/fingerprint.h"
#include "index/text/word-count.h"

typedef struct Writer Writer;

Writer *writer_open(
        const char *index_dir, const char *cache_dir, GError **error); /* takes db_lock() too */
void writer_close(Writer *w); /* commits and marks the index as clean */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Writer, writer_close)

/* The random name that the index has for good. The caller frees it; NULL with error. */
char *writer_identity(Writer *w, GError **error);
/* The key for the checksums of files; it lives as long as the writer. */
const ChecksumKey *writer_checksum_key(const Writer *w);

/* Bytes of text kept for snippets (textcache.h); 0: none. Without this call: 256 MiB. */
void writer_set_cache_budget(Writer *w, uint64_t bytes);

/* Ends the transaction, so that readers see its changes; does nothing if there are none. */
bool writer_commit(Writer *w, GError **error);
/* Drops the transaction, and ends the state after an error: changes are possible again. */
void writer_rollback(Writer *w);
/* False with the error if a transaction was lost, whoever saw it, and writer_rollback() was not
 * called since. */
bool writer_check(const Writer *w, GError **error);
/* Switches to bulk loading, for an index that is new or mostly new: larger segments, so that less
 * is merged and the index becomes smaller (for about 40 MB more memory), and no syncing, so that
 * less is written. After a power cut during a bulk load the next writer_open() creates the index
 * anew. The switch commits first; switching back syncs. */
bool writer_set_bulk(Writer *w, bool bulk, GError **error);
/* Also true after a switch in either direction failed: switch back again. */
bool writer_is_bulk(const Writer *w);
/* Rows changed since the last commit; 0: there is nothing to commit. */
unsigned writer_changes(const Writer *w);
/* Grows with every change and with every transaction that is lost: rows that were read at one
 * version are true as long as it stays. */
uint64_t writer_version(const Writer *w);

/* Between the two calls all reads share one lock, instead of taking and releasing it each. A change
 * ends that early. Do not commit or sleep before writer_read_end(); after an error it does nothing.
 */
bool writer_read_begin(Writer *w, GError **error);
void writer_read_end(Writer *w);

/* ---- the tree */
typedef struct {
	int64_t node, parent, inode;
	EntryStat stat; /* as stored */
	int64_t content; /* 0: none */
	InodeState state;
} Entry;

/* The row of a file system, which is added if its identity is new. identity, type: as in
 * daemon/fs/filesystem.h. *id_r: its number, EntryStat.filesystem. */
bool writer_filesystem(
        Writer *w, const char *identity, const char *type, int64_t *id_r, GError **error);
/* The same, but *id_r is 0 if there is none. */
bool writer_find_filesystem(Writer *w, const char *identity, int64_t *id_r, GError **error);

/* Its row gets another identity, which no row has: what was on it is on another file system now. */
bool writer_rename_filesystem(Writer *w, int64_t id, const char *identity, GError **error);
/* Gives the inode of the entry the identity of stat, as when it was copied with its name to another
 * disk; all else stays as it is. 1: done, 0: another inode has that identity, -1: error. */
int writer_renumber(Writer *w, Entry *entry, const EntryStat *stat, GError **error);

/* Finds (parent, name). 1: found, 0: not there, -1: error. A root is (0, absolute path). */
int writer_lookup(Writer *w, int64_t parent, const char *name, Entry *out, GError **error);
/* The same by the number of the node. */
int writer_get(Writer *w, int64_t node, Entry *out, GError **error);
/* The same for a node that must exist: if it does not, the index is damaged. */
bool writer_must_get(Writer *w, int64_t node, Entry *out, GError **error);
/* Finds nodes of the inode with this identity, at most max, oldest first. *nodes_r: a GArray of
 * int64_t that the caller owns. */
bool writer_find_identity(
        Writer *w, const EntryStat *stat, unsigned max, GArray **nodes_r, GError **error);
/* Path of a node: the root's path and the components, joined. NULL with error. The caller owns it.
 */
char *writer_path(Writer *w, int64_t node, GError **error);
/* The directories of the n files with a content that were modified last and not in the future, the
 * newest first; a directory is named for each of its files. *nodes_r: a GArray of int64_t that the
 * caller owns. */
bool writer_newest_parents(Writer *w, unsigned n, GArray **nodes_r, GError **error);
/* Calls f for each child of a directory node, in the order of names. f must not write. */
typedef void (*WriterChildFunc)(const char *name, const Entry *entry, void *data);
bool writer_children(Writer *w, int64_t node, WriterChildFunc f, void *data, GError **error);
/* The same for the first max children; -1: all. */
bool writer_some_children(
        Writer *w, int64_t node, int max, WriterChildFunc f, void *data, GError **error);

/* The digest of a directory's entries (daemon/crawl/digest.h). The writer forgets it when the row
 * of an entry is added, removed or moved, gets other facts, or becomes an orphan. 1: *digest_r; 0:
 * there is none; -1: error. While files are pending none is told, as visits have to find these. */
int writer_digest(Writer *w, int64_t directory, uint64_t *digest_r, GError **error);
bool writer_set_digest(Writer *w, int64_t directory, uint64_t digest, GError **error);

/* Makes (parent, name) say what stat says: inserts or updates node and inode. With needs_content a
 * regular file becomes INODE_PENDING when it is new, when its size, mtime or ctime changed, when it
 * was an orphan, or when it is done without a content; its old text stays searchable until
 * writer_link(). Without needs_content a changed file loses its content. If the name stood for
 * another inode, the node refers to the new one, and everything below it is removed. *out receives
 * the row. */
bool writer_put(Writer *w, int64_t parent, const char *name, const EntryStat *stat,
        bool needs_content, Entry *out, GError **error);
/* Updates stat data that need no conversion (chmod, chown, ctime). */
bool writer_update_stat(Writer *w, int64_t inode, const EntryStat *stat, GError **error);
/* Renames or moves a node and replaces what is at the new place. One row changes, whatever is below
 * it. */
bool writer_move(Writer *w, int64_t node, int64_t parent, const char *name, GError **error);
/* Removes a node and everything below it, with inodes, contents and documents that nothing refers
 * to any more. */
bool writer_remove(Writer *w, int64_t node, GError **error);
/* Removes entries below a node, as many as the budget says, which each of them lowers by one. If it
 * is not used up, none is left. */
bool writer_remove_below(Writer *w, int64_t node, unsigned *budget, GError **error);
/* INODE_FAILED counts as a try; with REASON_UNREADABLE the content is removed at once. */
bool writer_set_inode_state(Writer *w, int64_t inode, InodeState state, DocReason reason,
        const char *detail, GError **error);

/* Counts one more try to index the inode's content. *tries_r: the number, with this one. It is
 * reset when a try succeeds or the file changes. */
bool writer_attempt(Writer *w, int64_t inode, unsigned *tries_r, GError **error);

/* ---- the backlog: files whose content is not in the index yet */
typedef struct {
	uint64_t files, directories; /* number of nodes */
	uint64_t pending; /* number of inodes; counted with an index that has only these */
} WriterCounts;
bool writer_counts(Writer *w, WriterCounts *out, GError **error);
/* A place in the order of pending inodes: newest mtime first. */
typedef struct {
	int64_t mtime_ns, inode;
} PendingPlace;
#define PENDING_NEWEST ((PendingPlace){INT64_MAX, INT64_MAX})
/* Returns the pending inodes after a place, at most n, none of them in skip (a set of int64_t *,
 * may be NULL). *entries_r: a GArray of Entry that the caller owns. */
bool writer_pending(Writer *w, const PendingPlace *after, unsigned n, GHashTable *skip,
        GArray **entries_r, GError **error);
/* Notes that slow work was deferred when a content was converted. The note goes when the content is
 * removed or superseded. */
bool writer_add_deferred(Writer *w, int64_t content, GError **error);
bool writer_forget_deferred(Writer *w, int64_t content, GError **error);
/* Finds, among the up-to-date files with such a note that are not in skip (a set of int64_t *), the
 * one that changed last. 1: found, 0: none, -1: error. */
int writer_next_deferred(Writer *w, GHashTable *skip, Entry *out, GError **error);
/* Makes files pending whose content was converted by another version of this plugin.
 * writer_find_content() no longer finds these contents, but they stay searchable until their
 * successors end. *queued_r: number of inodes. */
bool writer_requeue_outdated(
        Writer *w, const char *plugin, uint32_t version, unsigned *queued_r, GError **error);
/* Makes files of this type pending for which no plugin was available: one was installed. */
bool writer_requeue_unsupported(Writer *w, const char *mime, unsigned *queued_r, GError **error);
/* Makes files of unknown type of at most so many bytes pending if the types were recognized by
 * another version of the sniffer. */
bool writer_requeue_unknown(
        Writer *w, uint32_t version, int64_t bytes, unsigned *queued_r, GError **error);
/* Makes files pending that failed or were read in part for this reason, they or a member. */
bool writer_requeue_reason(Writer *w, DocReason reason, unsigned *queued_r, GError **error);
/* Is the member of a container kept out of the index? */
typedef bool (*WriterMemberFunc)(const char *member, void *data);
/* Makes the containers pending that have a member in the index which is kept out. */
bool writer_requeue_members(
        Writer *w, WriterMemberFunc kept_out, void *data, unsigned *queued_r, GError **error);
/* Makes all files pending whose plugin has found members in some file. */
bool writer_requeue_containers(Writer *w, unsigned *queued_r, GError **error);
/* Makes files with a content pending that are larger. */
bool writer_requeue_larger(Writer *w, int64_t bytes, unsigned *queued_r, GError **error);
/* Makes files pending that failed or were read in part, they or a member: all (inode 0), or one. */
bool writer_retry(Writer *w, int64_t inode, unsigned *queued_r, GError **error);
/* Makes files pending that could not be read for a temporary reason (REASON_IO, REASON_UNSTABLE,
 * REASON_LIMIT_DAY). */
bool writer_retry_unread(Writer *w, unsigned *queued_r, GError **error);

/* ---- content */
/* Finds the content with this checksum. 1: it is indexed, or failed permanently, *content_r; 0:
 * unknown; -1: error. */
int writer_find_content(
        Writer *w, const uint8_t checksum[CHECKSUM_BYTES], int64_t *content_r, GError **error);
/* Makes inode refer to content and sets it to INODE_DONE. Its former content is removed if nothing
 * else refers to it. */
bool writer_link(Writer *w, int64_t inode, int64_t content, GError **error);
/* A content is written by begin, any number of add, end, and then writer_link(). Its documents are
 * hidden until end; abandon removes them. Commits may come in between. Several contents may be open
 * at a time. INDEX_ERROR_BUSY: this checksum is one of them; wait for it and link. A known content
 * with the same checksum is replaced at end. */
bool writer_begin_content(Writer *w, const uint8_t checksum[CHECKSUM_BYTES], int64_t size,
        int64_t *content_r, GError **error);
/* cache: the text was expensive to convert, so keep it in the text cache. */
bool writer_add_document(
        Writer *w, int64_t content, const Document *doc, bool cache, GError **error);
/* A piece of a large document counts as so much text, which is more than it has. */
enum { WRITER_PIECE_BYTES = 1 << 20 };
/* The same, but of a large document only a piece is added, which takes some 20 ms: call it again
 * until *done_r. In between the caller commits and may add documents to other contents. doc must
 * live until *done_r, or until the content is abandoned. In bulk mode all is added at once. */
bool writer_add_piece(
        Writer *w, int64_t content, const Document *doc, bool cache, bool *done_r, GError **error);
/* The fingerprint of the document that was last added to a content which is not ended. */
const Fingerprint *writer_last_print(Writer *w, int64_t content);
/* Counts the words of documents, and of pieces of them, that are added from now on. count: borrowed
 * until the next call; NULL: they are not counted. */
void writer_count_words(Writer *w, WordCount *count);
typedef struct {
	const char *mime, *extractor, *detail; /* may be NULL */
	uint32_t version;
	DocState state;
	DocReason reason;
} ContentEnd;
bool writer_end_content(Writer *w, int64_t content, const ContentEnd *end, GError **error);
bool writer_abandon_content(Writer *w, int64_t content, GError **error);

/* ---- contents whose checksum is unknown, after an upgrade or writer_rehash_shared(): the caller
 * reads all files of a content that are done, and says whether their checksums are equal */
/* Finds such a content. after: the one that was found before; 0: none. The order is fixed, so that
 * each is found once. 1: found; 0: none is left; -1: error. */
int writer_next_rehash(Writer *w, int64_t after, int64_t *content_r, GError **error);
/* Finds the next file of the content that is done. after: inode of the one before; 0: none. 1:
 * found; 0: none is left; -1: error. */
int writer_next_of_content(Writer *w, int64_t content, int64_t after, Entry *out, GError **error);
/* All files of the content have this checksum. If another content has it, that one takes over the
 * files; while that one is being written, nothing changes. *pending_r: the other one must be
 * converted again, so the files became pending. */
bool writer_set_checksum(Writer *w, int64_t content, const uint8_t checksum[CHECKSUM_BYTES],
        bool *pending_r, GError **error);
/* The files of the content differ: all become pending. Nobody finds the content by a checksum
 * again, and it goes when the last of them has a content of its own. */
bool writer_separate(Writer *w, int64_t content, GError **error);
/* Makes the checksums of all contents unknown that several files share. *n_r: their number. */
bool writer_rehash_shared(Writer *w, unsigned *n_r, GError **error);

/* ---- texts of an older index, which lack words with signs (index/text/word-signs.h): the caller
 * takes one content after the other, and adds these words from the cache or converts a file of it
 * once more. To add them twice does no harm. */
/* Finds the next content. left: the one of those that were left which the caller had last; 0: none
 * yet. 1: found; 0: none but those up to left; -1: error. */
int writer_next_signs(Writer *w, int64_t left, int64_t *content_r, GError **error);
typedef enum {
	SIGNS_ALL, /* the content can end */
	SIGNS_CUT, /* enough for now: call it again */
	SIGNS_UNCACHED, /* the text of a document is not in the cache */
} CachedSigns;
/* Adds the words of the next documents whose text is in the cache. *after: the last one that is
 * done; 0: none yet. */
bool writer_add_cached_signs(
        Writer *w, int64_t content, int64_t *after, CachedSigns *state_r, GError **error);
/* Adds the words of the next document of the content, in the order of the conversion. *after: the
 * one before it; 0: none. *fit_r false: the index has another text, and nothing was added. */
bool writer_add_signs(Writer *w, int64_t content, int64_t *after, const Document *doc, bool *fit_r,
        GError **error);
/* Notes that the content is done, as are those before it that were not left. again: its files could
 * not be converted to the same text, so they become pending. */
bool writer_end_signs(Writer *w, int64_t content, bool again, GError **error);
/* Leaves the content for later, since its files are away now. */
bool writer_leave_signs(Writer *w, int64_t content, GError **error);
/* Counts the documents of the content. */
bool writer_count_documents(Writer *w, int64_t content, unsigned *n_r, GError **error);

/* Are there segments of recent commits to be merged, so that searches and later commits stay
 * quick? */
bool writer_merge_is_due(const Writer *w);
/* Commits, and merges them for some 5 ms of CPU time, in a transaction of its own. */
bool writer_merge_recent(Writer *w, GError **error);

/* ---- maintenance, in slices of about 50 ms; each commits first; *more_r: there is work left */
bool writer_merge_step(Writer *w, bool *more_r, GError **error);
/* Learns a model of latent semantics (index/meaning) and the vectors of all documents, if there are
 * MEANING_LEAST_DOCUMENTS and none was learned yet, or if they have grown by a fifth since. always:
 * also if a word of the model may be of deleted documents only, even if they were deleted during a
 * training. If there are fewer documents, the model is removed. Training stops at any time without
 * harm: it begins anew. */
bool writer_meaning_step(Writer *w, bool always, bool *more_r, GError **error);
/* The file of word vectors that the next trainings take the directions of words from
 * (index/meaning/brought.h); NULL or "": none. When it is another than the model was made with, by
 * path, size or time, a training is due. If it cannot be used, the model is learned from the index,
 * and reader_word_vectors() says why. open_file returns a file descriptor, or -1 with errno; it
 * must live as long as the writer. */
void writer_set_word_vectors(Writer *w, const char *path, int (*open_file)(const char *path));
/* Purges tombstones of the text index if they are 200 and more than 20 % of it (always: any
 * number), and contents that no file refers to. Rows that are deleted meanwhile wait for the next
 * purge. It costs reading and writing the text index once, however many tombstones there are. To
 * leave no deleted word on the disk: purge with always, merge, vacuum, checkpoint, each until there
 * is no more work.
 */
bool writer_purge_step(Writer *w, bool always, bool *more_r, GError **error);
/* Returns free pages to the file system, if they are many (always: any number). */
bool writer_vacuum_step(Writer *w, bool always, bool *more_r, GError **error);
/* Is it worth a checkpoint at the next idle moment? If that never comes, a commit makes one. */
bool writer_log_is_long(const Writer *w);
/* Frees memory that only speeds up the next change; does nothing while a transaction is open. */
void writer_rest(Writer *w);
bool writer_checkpoint(
        Writer *w, GError **error); /* passive; truncates the WAL if it can without waiting */
/* After INDEX_ERROR_FULL and writer_rollback(), and when there is room again: gives back the part
 * of the WAL that the failed transaction has left, and checkpoints the rest if the room suffices.
 * Does nothing while a transaction is open. */
void writer_shrink_log(Writer *w);

/* The last step of leaving no deleted word on the disk, after purge, merge and vacuum: empties the
 * logs and removes damaged files that were moved aside. *done_r false: a reader still holds a log;
 * try again later. */
bool writer_scrub_end(Writer *w, bool *done_r, GError **error);

/* meta */
bool writer_get_meta_int(
        Writer *w, const char *key, int64_t preset, int64_t *value_r, GError **error);
bool writer_set_meta(Writer *w, const char *key, const char *value, GError **error);
