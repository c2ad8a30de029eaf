/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/copies/dup-bytes.h"
#include "common/base/autofd.h"
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DUP_BYTES_CHUNK = 256 << 10 };

/* Returns -1 if it is no regular file, or cannot be read. */
static int dup_bytes_open(const char *path)
{
	struct stat info;
	autofd fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &info) != 0 || !S_ISREG(info.st_mode))
		return -1;
	return autofd_steal(&fd);
}

/* Reads a chunk; it is shorter only at the end of the file. -1: error. */
static ssize_t dup_bytes_read(int fd, uint8_t *chunk, off_t at)
{
	size_t length = 0;
	while (length < DUP_BYTES_CHUNK) {
		ssize_t got =
		        pread(fd, chunk + length, DUP_BYTES_CHUNK - length, at + (off_t)length);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -1;
		if (got == 0)
			break;
		length += got;
	}
	return (ssize_t)length;
}

static bool dup_bytes_equal(int one, int other)
{
	g_autofree uint8_t *chunks = g_malloc(2 * DUP_BYTES_CHUNK);
	uint8_t *left = chunks, *right = chunks + DUP_BYTES_CHUNK;
	struct stat a, b;
	if (fstat(one, &a) != 0 || fstat(other, &b) != 0 || a.st_size != b.st_size)
		return false;
	for (off_t at = 0;; at += DUP_BYTES_CHUNK) {
		ssize_t got = dup_bytes_read(one, left, at);
		if (got < 0 || dup_bytes_read(other, right, at) != got ||
		        memcmp(left, right, got) != 0)
			return false;
		if (got < DUP_BYTES_CHUNK)
			return true;
	}
}

/* Returns the class of the file, or NULL if it differs from the first file of each. */
static GPtrArray *dup_bytes_find(const GPtrArray *classes, const GPtrArray *paths, int fd)
{
	for (guint i = 0; i < classes->len; i++) {
		GPtrArray *class = classes->pdata[i];
		autofd first = dup_bytes_open(paths->pdata[GPOINTER_TO_UINT(class->pdata[0])]);
		if (first >= 0 && dup_bytes_equal(first, fd))
			return class;
	}
	return NULL;
}

GPtrArray *dup_bytes_classes(const GPtrArray *paths)
{
	GPtrArray *classes = g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);
	for (guint i = 0; i < paths->len; i++) {
		autofd fd = dup_bytes_open(paths->pdata[i]);
		if (fd < 0)
			continue;
		GPtrArray *class = dup_bytes_find(classes, paths, fd);
		if (!class) {
			class = g_ptr_array_new();
			g_ptr_array_add(classes, class);
		}
		g_ptr_array_add(class, GUINT_TO_POINTER(i));
	}
	return classes;
}
