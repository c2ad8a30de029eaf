/* SPDX-License-Identifier: GPL-3.0-or-later */
/* write-tree.c - the writer's nodes: names and their parents */
#include <config.h>
#include "common/base/paths.h"
#include "index/write/writer-private.h"
#include <string.h>

enum { PATH_MAX_DEPTH = 100000 };

void entry_from_row(sqlite3_stmt *row, Entry *out)
{
	*out = (Entry){
	        .node = sqlite3_column_int64(row, 0),
	        .parent = sqlite3_column_int64(row, 1),
	        .inode = sqlite3_column_int64(row, 2),
	        .stat = {.filesystem = sqlite3_column_int64(row, 3),
	                .ino = sqlite3_column_int64(row, 4),
	                .birth_ns = sqlite3_column_int64(row, 5),
	                .kind = sqlite3_column_int(row, 6),
	                .size = sqlite3_column_int64(row, 7),
	                .mtime_ns = sqlite3_column_int64(row, 8),
	                .ctime_ns = sqlite3_column_int64(row, 9),
	                .uid = sqlite3_column_int64(row, 10),
	                .gid = sqlite3_column_int64(row, 11),
	                .mode = sqlite3_column_int64(row, 12)},
	        .content = sqlite3_column_int64(row, 13),
	        .state = sqlite3_column_int(row, 14),
	};
}

char *row_name(sqlite3_stmt *row, int column)
{
	const char *name = sqlite3_column_blob(row, column);
	return g_strndup(name ? name : "", sqlite3_column_bytes(row, column));
}

/* ---- questions */

static int entry_row(
        Writer *w, Statement id, const Value *values, size_t n, Entry *out, GError **error)
{
	sqlite3_stmt *row;
	int result = statement_row(w, id, values, n, &row, error);
	if (result > 0) {
		entry_from_row(row, out);
		sqlite3_reset(row);
	}
	return result;
}

int writer_lookup(Writer *w, int64_t parent, const char *name, Entry *out, GError **error)
{
	return entry_row(w, NODE_LOOKUP, VALUES(INT(parent), BLOB(name, strlen(name))), out, error);
}

int writer_get(Writer *w, int64_t node, Entry *out, GError **error)
{
	return entry_row(w, NODE_GET, VALUES(INT(node)), out, error);
}

bool writer_must_get(Writer *w, int64_t node, Entry *out, GError **error)
{
	int found = writer_get(w, node, out, error);
	return found > 0 || (found == 0 && writer_fail_missing(w, error));
}

bool writer_find_identity(
        Writer *w, const EntryStat *stat, unsigned max, GArray **nodes_r, GError **error)
{
	*nodes_r = statement_ints(w, NODE_OF_IDENTITY,
	        VALUES(INT(stat->filesystem), INT(stat->ino), INT(stat->birth_ns), INT(max)),
	        error);
	return *nodes_r != NULL;
}

bool writer_newest_parents(Writer *w, unsigned n, GArray **nodes_r, GError **error)
{
	int64_t now_ns = g_get_real_time() * 1000;
	*nodes_r = statement_ints(w, NODE_NEWEST_PARENTS, VALUES(INT(now_ns), INT(n)), error);
	return *nodes_r != NULL;
}

/* Steps from a node to its parent; its name is prepended to path. below: there is an entry in it,
 * so its row must exist. */
static bool write_climb(Writer *w, int64_t *node, bool below, GString *path, GError **error)
{
	sqlite3_stmt *row;
	int result = statement_row(w, NODE_NAME, VALUES(INT(*node)), &row, error);
	if (result < 0)
		return false;
	if (result == 0)
		return below ? writer_fail_missing(w, error)
		             : writer_fail_with(
		                       w, INDEX_ERROR_OTHER, _("there is no such entry"), error);
	*node = sqlite3_column_int64(row, 0);
	const char *name = sqlite3_column_blob(row, 1);
	int length = sqlite3_column_bytes(row, 1);
	if (path && path_is_web(path->str))
		length = 0; /* a document of a source: its name is the whole path */
	else if (path && path->len > 0 && (length == 0 || name[length - 1] != '/'))
		g_string_prepend_c(path, '/');
	if (path && length > 0)
		g_string_prepend_len(path, name, length);
	sqlite3_reset(row);
	return true;
}

/* Appends the path of a directory that has an entry. */
static bool climb_to_root(Writer *w, int64_t node, GString *path, GError **error)
{
	for (unsigned depth = 0; node != 0; depth++) {
		if (depth > PATH_MAX_DEPTH)
			return writer_fail_with(
			        w, INDEX_ERROR_DAMAGED, _("an entry contains itself"), error);
		if (!write_climb(w, &node, true, path, error))
			return false;
	}
	return true;
}

/* The paths of one directory's entries are asked for one after the other. */
static const char *path_of_parent(Writer *w, int64_t parent, GError **error)
{
	if (w->path_node == parent && w->path_version == w->version)
		return w->path;
	g_autoptr(GString) path = g_string_new(NULL);
	w->path_node = 0;
	if (!climb_to_root(w, parent, path, error))
		return NULL;
	g_free(w->path);
	w->path = g_string_free(g_steal_pointer(&path), FALSE);
	w->path_node = parent;
	w->path_version = w->version;
	return w->path;
}

char *writer_path(Writer *w, int64_t node, GError **error)
{
	g_autoptr(GString) path = g_string_new(NULL);
	if (node != 0 && !write_climb(w, &node, false, path, error))
		return NULL;
	if (node == 0 || path_is_web(path->str))
		return g_string_free(g_steal_pointer(&path), FALSE);
	const char *above = path_of_parent(w, node, error);
	if (!above)
		return NULL;
	return g_strconcat(above, g_str_has_suffix(above, "/") ? "" : "/", path->str, NULL);
}

bool writer_children(Writer *w, int64_t node, WriterChildFunc f, void *data, GError **error)
{
	return writer_some_children(w, node, -1, f, data, error);
}

bool writer_some_children(
        Writer *w, int64_t node, int max, WriterChildFunc f, void *data, GError **error)
{
	sqlite3_stmt *row = statement_bind(w, NODE_CHILDREN, VALUES(INT(node), INT(max)), error);
	g_autoptr(GString) name = g_string_new(NULL);
	int result;
	if (!row)
		return false;
	while ((result = sqlite3_step(row)) == SQLITE_ROW) {
		Entry entry;
		entry_from_row(row, &entry);
		const char *bytes = sqlite3_column_blob(row, 15);
		g_string_truncate(name, 0);
		g_string_append_len(name, bytes ? bytes : "", sqlite3_column_bytes(row, 15));
		f(name->str, &entry, data);
	}
	if (result != SQLITE_DONE)
		return writer_fail(w, error);
	sqlite3_reset(row);
	return true;
}

bool writer_find_filesystem(Writer *w, const char *identity, int64_t *id_r, GError **error)
{
	return statement_int(w, FILESYSTEM_FIND, VALUES(TEXT(identity)), 0, id_r, error);
}

bool writer_filesystem(
        Writer *w, const char *identity, const char *type, int64_t *id_r, GError **error)
{
	if (!writer_find_filesystem(w, identity, id_r, error))
		return false;
	if (*id_r != 0)
		return true;
	if (!writer_change(w, error) ||
	        !statement_run(w, FILESYSTEM_ADD, VALUES(TEXT(identity), TEXT(type)), error))
		return false;
	*id_r = sqlite3_last_insert_rowid(w->db);
	return true;
}

bool writer_rename_filesystem(Writer *w, int64_t id, const char *identity, GError **error)
{
	return writer_change(w, error) &&
	       statement_run(w, FILESYSTEM_RENAME, VALUES(INT(id), TEXT(identity)), error);
}

int writer_renumber(Writer *w, Entry *entry, const EntryStat *stat, GError **error)
{
	if (!writer_change(w, error) || !statement_run(w, INODE_RENUMBER,
	                                        VALUES(INT(entry->inode), INT(stat->filesystem),
	                                                INT(stat->ino), INT(stat->birth_ns)),
	                                        error))
		return -1;
	if (sqlite3_changes(w->db) == 0)
		return 0;
	entry->stat.filesystem = stat->filesystem;
	entry->stat.ino = stat->ino;
	entry->stat.birth_ns = stat->birth_ns;
	return digest_forget_inode(w, entry->inode, error) ? 1 : -1;
}

/* The name of the node; the caller owns it. */
static char *write_name_of(Writer *w, int64_t node, GError **error)
{
	sqlite3_stmt *row;
	int result = statement_row(w, NODE_NAME, VALUES(INT(node)), &row, error);
	if (result == 0)
		writer_fail_with(w, INDEX_ERROR_OTHER, _("there is no such entry"), error);
	if (result <= 0)
		return NULL;
	char *name = row_name(row, 1);
	sqlite3_reset(row);
	return name;
}

/* ---- removal */

static void count_node(Writer *w, EntryKind kind, int sign)
{
	w->totals[kind == ENTRY_DIR ? TOTAL_DIRECTORIES : TOTAL_FILES] += sign;
}

typedef struct {
	int64_t node, inode;
	EntryKind kind;
	char *name;
} ChildNode;

static void child_clear(gpointer item)
{
	g_free(((ChildNode *)item)->name);
}

static bool delete_node(Writer *w, const ChildNode *child, GError **error)
{
	count_node(w, child->kind, -1);
	return names_remove(w, child->node, child->name, error) &&
	       digest_forget(w, child->node, error) &&
	       statement_run(w, NODE_DELETE, VALUES(INT(child->node)), error) &&
	       inode_release(w, child->inode, error);
}

/* Collects some children of a directory, which will be deleted: the statement must be reset before
 * that. */
static bool read_children(Writer *w, int64_t node, GArray *children, GError **error)
{
	sqlite3_stmt *row = statement_bind(w, NODE_CHILD_BATCH, VALUES(INT(node)), error);
	int result;
	if (!row)
		return false;
	g_array_set_size(children, 0);
	while ((result = sqlite3_step(row)) == SQLITE_ROW) {
		ChildNode child = {sqlite3_column_int64(row, 0), sqlite3_column_int64(row, 1),
		        sqlite3_column_int(row, 2), row_name(row, 3)};
		g_array_append_val(children, child);
	}
	if (result != SQLITE_DONE)
		return writer_fail(w, error);
	sqlite3_reset(row);
	return children->len == 0 || digest_forget(w, node, error);
}

/* The entries of a removal, as far as the budget goes. */
typedef struct {
	GArray *stack, *children; /* of ChildNode */
	unsigned *budget;
} Removal;

/* Deletes children that are not directories, and pushes the directories onto the stack. */
static bool delete_children(Writer *w, const Removal *removal, GError **error)
{
	GArray *children = removal->children;
	for (guint i = 0; i<children->len && * removal->budget> 0; i++) {
		ChildNode *child = &g_array_index(children, ChildNode, i);
		if (child->kind == ENTRY_DIR) {
			ChildNode copy = *child;
			child->name = NULL;
			g_array_append_val(removal->stack, copy);
			continue;
		}
		--*removal->budget;
		if (!delete_node(w, child, error))
			return false;
	}
	return true;
}

/* Works depth first, so that the stack holds no more than one batch of directories for each level.
 */
static bool delete_below(Writer *w, const Removal *removal, GError **error)
{
	GArray *stack = removal->stack;
	while (stack->len > 0 && *removal->budget > 0) {
		ChildNode top = g_array_index(stack, ChildNode, stack->len - 1);
		if (!read_children(w, top.node, removal->children, error))
			return false;
		if (removal->children->len > 0) {
			if (!delete_children(w, removal, error))
				return false;
			continue;
		}
		--*removal->budget;
		if (!delete_node(w, &top, error))
			return false;
		g_array_set_size(stack, stack->len - 1);
	}
	return true;
}

bool writer_remove_below(Writer *w, int64_t node, unsigned *budget, GError **error)
{
	g_autoptr(GArray) stack = g_array_new(FALSE, FALSE, sizeof(ChildNode));
	g_autoptr(GArray) children = g_array_new(FALSE, FALSE, sizeof(ChildNode));
	const Removal removal = {stack, children, budget};
	g_array_set_clear_func(stack, child_clear);
	g_array_set_clear_func(children, child_clear);
	if (!writer_change(w, error))
		return false;
	while (*budget > 0) {
		if (!read_children(w, node, children, error))
			return false;
		if (children->len == 0)
			return true;
		if (!delete_children(w, &removal, error) || !delete_below(w, &removal, error))
			return false;
	}
	return true;
}

static bool write_remove_children(Writer *w, int64_t node, GError **error)
{
	unsigned budget = UINT_MAX;
	return writer_remove_below(w, node, &budget, error);
}

bool writer_remove(Writer *w, int64_t node, GError **error)
{
	Entry entry;
	int found = writer_get(w, node, &entry, error);
	if (found <= 0)
		return found == 0;
	if (!writer_change(w, error) || !write_remove_children(w, node, error))
		return false;
	g_autofree char *name = write_name_of(w, node, error);
	if (!name)
		return false;
	ChildNode child = {node, entry.inode, entry.stat.kind, name};
	return digest_forget(w, entry.parent, error) && delete_node(w, &child, error);
}

/* ---- insertion */

static bool write_same_identity(const EntryStat *a, const EntryStat *b)
{
	return a->filesystem == b->filesystem && a->ino == b->ino && a->birth_ns == b->birth_ns;
}

static bool add_node(Writer *w, int64_t parent, const char *name, Entry *out, GError **error)
{
	if (!statement_run(w, NODE_ADD,
	            VALUES(INT(parent), BLOB(name, strlen(name)), INT(out->inode)), error))
		return false;
	out->node = sqlite3_last_insert_rowid(w->db);
	out->parent = parent;
	count_node(w, out->stat.kind, 1);
	w->totals[TOTAL_PENDING] += out->state == INODE_PENDING;
	changes_note_content(w, out->content);
	return digest_forget(w, parent, error) && names_add(w, out->node, name, error);
}

/* The name exists but now refers to another inode. */
static bool replace_inode(Writer *w, Entry *out, const Entry *old, GError **error)
{
	out->node = old->node;
	out->parent = old->parent;
	if (old->stat.kind == ENTRY_DIR && !write_remove_children(w, old->node, error))
		return false;
	count_node(w, old->stat.kind, -1);
	count_node(w, out->stat.kind, 1);
	w->totals[TOTAL_PENDING] += out->state == INODE_PENDING;
	changes_note_content(w, out->content);
	return digest_forget(w, old->parent, error) &&
	       statement_run(w, NODE_SET_INODE, VALUES(INT(old->node), INT(out->inode)), error) &&
	       inode_release(w, old->inode, error);
}

/* The inode is the same; its kind may have changed where inode numbers are reused and there is no
 * birth time. */
static bool update_node(
        Writer *w, const EntryStat *stat, bool needs_content, Entry *out, GError **error)
{
	EntryKind before = out->stat.kind;
	if (before == ENTRY_DIR && stat->kind != ENTRY_DIR &&
	        !write_remove_children(w, out->node, error))
		return false;
	if (!inode_update(w, stat, needs_content, out, error))
		return false;
	count_node(w, before, -1);
	count_node(w, stat->kind, 1);
	return true;
}

bool writer_put(Writer *w, int64_t parent, const char *name, const EntryStat *stat,
        bool needs_content, Entry *out, GError **error)
{
	Entry old;
	int found = writer_lookup(w, parent, name, &old, error);
	if (found < 0)
		return false;
	if (found > 0 && write_same_identity(&old.stat, stat)) {
		*out = old;
		return update_node(w, stat, needs_content, out, error);
	}
	if (!writer_change(w, error) || !inode_put(w, stat, needs_content, out, error))
		return false;
	if (found > 0)
		return replace_inode(w, out, &old, error);
	return add_node(w, parent, name, out, error);
}

/* ---- moves */

static bool is_below(Writer *w, int64_t node, int64_t ancestor, bool *below_r, GError **error)
{
	for (unsigned depth = 0; node != 0 && depth <= PATH_MAX_DEPTH; depth++) {
		if (node == ancestor) {
			*below_r = true;
			return true;
		}
		if (!write_climb(w, &node, depth > 0, NULL, error))
			return false;
	}
	*below_r = false;
	return true;
}

bool writer_move(Writer *w, int64_t node, int64_t parent, const char *name, GError **error)
{
	Entry target;
	bool below = false;
	g_autofree char *old_name = write_name_of(w, node, error);
	if (!old_name || !is_below(w, parent, node, &below, error))
		return false;
	if (below)
		return writer_fail_with(
		        w, INDEX_ERROR_OTHER, _("an entry cannot move into itself"), error);
	int found = writer_lookup(w, parent, name, &target, error);
	if (found > 0 && target.node == node)
		return true; /* it is there already: nothing below it changes */
	if (found < 0 || !writer_change(w, error))
		return false;
	if (found > 0 && !writer_remove(w, target.node, error))
		return false;
	if (!digest_forget_node(w, node, error) || !digest_forget(w, parent, error) ||
	        !statement_run(w, NODE_MOVE,
	                VALUES(INT(node), INT(parent), BLOB(name, strlen(name))), error))
		return false;
	if (changes_are_noted(w)) {
		Entry moved;
		int there = writer_get(w, node, &moved, error);
		if (there < 0)
			return false;
		if (there > 0)
			changes_note_move(w, &moved);
	}
	return strcmp(old_name, name) == 0 ||
	       (names_remove(w, node, old_name, error) && names_add(w, node, name, error));
}
