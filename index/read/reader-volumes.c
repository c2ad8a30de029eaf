/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reader-volumes.c - file systems that are or were mounted below roots */
#include <config.h>
#include "index/read/reader-private.h"
#include "index/read/access.h"
#include "index/read/reachable.h"
#include "index/store/states.h"
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void clear_volume(void *data)
{
	g_free(((VolumeStats *)data)->path);
}

/* Is the file system mounted there, with this directory on top? Another part of a file system may
 * be mounted instead. */
static bool reader_is_there(const char *path, const EntryStat *indexed)
{
	g_autofree char *above = g_path_get_dirname(path);
	struct stat top, parent;
	return lstat(path, &top) == 0 && lstat(above, &parent) == 0 && S_ISDIR(top.st_mode) &&
	       entry_is_inode(indexed, top.st_ino) && top.st_dev != parent.st_dev;
}

/* File systems other than those of roots and of entries recorded by name alone. */
static const char filesystems_sql[] =
        "SELECT id FROM filesystem WHERE type <> 'none' AND id NOT IN "
        "(SELECT i.filesystem FROM node n CROSS JOIN inode i ON i.id = n.inode WHERE n.parent = 0)";

/* A directory of the file system whose parent is on another one. */
static const char tops_sql[] =
        "SELECT n.id, n.parent, n.name, i.ino, i.birth_ns FROM inode i CROSS JOIN node n ON "
        "n.inode = i.id "
        "CROSS JOIN node p ON p.id = n.parent CROSS JOIN inode a ON a.id = p.inode "
        "WHERE i.filesystem = ?1 AND i.kind = " SQL_ENTRY_DIR " AND i.state <> " SQL_INODE_ORPHAN
        " AND a.filesystem <> ?1";

static const char files_sql[] =
        "SELECT count(*) FROM inode WHERE filesystem = ?1 AND kind <> " SQL_ENTRY_DIR;

static bool read_ids(Reader *r, GArray *ids, GError **error)
{
	sqlite3_stmt *statement = reader_statement(r, filesystems_sql, error);
	int row = statement ? 1 : -1;
	while (row > 0 && (row = reader_step(r, statement, error)) > 0) {
		int64_t id = sqlite3_column_int64(statement, 0);
		g_array_append_val(ids, id);
	}
	return row == 0;
}

/* The way to it may lead over a file system that does not answer: an ordinary one can be mounted
 * below a root on FUSE. */
static void look_at_volume(VolumeStats *volume, const EntryStat *indexed)
{
	if (!reachable(volume->path))
		volume->offline = true;
	else if (!access_allows(volume->path, ENTRY_DIR, geteuid()) && errno == EACCES)
		g_clear_pointer(&volume->path, g_free); /* the user may not be told of it */
	else
		volume->offline = !reader_is_there(volume->path, indexed);
}

static bool read_top(Reader *r, int64_t filesystem, VolumeStats *out, GError **error)
{
	sqlite3_stmt *statement = reader_statement(r, tops_sql, error);
	if (!statement)
		return false;
	sqlite3_bind_int64(statement, 1, filesystem);
	int row = reader_step(r, statement, error);
	if (row > 0)
		out->path = reader_path(r, sqlite3_column_int64(statement, 1),
		        sqlite3_column_int64(statement, 0), sqlite3_column_blob(statement, 2),
		        sqlite3_column_bytes(statement, 2), NULL);
	const EntryStat top = {.ino = sqlite3_column_int64(statement, 3),
	        .birth_ns = sqlite3_column_int64(statement, 4)};
	if (out->path)
		look_at_volume(out, &top);
	sqlite3_reset(statement);
	return row >= 0;
}

static bool read_volume(Reader *r, int64_t filesystem, GArray *volumes, GError **error)
{
	VolumeStats volume = {0};
	if (!read_top(r, filesystem, &volume, error))
		return false;
	if (!volume.path)
		return true;
	sqlite3_stmt *statement = reader_statement(r, files_sql, error);
	if (statement)
		sqlite3_bind_int64(statement, 1, filesystem);
	int row = statement ? reader_step(r, statement, error) : -1;
	if (row > 0)
		volume.files = sqlite3_column_int64(statement, 0);
	if (statement)
		sqlite3_reset(statement);
	g_array_append_val(volumes, volume);
	return row >= 0;
}

bool reader_offline_filesystems(Reader *r, GArray *filesystems, GError **error)
{
	g_autoptr(GArray) ids = g_array_new(FALSE, FALSE, sizeof(int64_t));
	bool ok = read_ids(r, ids, error);
	for (guint i = 0; ok && i < ids->len; i++) {
		VolumeStats volume = {0};
		int64_t id = g_array_index(ids, int64_t, i);
		ok = read_top(r, id, &volume, error);
		if (volume.path && volume.offline)
			g_array_append_val(filesystems, id);
		clear_volume(&volume);
	}
	return ok;
}

bool reader_volumes(Reader *r, GArray **volumes_r, GError **error)
{
	g_autoptr(GArray) ids = g_array_new(FALSE, FALSE, sizeof(int64_t));
	g_autoptr(GArray) volumes = g_array_new(FALSE, FALSE, sizeof(VolumeStats));
	g_array_set_clear_func(volumes, clear_volume);
	*volumes_r = NULL;
	if (!reader_begin(r, 0, error))
		return false;
	bool ok = read_ids(r, ids, error);
	for (guint i = 0; ok && i < ids->len; i++)
		ok = read_volume(r, g_array_index(ids, int64_t, i), volumes, error);
	reader_end(r);
	if (ok)
		*volumes_r = g_steal_pointer(&volumes);
	return ok;
}
