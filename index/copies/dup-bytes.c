/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/copies/dup-bytes.h"
#include "common/base/autofd.h"
#include "common/base/paths.h"
#include "index/read/reader-page.h"
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DUP_BYTES_CHUNK = 256 << 10 };

/* A memory file with the kept bytes of a page. -1: they are not kept. */
static int dup_bytes_open_page(Reader *r, const char *url)
{
	g_autoptr(GPtrArray) infos = NULL;
	g_auto(ReaderPage) page = {0};
	if (!r || !reader_info(r, url, &infos, NULL) || infos->len == 0 ||
	        reader_web_page(r, ((const Info *)infos->pdata[0])->inode, &page, NULL) <= 0)
		return -1;
	gsize length;
	const uint8_t *bytes = g_bytes_get_data(page.content->body, &length);
	autofd fd = memfd_create("page", MFD_CLOEXEC);
	for (gsize at = 0; fd >= 0 && at < length;) {
		ssize_t n = write(fd, bytes + at, length - at);
		if (n <= 0)
			return -1;
		at += n;
	}
	return autofd_steal(&fd);
}

/* Returns -1 if it is not a regular file, or cannot be read. */
static int dup_bytes_open(Reader *r, const char *path)
{
	struct stat info;
	if (path_is_web(path))
		return dup_bytes_open_page(r, path);
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

typedef enum { BYTES_EQUAL, BYTES_DIFFER, BYTES_ONE_UNREADABLE, BYTES_OTHER_UNREADABLE } DupBytes;

static DupBytes dup_bytes_compare(int one, int other)
{
	g_autofree uint8_t *chunks = g_malloc(2 * DUP_BYTES_CHUNK);
	uint8_t *left = chunks, *right = chunks + DUP_BYTES_CHUNK;
	struct stat a, b;
	if (fstat(one, &a) == 0 && fstat(other, &b) == 0 && a.st_size != b.st_size)
		return BYTES_DIFFER;
	for (off_t at = 0;; at += DUP_BYTES_CHUNK) {
		ssize_t n_left = dup_bytes_read(one, left, at);
		if (n_left < 0)
			return BYTES_ONE_UNREADABLE;
		ssize_t n_right = dup_bytes_read(other, right, at);
		if (n_right < 0)
			return BYTES_OTHER_UNREADABLE;
		if (n_left != n_right || memcmp(left, right, n_left) != 0)
			return BYTES_DIFFER;
		if (n_left < DUP_BYTES_CHUNK)
			return BYTES_EQUAL;
	}
}

/* Compares the file with the first one of the class that can be read still. Those before it leave
 * the class. */
static DupBytes dup_bytes_compare_class(Reader *r, GPtrArray *class, const GPtrArray *paths, int fd)
{
	while (class->len > 0) {
		autofd first = dup_bytes_open(r, paths->pdata[GPOINTER_TO_UINT(class->pdata[0])]);
		DupBytes result = first < 0 ? BYTES_ONE_UNREADABLE : dup_bytes_compare(first, fd);
		if (result != BYTES_ONE_UNREADABLE)
			return result;
		g_ptr_array_remove_index(class, 0);
	}
	return BYTES_DIFFER;
}

/* Adds the path with that index to its class. */
static void dup_bytes_add(Reader *r, GPtrArray *classes, const GPtrArray *paths, guint index)
{
	autofd fd = dup_bytes_open(r, paths->pdata[index]);
	GPtrArray *class = NULL;
	DupBytes result = fd < 0 ? BYTES_OTHER_UNREADABLE : BYTES_DIFFER;
	for (guint i = 0; result == BYTES_DIFFER && i < classes->len; i++) {
		class = classes->pdata[i];
		result = dup_bytes_compare_class(r, class, paths, fd);
	}
	if (result == BYTES_OTHER_UNREADABLE)
		return;
	if (result == BYTES_DIFFER) {
		class = g_ptr_array_new();
		g_ptr_array_add(classes, class);
	}
	g_ptr_array_add(class, GUINT_TO_POINTER(index));
}

GPtrArray *dup_bytes_classes(Reader *r, const GPtrArray *paths)
{
	GPtrArray *classes = g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);
	for (guint i = 0; i < paths->len; i++)
		dup_bytes_add(r, classes, paths, i);
	for (guint i = classes->len; i-- > 0;)
		if (((GPtrArray *)classes->pdata[i])->len == 0)
			g_ptr_array_remove_index(classes, i);
	return classes;
}
