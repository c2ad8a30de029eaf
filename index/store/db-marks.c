/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/store/db-marks.h"
#include "common/base/autofd.h"
#include "common/base/i18n.h"
#include "common/base/paths.h"
#include "index/store/db-error.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define DAMAGED_NAME "damaged"
#define BULK_NAME "bulk"

/* ---- the lock */

/* A program that a killed writer was just starting holds its descriptors until it is executed. */
static bool lock_patiently(int fd)
{
	enum { TRIES = 50, PAUSE_US = 20000 };
	int result = -1;
	for (unsigned i = 0; i < TRIES; i++) {
		result = flock(fd, LOCK_EX | LOCK_NB);
		if (result == 0 || errno != EWOULDBLOCK)
			break;
		g_usleep(PAUSE_US);
	}
	return result == 0;
}

int db_lock(const char *index_dir, GError **error)
{
	g_autoptr(GError) why = NULL;
	g_autofree char *path = g_build_filename(index_dir, "lock", NULL);

	if (!paths_make_private_dir(index_dir, &why)) {
		g_set_error_literal(error, INDEX_ERROR, INDEX_ERROR_OTHER, why->message);
		return -1;
	}
	autofd fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
	if (fd < 0 || fchmod(fd, 0600) != 0) {
		db_fail_errno(error, path, errno);
		return -1;
	}
	if (lock_patiently(fd))
		return autofd_steal(&fd);
	if (errno == EWOULDBLOCK)
		g_set_error(error, INDEX_ERROR, INDEX_ERROR_LOCKED,
		        _("another process is writing to this index"));
	else
		db_fail_errno(error, path, errno);
	return -1;
}

/* ---- the mark of damage */

bool db_mark_damaged(const char *index_dir, const char *why, GError **error)
{
	g_autofree char *path = g_build_filename(index_dir, DAMAGED_NAME, NULL);
	autofd fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0 || write(fd, why, strlen(why)) < 0)
		return db_fail_errno(error, path, errno);
	return true;
}

char *db_damage_mark(const char *index_dir)
{
	g_autofree char *path = g_build_filename(index_dir, DAMAGED_NAME, NULL);
	char text[200];
	autofd fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	ssize_t n = fd >= 0 ? read(fd, text, sizeof(text)) : -1;
	return n >= 0 ? g_utf8_make_valid(text, n) : NULL;
}

void db_unmark_damaged(const char *index_dir)
{
	g_autofree char *path = g_build_filename(index_dir, DAMAGED_NAME, NULL);
	unlink(path);
}

/* ---- bulk loads without syncing */

/* A random number of this boot of the machine; "" if it is unknown. */
static char *boot_id(void)
{
	char *id = NULL;
	if (!g_file_get_contents("/proc/sys/kernel/random/boot_id", &id, NULL, NULL))
		return g_strdup("");
	return g_strstrip(id);
}

static bool sync_dir(const char *dir)
{
	autofd fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return fd >= 0 && fsync(fd) == 0;
}

bool db_mark_bulk(const char *index_dir, GError **error)
{
	g_autofree char *path = g_build_filename(index_dir, BULK_NAME, NULL);
	g_autofree char *id = boot_id();
	autofd fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0 || write(fd, id, strlen(id)) < 0 || fsync(fd) != 0 || !sync_dir(index_dir))
		return db_fail_errno(error, path, errno);
	return true;
}

void db_unmark_bulk(const char *index_dir)
{
	g_autofree char *path = g_build_filename(index_dir, BULK_NAME, NULL);
	unlink(path);
}

DbBulk db_bulk_mark(const char *index_dir)
{
	g_autofree char *path = g_build_filename(index_dir, BULK_NAME, NULL);
	g_autofree char *id = boot_id();
	char text[64];
	autofd fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	ssize_t n = fd >= 0 ? read(fd, text, sizeof(text)) : -1;
	if (n < 0)
		return DB_BULK_NONE;
	bool same = *id && (size_t)n == strlen(id) && memcmp(text, id, n) == 0;
	return same ? DB_BULK_OPEN : DB_BULK_CUT;
}
