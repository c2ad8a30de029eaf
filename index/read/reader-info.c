/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reader-info.c - everything that the index knows about an entry */
#include <config.h>
#include "common/base/paths.h"
#include "index/text/real-title.h"
#include "index/read/reader-contents.h"
#include "index/read/reader-private.h"
#include <string.h>

/* In the order of INFO_COLUMNS. */
enum {
	NODE_ID,
	NODE_PARENT,
	NODE_NAME,
	INODE_ID,
	INODE_FILESYSTEM,
	INODE_INO,
	INODE_BIRTH,
	INODE_KIND,
	INODE_SIZE,
	INODE_MTIME,
	INODE_CTIME,
	INODE_UID,
	INODE_GID,
	INODE_MODE,
	INODE_STATE,
	INODE_REASON,
	INODE_TRIES,
	INODE_DETAIL,
	CONTENT_CHECKSUM,
	CONTENT_MIME,
	CONTENT_EXTRACTOR,
	CONTENT_VERSION,
	CONTENT_STATE,
	CONTENT_REASON,
	CONTENT_TRIES,
	CONTENT_DETAIL,
	DOCUMENT_ID,
	DOCUMENT_DATE,
	FACT_MEMBER,
	FACT_MIME,
	FACT_SIZE,
	FACT_MTIME,
	FACT_TITLE,
	FACT_AUTHOR,
	FACT_LANG,
	FACT_PAGES,
	FACT_SECONDS,
	FACT_STATE,
	FACT_REASON,
	FACT_TRUNCATED,
	FACT_DETAIL,
	FINGERPRINT_BITS
};

const char *entry_source_name(EntrySource source)
{
	static const char *const names[] = {"file", "web", "feed"};
	return names[source];
}

void info_clear(Info *info)
{
	char **const strings[] = {&info->path, &info->member, &info->detail, &info->extractor,
	        &info->mime, &info->title, &info->author, &info->lang};
	for (size_t i = 0; i < G_N_ELEMENTS(strings); i++)
		g_clear_pointer(strings[i], g_free);
}

void info_free(Info *info)
{
	if (!info)
		return;
	info_clear(info);
	g_free(info);
}

const char *info_state_name(const Info *info)
{
	if (info->stale)
		return "stale";
	if (info->offline)
		return "offline";
	if (info->inode_state == INODE_PENDING)
		return "pending";
	if (info->inode_state == INODE_FAILED || info->state == STATE_FAILED)
		return "failed";
	return info->truncated ? "truncated" : "ok";
}

static bool is_null(sqlite3_stmt *row, int column)
{
	return sqlite3_column_type(row, column) == SQLITE_NULL;
}

static char *bytes_at(sqlite3_stmt *row, int column)
{
	const char *bytes = sqlite3_column_blob(row, column);
	return bytes ? g_strndup(bytes, sqlite3_column_bytes(row, column)) : NULL;
}

/* The number comes from a file: if the enum does not have it, it becomes other. */
static unsigned enum_at(sqlite3_stmt *row, int column, unsigned n, unsigned other)
{
	int64_t value = sqlite3_column_int64(row, column);
	return value >= 0 && value < n ? value : other;
}

static void read_inode(sqlite3_stmt *row, Info *info)
{
	info->node = sqlite3_column_int64(row, NODE_ID);
	info->inode = sqlite3_column_int64(row, INODE_ID);
	info->stat = (EntryStat){
	        .filesystem = sqlite3_column_int64(row, INODE_FILESYSTEM),
	        .ino = sqlite3_column_int64(row, INODE_INO),
	        .birth_ns = sqlite3_column_int64(row, INODE_BIRTH),
	        .kind = enum_at(row, INODE_KIND, ENTRY_OTHER + 1, ENTRY_OTHER),
	        .size = sqlite3_column_int64(row, INODE_SIZE),
	        .mtime_ns = sqlite3_column_int64(row, INODE_MTIME),
	        .ctime_ns = sqlite3_column_int64(row, INODE_CTIME),
	        .uid = sqlite3_column_int64(row, INODE_UID),
	        .gid = sqlite3_column_int64(row, INODE_GID),
	        .mode = sqlite3_column_int64(row, INODE_MODE),
	};
	info->inode_state = enum_at(row, INODE_STATE, INODE_ORPHAN + 1, INODE_PENDING);
	info->state = STATE_NOTHING;
	info->reason = enum_at(row, INODE_REASON, N_REASONS, REASON_DAMAGED);
	info->tries = sqlite3_column_int64(row, INODE_TRIES);
	info->detail = reader_column_text(row, INODE_DETAIL);
}

static void read_content(sqlite3_stmt *row, Info *info)
{
	info->has_checksum = sqlite3_column_bytes(row, CONTENT_CHECKSUM) == CHECKSUM_BYTES;
	if (info->has_checksum)
		memcpy(info->checksum, sqlite3_column_blob(row, CONTENT_CHECKSUM), CHECKSUM_BYTES);
	info->mime = reader_column_text(row, CONTENT_MIME);
	info->extractor = reader_column_text(row, CONTENT_EXTRACTOR);
	info->version = sqlite3_column_int64(row, CONTENT_VERSION);
	if (info->inode_state == INODE_FAILED)
		return;
	info->state = enum_at(row, CONTENT_STATE, N_STATES, STATE_NOTHING);
	info->reason = enum_at(row, CONTENT_REASON, N_REASONS, REASON_DAMAGED);
	info->tries = sqlite3_column_int64(row, CONTENT_TRIES);
	g_clear_pointer(&info->detail, g_free);
	if (info->state == STATE_OK && info->reason == REASON_NONE)
		info->members_excluded = sqlite3_column_int64(row, CONTENT_DETAIL);
	else
		info->detail = reader_column_text(row, CONTENT_DETAIL);
}

/* If the whole file failed, its own document keeps that state. */
static void read_document_state(sqlite3_stmt *row, Info *info)
{
	bool of_file =
	        !info->member && (info->state == STATE_FAILED || info->inode_state == INODE_FAILED);
	info->truncated = sqlite3_column_int64(row, FACT_TRUNCATED) != 0;
	if (of_file)
		return;
	info->state = enum_at(row, FACT_STATE, N_STATES, STATE_NOTHING);
	info->reason = enum_at(row, FACT_REASON, N_REASONS, REASON_DAMAGED);
	g_free(info->detail);
	info->detail = reader_column_text(row, FACT_DETAIL);
}

/* A document of an older index may still have a title that says nothing. */
static char *reader_title_at(sqlite3_stmt *row, const char *mime)
{
	g_autofree char *title = reader_column_text(row, FACT_TITLE);
	return title && !title_says_nothing(title, mime) ? g_steal_pointer(&title) : NULL;
}

static void reader_read_document(sqlite3_stmt *row, Info *info)
{
	info->document = sqlite3_column_int64(row, DOCUMENT_ID);
	info->date = sqlite3_column_int64(row, DOCUMENT_DATE);
	if (is_null(row, FACT_STATE))
		return;
	info->member = bytes_at(row, FACT_MEMBER);
	g_free(info->mime);
	info->mime = reader_column_text(row, FACT_MIME);
	info->member_size = is_null(row, FACT_SIZE) ? -1 : sqlite3_column_int64(row, FACT_SIZE);
	info->member_mtime_ns = sqlite3_column_int64(row, FACT_MTIME);
	info->title = reader_title_at(row, info->mime);
	info->author = reader_column_text(row, FACT_AUTHOR);
	info->lang = reader_column_text(row, FACT_LANG);
	info->pages = sqlite3_column_int64(row, FACT_PAGES);
	info->seconds = sqlite3_column_int64(row, FACT_SECONDS);
	info->has_near = sqlite3_column_bytes(row, FINGERPRINT_BITS) == NEAR_PRINT_BYTES;
	if (info->has_near)
		near_unpack(sqlite3_column_blob(row, FINGERPRINT_BITS), &info->near);
	read_document_state(row, info);
}

/* Makes an Info of the current row of a statement with INFO_COLUMNS, without its path. */
static Info *info_of_row(sqlite3_stmt *row)
{
	Info *info = g_new0(Info, 1);
	info->member_size = -1;
	read_inode(row, info);
	if (!is_null(row, CONTENT_STATE))
		read_content(row, info);
	if (!is_null(row, DOCUMENT_ID))
		reader_read_document(row, info);
	return info;
}

Info *reader_info_of_row(Reader *r, sqlite3_stmt *row, int64_t *root_r)
{
	g_autofree char *path = reader_path(r, sqlite3_column_int64(row, NODE_PARENT),
	        sqlite3_column_int64(row, NODE_ID), sqlite3_column_blob(row, NODE_NAME),
	        sqlite3_column_bytes(row, NODE_NAME), root_r);
	if (!path)
		return NULL;
	int64_t dir = sqlite3_column_int64(row, NODE_PARENT);
	Info *info = info_of_row(row);
	if (path_is_web(path))
		info->source = reader_dir(r, dir ? dir : info->node)->source;
	info->path = g_steal_pointer(&path);
	return info;
}

static bool read_infos(Reader *r, const char *sql, int64_t id, GPtrArray *infos, GError **error)
{
	sqlite3_stmt *statement = reader_statement(r, sql, error);
	if (!statement)
		return false;
	sqlite3_bind_int64(statement, 1, id);
	int row;
	while ((row = reader_step(r, statement, error)) > 0) {
		Info *info = reader_info_of_row(r, statement, NULL);
		if (info)
			g_ptr_array_add(infos, info);
	}
	return row == 0;
}

static const char info_of_node_sql[] = "SELECT " INFO_COLUMNS "FROM node n " INFO_JOINS
                                       "WHERE n.id = ?1 ORDER BY f.member IS NOT NULL, f.member";

static bool read_info_by_node(Reader *r, int64_t node, GPtrArray *infos, GError **error)
{
	return read_infos(r, info_of_node_sql, node, infos, error);
}

static void reader_count_members(const GPtrArray *infos)
{
	unsigned members = 0, failed = 0, truncated = 0;
	for (guint i = 0; i < infos->len; i++) {
		const Info *info = infos->pdata[i];
		members += info->member != NULL;
		failed += info->member && info->state == STATE_FAILED;
		truncated += info->member && info->state != STATE_FAILED && info->truncated;
	}
	for (guint i = 0; i < infos->len; i++) {
		Info *info = infos->pdata[i];
		if (info->member) {
			info->members_excluded = 0;
			continue;
		}
		info->members = members;
		info->members_failed = failed;
		info->members_truncated = truncated;
	}
}

bool reader_info(Reader *r, const char *path, GPtrArray **infos_r, GError **error)
{
	g_autoptr(GPtrArray) infos = g_ptr_array_new_with_free_func((GDestroyNotify)info_free);
	if (!reader_begin(r, 0, error))
		return false;
	int64_t node = reader_resolve(r, path, error);
	bool ok = node == 0 || (node > 0 && read_info_by_node(r, node, infos, error));
	reader_end(r);
	reader_count_members(infos);
	*infos_r = ok ? g_steal_pointer(&infos) : NULL;
	return ok;
}

static bool reader_infos(Reader *r,
        bool (*read)(Reader *r, int64_t id, GPtrArray *infos, GError **error), int64_t id,
        GPtrArray **infos_r, GError **error)
{
	g_autoptr(GPtrArray) infos = g_ptr_array_new_with_free_func((GDestroyNotify)info_free);
	*infos_r = NULL;
	if (!reader_begin(r, 0, error))
		return false;
	bool ok = read(r, id, infos, error);
	reader_end(r);
	if (ok)
		*infos_r = g_steal_pointer(&infos);
	return ok;
}

bool reader_info_by_node(Reader *r, int64_t node, GPtrArray **infos_r, GError **error)
{
	if (!reader_infos(r, read_info_by_node, node, infos_r, error))
		return false;
	reader_count_members(*infos_r);
	return true;
}

bool reader_read_info_by_id(Reader *r, int64_t document, GPtrArray *infos, GError **error)
{
	static const char sql[] =
	        "SELECT " INFO_COLUMNS
	        "FROM document d CROSS JOIN inode i ON i.content = d.content "
	        "CROSS JOIN node n ON n.inode = i.id LEFT JOIN content c ON c.id = d.content "
	        "LEFT JOIN fact f ON f.document = d.id WHERE d.id = ?1";
	return read_infos(r, sql, document, infos, error);
}

bool reader_info_by_id(Reader *r, int64_t document, GPtrArray **infos_r, GError **error)
{
	return reader_infos(r, reader_read_info_by_id, document, infos_r, error);
}

static bool reader_open_cache(Reader *r, GError **error)
{
	g_autoptr(GError) why = NULL;
	g_autofree char *identity = r->cache_dir ? reader_identity(r) : NULL;
	r->cache_tried = true;
	if (identity)
		r->cache = textcache_open_reader(r->cache_dir, identity, &why);
	if (why)
		g_propagate_error(error, g_steal_pointer(&why));
	return r->cache != NULL;
}

static bool reader_has_cache(Reader *r, GError **error)
{
	return r->cache || (!r->cache_tried && reader_open_cache(r, error));
}

bool reader_has_cached_text(Reader *r, int64_t document)
{
	return reader_has_cache(r, NULL) && textcache_has(r->cache, document);
}

Document *reader_cached_text(Reader *r, int64_t document, GError **error)
{
	if (!reader_has_cache(r, error))
		return NULL;
	return textcache_get(r->cache, document);
}
