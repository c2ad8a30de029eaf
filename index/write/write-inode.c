/* SPDX-License-Identifier: GPL-3.0-or-later */
/* write-inode.c - the writer's inodes: stat data of files, and what is still to be done for them */
#include <config.h>
#include "index/write/writer-private.h"

/* True if the stat data say that the bytes changed. */
static bool bytes_changed(const EntryStat *old, const EntryStat *now)
{
	return old->size != now->size || old->mtime_ns != now->mtime_ns;
}

static bool facts_changed(const EntryStat *old, const EntryStat *now)
{
	return bytes_changed(old, now) || old->ctime_ns != now->ctime_ns ||
	       old->kind != now->kind || old->uid != now->uid || old->gid != now->gid ||
	       old->mode != now->mode;
}

static bool set_stat(Writer *w, int64_t inode, const EntryStat *stat, GError **error)
{
	return digest_forget_inode(w, inode, error) &&
	       statement_run(w, INODE_SET_STAT,
	               VALUES(INT(inode), INT(stat->kind), INT(stat->size), INT(stat->mtime_ns),
	                       INT(stat->ctime_ns), INT(stat->uid), INT(stat->gid),
	                       INT(stat->mode)),
	               error);
}

/* True if the content must be read, for the first time or again. */
static bool wants_content(const Entry *old, const EntryStat *stat)
{
	return bytes_changed(&old->stat, stat) || old->stat.ctime_ns != stat->ctime_ns ||
	       old->stat.kind != stat->kind || old->state == INODE_ORPHAN ||
	       (old->state == INODE_DONE && old->content == 0);
}

bool inode_note_state(Writer *w, int64_t inode, InodeState from, InodeState to, GError **error)
{
	int64_t nodes;
	if ((from == INODE_PENDING) == (to == INODE_PENDING))
		return true;
	if (!statement_int(w, INODE_NODES, VALUES(INT(inode)), 0, &nodes, error))
		return false;
	w->totals[TOTAL_PENDING] += to == INODE_PENDING ? nodes : -nodes;
	return true;
}

bool inode_recount_pending(Writer *w, GError **error)
{
	int64_t before, now;
	w->recount = false;
	if (!writer_total(w, TOTAL_PENDING, &before, error) ||
	        !statement_int(w, NODE_PENDING_COUNT, NULL, 0, 0, &now, error))
		return false;
	w->totals[TOTAL_PENDING] += now - before;
	return true;
}

/* Marks the inode as done without a content and drops the content it had. */
static bool set_no_content(Writer *w, Entry *entry, GError **error)
{
	int64_t content = entry->content;
	changes_note_content(w, content);
	if (!statement_run(w, INODE_SET_CONTENT, VALUES(INT(entry->inode), TEXT(NULL)), error) ||
	        !inode_note_state(w, entry->inode, entry->state, INODE_DONE, error))
		return false;
	entry->content = 0;
	entry->state = INODE_DONE;
	return content == 0 || content_release(w, content, error);
}

static bool set_pending(Writer *w, Entry *entry, GError **error)
{
	InodeState before = entry->state;
	changes_note_inode(w, entry->inode);
	entry->state = INODE_PENDING;
	return statement_run(w, INODE_SET_PENDING, VALUES(INT(entry->inode)), error) &&
	       inode_note_state(w, entry->inode, before, INODE_PENDING, error);
}

bool inode_update(Writer *w, const EntryStat *stat, bool needs_content, Entry *out, GError **error)
{
	const Entry old = *out;
	bool file = stat->kind == ENTRY_FILE;
	bool pending = file && needs_content && wants_content(&old, stat);
	bool drop = (!file && (old.content != 0 || old.state != INODE_DONE)) ||
	            (file && !needs_content &&
	                    (bytes_changed(&old.stat, stat) || old.state == INODE_ORPHAN));

	out->stat = *stat;
	if (!pending && !drop && !facts_changed(&old.stat, stat))
		return true;
	if (!writer_change(w, error) || !set_stat(w, old.inode, stat, error))
		return false;
	changes_note_stat(w, old.inode, &old.stat, stat);
	if (pending)
		return set_pending(w, out, error);
	return !drop || set_no_content(w, out, error);
}

static int find_inode(Writer *w, const EntryStat *stat, Entry *out, GError **error)
{
	sqlite3_stmt *row;
	int found = statement_row(w, INODE_FIND,
	        VALUES(INT(stat->filesystem), INT(stat->ino), INT(stat->birth_ns)), &row, error);
	if (found > 0) {
		entry_from_row(row, out);
		sqlite3_reset(row);
	}
	return found;
}

/* Most inodes are new, so it is inserted first, and looked up only if that fails. */
bool inode_put(Writer *w, const EntryStat *stat, bool needs_content, Entry *out, GError **error)
{
	InodeState state = stat->kind == ENTRY_FILE && needs_content ? INODE_PENDING : INODE_DONE;
	if (!statement_run(w, INODE_ADD,
	            VALUES(INT(stat->filesystem), INT(stat->ino), INT(stat->birth_ns),
	                    INT(stat->kind), INT(stat->size), INT(stat->mtime_ns),
	                    INT(stat->ctime_ns), INT(stat->uid), INT(stat->gid), INT(stat->mode),
	                    INT(state)),
	            error))
		return false;
	if (sqlite3_changes(w->db) > 0) {
		*out = (Entry){
		        .inode = sqlite3_last_insert_rowid(w->db), .stat = *stat, .state = state};
		return true;
	}
	int found = find_inode(w, stat, out, error);
	if (found <= 0)
		return found == 0 && writer_fail_missing(w, error);
	return inode_update(w, stat, needs_content, out, error);
}

static int get_inode(Writer *w, int64_t inode, Entry *out, GError **error)
{
	sqlite3_stmt *row;
	int found = statement_row(w, INODE_GET, VALUES(INT(inode)), &row, error);
	if (found > 0) {
		entry_from_row(row, out);
		sqlite3_reset(row);
	}
	return found;
}

bool inode_release(Writer *w, int64_t inode, GError **error)
{
	Entry entry;
	int found = get_inode(w, inode, &entry, error);
	if (found <= 0)
		return found == 0;
	w->totals[TOTAL_PENDING] -= entry.state == INODE_PENDING;
	changes_note_content(w, entry.content);
	if (!statement_run(w, INODE_RELEASE, VALUES(INT(inode)), error))
		return false;
	if (sqlite3_changes(w->db) == 0)
		return true;
	if (!statement_run(w, WEB_PAGE_DELETE, VALUES(INT(inode)), error))
		return false;
	if (entry.content == 0)
		return true;
	return content_release(w, entry.content, error);
}

bool writer_update_stat(Writer *w, int64_t inode, const EntryStat *stat, GError **error)
{
	Entry old;
	if (changes_are_noted(w)) {
		int found = get_inode(w, inode, &old, error);
		if (found < 0)
			return false;
		if (found > 0)
			changes_note_stat(w, inode, &old.stat, stat);
	}
	return writer_change(w, error) && set_stat(w, inode, stat, error);
}

/* A file that the user may no longer read leaves the index at once; after other failures the old
 * text stays, and the state marks it as stale. */
bool writer_set_inode_state(Writer *w, int64_t inode, InodeState state, DocReason reason,
        const char *detail, GError **error)
{
	Entry entry;
	int found = get_inode(w, inode, &entry, error);
	if (found <= 0)
		return found == 0;
	if (!writer_change(w, error))
		return false;
	bool drop = state == INODE_FAILED &&
	            (reason == REASON_UNREADABLE || reason == REASON_LIMIT_FILE);
	if (drop && entry.content != 0 && !set_no_content(w, &entry, error))
		return false;
	changes_note_inode(w, inode);
	if (state == INODE_ORPHAN && !digest_forget_inode(w, inode, error))
		return false;
	return inode_note_state(w, inode, entry.state, state, error) &&
	       statement_run(w, INODE_SET_STATE,
	               VALUES(INT(inode), INT(state), INT(reason), TEXT(detail)), error);
}

bool inode_end_others(Writer *w, GError **error)
{
	g_autoptr(GArray) others = statement_ints(w, INODE_PENDING_OTHERS, NULL, 0, error);
	for (guint i = 0; others && i < others->len; i++)
		if (!writer_set_inode_state(w, g_array_index(others, int64_t, i), INODE_DONE,
		            REASON_NONE, NULL, error))
			return false;
	return others != NULL;
}

bool writer_attempt(Writer *w, int64_t inode, unsigned *tries_r, GError **error)
{
	int64_t tries;
	if (!writer_change(w, error) ||
	        !statement_run(w, INODE_ATTEMPT, VALUES(INT(inode)), error) ||
	        !statement_int(w, INODE_TRIES, VALUES(INT(inode)), 0, &tries, error))
		return false;
	*tries_r = tries;
	return true;
}

/* ---- the backlog */

bool writer_counts(Writer *w, WriterCounts *out, GError **error)
{
	int64_t files, directories, pending;
	if (!writer_total(w, TOTAL_FILES, &files, error) ||
	        !writer_total(w, TOTAL_DIRECTORIES, &directories, error) ||
	        !statement_int(w, INODE_PENDING_COUNT, NULL, 0, 0, &pending, error))
		return false;
	*out = (WriterCounts){MAX(files, 0), MAX(directories, 0), pending};
	return true;
}

bool writer_pending(Writer *w, const PendingPlace *after, unsigned n, GHashTable *skip,
        GArray **entries_r, GError **error)
{
	sqlite3_stmt *row = statement_bind(
	        w, INODE_PENDING_LIST, VALUES(INT(after->mtime_ns), INT(after->inode)), error);
	int result = SQLITE_DONE;
	if (!row)
		return false;
	g_autoptr(GArray) entries = g_array_new(FALSE, FALSE, sizeof(Entry));
	while (entries->len < n && (result = sqlite3_step(row)) == SQLITE_ROW) {
		Entry entry;
		entry_from_row(row, &entry);
		if (!skip || !g_hash_table_contains(skip, &entry.inode))
			g_array_append_val(entries, entry);
	}
	if (result != SQLITE_DONE && result != SQLITE_ROW)
		return writer_fail(w, error);
	sqlite3_reset(row);
	*entries_r = g_steal_pointer(&entries);
	return true;
}

int writer_next_deferred(Writer *w, GHashTable *skip, Entry *out, GError **error)
{
	sqlite3_stmt *row = statement_bind(w, INODE_DEFERRED_LIST, NULL, 0, error);
	int result = row ? SQLITE_ROW : SQLITE_ERROR;
	bool found = false;
	while (!found && row && (result = sqlite3_step(row)) == SQLITE_ROW) {
		entry_from_row(row, out);
		found = !g_hash_table_contains(skip, &out->content);
	}
	if (row && result != SQLITE_DONE && result != SQLITE_ROW)
		writer_fail(w, error);
	sqlite3_reset(row);
	return result == SQLITE_DONE || result == SQLITE_ROW ? found : -1;
}

bool writer_add_deferred(Writer *w, int64_t content, GError **error)
{
	return writer_change(w, error) &&
	       statement_run(w, DEFERRED_ADD, VALUES(INT(content)), error);
}

bool writer_forget_deferred(Writer *w, int64_t content, GError **error)
{
	return writer_change(w, error) &&
	       statement_run(w, DEFERRED_DELETE, VALUES(INT(content)), error);
}

#define META_SNIFFER "sniffer" /* meta key: version of the sniffer */

/* Queues contents for conversion; they stay searchable until their successors are there. */
static bool write_requeue(Writer *w, GArray *contents, unsigned *queued_r, GError **error)
{
	for (guint i = 0; i < contents->len; i++) {
		int64_t content = g_array_index(contents, int64_t, i);
		if (!writer_change(w, error) ||
		        !statement_run(w, CONTENT_REQUEUE, VALUES(INT(content)), error) ||
		        !statement_run(w, INODE_OF_CONTENT_PENDING, VALUES(INT(content)), error))
			return false;
		*queued_r += sqlite3_changes(w->db);
		changes_note_content(w, content);
		w->recount = true;
	}
	return true;
}

/* The version that is stored under the key. */
static bool stored_version_is(
        Writer *w, const char *key, uint32_t version, bool *same_r, GError **error)
{
	int64_t known;
	if (!writer_get_meta_int(w, key, -1, &known, error))
		return false;
	*same_r = known == version;
	return true;
}

static bool store_version(Writer *w, const char *key, uint32_t version, GError **error)
{
	g_autofree char *value = g_strdup_printf("%u", version);
	return writer_set_meta(w, key, value, error);
}

/* All contents are examined only if the version differs from that of the last time. */
bool writer_requeue_outdated(
        Writer *w, const char *plugin, uint32_t version, unsigned *queued_r, GError **error)
{
	g_autofree char *key = g_strconcat("plugin ", plugin, NULL);
	bool same;
	*queued_r = 0;
	if (!stored_version_is(w, key, version, &same, error))
		return false;
	if (same)
		return true;
	g_autoptr(GArray) contents =
	        statement_ints(w, CONTENT_OUTDATED, VALUES(TEXT(plugin), INT(version)), error);
	return contents && write_requeue(w, contents, queued_r, error) &&
	       store_version(w, key, version, error);
}

bool writer_requeue_unknown(
        Writer *w, uint32_t version, int64_t bytes, unsigned *queued_r, GError **error)
{
	bool same;
	*queued_r = 0;
	if (!stored_version_is(w, META_SNIFFER, version, &same, error))
		return false;
	if (same)
		return true;
	g_autoptr(GArray) contents =
	        statement_ints(w, CONTENT_UNRECOGNIZED, VALUES(INT(bytes)), error);
	return contents && write_requeue(w, contents, queued_r, error) &&
	       store_version(w, META_SNIFFER, version, error);
}

bool writer_requeue_unsupported(Writer *w, const char *mime, unsigned *queued_r, GError **error)
{
	g_autoptr(GArray) contents =
	        statement_ints(w, CONTENT_UNSUPPORTED, VALUES(TEXT(mime)), error);
	*queued_r = 0;
	return contents && write_requeue(w, contents, queued_r, error);
}

bool writer_retry(Writer *w, int64_t inode, unsigned *queued_r, GError **error)
{
	*queued_r = 0;
	g_autoptr(GArray) contents =
	        inode == 0 ? statement_ints(w, CONTENT_FAILED, NULL, 0, error)
	                   : statement_ints(w, CONTENT_OF_INODE, VALUES(INT(inode)), error);
	if (!contents || !write_requeue(w, contents, queued_r, error) || !writer_change(w, error) ||
	        !statement_run(w, INODE_RETRY, VALUES(INT(inode)), error))
		return false;
	*queued_r += sqlite3_changes(w->db);
	w->recount = true;
	return true;
}

/* Queues the failed inodes that have this reason. */
static bool retry_reason(Writer *w, DocReason reason, unsigned *queued_r, GError **error)
{
	if (!writer_change(w, error) ||
	        !statement_run(w, INODE_RETRY_REASON, VALUES(INT(reason)), error))
		return false;
	*queued_r += sqlite3_changes(w->db);
	w->recount = true;
	return true;
}

bool writer_requeue_reason(Writer *w, DocReason reason, unsigned *queued_r, GError **error)
{
	*queued_r = 0;
	g_autoptr(GArray) contents =
	        statement_ints(w, CONTENT_OF_REASON, VALUES(INT(reason)), error);
	return contents && write_requeue(w, contents, queued_r, error) &&
	       retry_reason(w, reason, queued_r, error);
}

/* Returns the documents of such members, which the caller owns; NULL on error. */
static GArray *list_members(Writer *w, WriterMemberFunc kept_out, void *data, GError **error)
{
	sqlite3_stmt *row = statement_bind(w, DOCUMENT_MEMBERS, NULL, 0, error);
	g_autoptr(GArray) documents = g_array_new(FALSE, FALSE, sizeof(int64_t));
	int status = SQLITE_ROW;
	if (!row)
		return NULL;
	while ((status = sqlite3_step(row)) == SQLITE_ROW) {
		int64_t document = sqlite3_column_int64(row, 0);
		const char *bytes = sqlite3_column_blob(row, 1);
		g_autofree char *member = g_strndup(bytes, sqlite3_column_bytes(row, 1));
		if (member && kept_out(member, data))
			g_array_append_val(documents, document);
	}
	sqlite3_reset(row);
	if (status == SQLITE_DONE)
		return g_steal_pointer(&documents);
	writer_fail(w, error);
	return NULL;
}

/* Replaces documents by their contents. A content that is twice in the list is queued once. */
static bool contents_of(Writer *w, GArray *documents, GError **error)
{
	for (guint i = 0; i < documents->len; i++) {
		int64_t *id = &g_array_index(documents, int64_t, i);
		if (!statement_int(w, DOCUMENT_CONTENT, VALUES(INT(*id)), 0, id, error))
			return false;
	}
	return true;
}

bool writer_requeue_members(
        Writer *w, WriterMemberFunc kept_out, void *data, unsigned *queued_r, GError **error)
{
	*queued_r = 0;
	g_autoptr(GArray) documents = list_members(w, kept_out, data, error);
	return documents && contents_of(w, documents, error) &&
	       write_requeue(w, documents, queued_r, error);
}

bool writer_requeue_containers(Writer *w, unsigned *queued_r, GError **error)
{
	*queued_r = 0;
	g_autoptr(GArray) contents = statement_ints(w, CONTENT_OF_CONTAINERS, NULL, 0, error);
	return contents && write_requeue(w, contents, queued_r, error);
}

bool writer_requeue_larger(Writer *w, int64_t bytes, unsigned *queued_r, GError **error)
{
	*queued_r = 0;
	if (!writer_change(w, error) ||
	        !statement_run(w, INODE_LARGER_PENDING, VALUES(INT(bytes)), error))
		return false;
	*queued_r = sqlite3_changes(w->db);
	w->recount = true;
	return true;
}

bool writer_retry_unread(Writer *w, unsigned *queued_r, GError **error)
{
	static const DocReason passing[] = {REASON_IO, REASON_UNSTABLE, REASON_LIMIT_DAY};
	*queued_r = 0;
	for (size_t i = 0; i < G_N_ELEMENTS(passing); i++)
		if (!retry_reason(w, passing[i], queued_r, error))
			return false;
	return true;
}
