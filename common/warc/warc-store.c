/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/warc/warc-store.h"
#include "common/base/autofd.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum {
	NAME_BYTES = sizeof "00000001.warc.gz",
	/* Bytes of one member: a body that does not compress, headers, and gzip's own. */
	MAX_MEMBER_BYTES = WARC_MAX_BODY_BYTES + (WARC_MAX_BODY_BYTES >> 10) + (256 << 10),
	MAX_UNPACKED_BYTES = WARC_MAX_BODY_BYTES + 2 * WARC_MAX_HEAD_BYTES,
};

struct WarcStore {
	int dir, fd; /* fd: the last file */
	uint32_t file; /* the last file; 0: there is none */
	uint64_t end; /* of the last file */
	bool unsynced;
	char *generator;
};

static void warc_file_name(char name[NAME_BYTES], uint32_t file)
{
	g_snprintf(name, NAME_BYTES, "%08u.warc.gz", file % 100000000u);
}

static bool io_failed(GError **error, const char *what)
{
	int code = errno;
	g_set_error(error, WARC_ERROR,
	        code == ENOSPC || code == EDQUOT ? WARC_ERROR_FULL : WARC_ERROR_IO,
	        "the store of pages: %s: %s", what, g_strerror(code));
	return false;
}

static int open_file(int dir, uint32_t file, int flags)
{
	char name[NAME_BYTES];
	warc_file_name(name, file);
	return openat(dir, name, flags | O_CLOEXEC | O_NOFOLLOW, 0600);
}

static bool read_exactly(int fd, uint8_t *bytes, size_t length, uint64_t offset)
{
	for (size_t done = 0; done < length;) {
		ssize_t n = pread(fd, bytes + done, length - done, offset + done);
		if (n < 0 && errno == EINTR)
			continue;
		if (n == 0)
			errno = ENODATA;
		if (n <= 0)
			return false;
		done += n;
	}
	return true;
}

static bool write_exactly(int fd, const uint8_t *bytes, size_t length, uint64_t offset)
{
	for (size_t done = 0; done < length;) {
		ssize_t n = pwrite(fd, bytes + done, length - done, offset + done);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return false;
		done += n;
	}
	return true;
}

/* A record that is not there, or ends too early, will not be there the next time. */
static bool read_failed(GError **error)
{
	if (errno != ENOENT && errno != ENODATA)
		return io_failed(error, "reading");
	g_set_error_literal(error, WARC_ERROR, WARC_ERROR_DAMAGED, "an archived page is not there");
	return false;
}

/* Reads the bytes of a member; NULL with error. */
static uint8_t *warc_read_member(int dir, const WarcPlace *place, GError **error)
{
	if (place->file == 0 || place->length == 0 || place->length > MAX_MEMBER_BYTES) {
		g_set_error_literal(
		        error, WARC_ERROR, WARC_ERROR_DAMAGED, "an archived page has no place");
		return NULL;
	}
	autofd fd = open_file(dir, place->file, O_RDONLY);
	g_autofree uint8_t *bytes = g_malloc(place->length);
	if (fd < 0 || !read_exactly(fd, bytes, place->length, place->offset)) {
		read_failed(error);
		return NULL;
	}
	return g_steal_pointer(&bytes);
}

/* Unpacks a member, which must be about this address. */
static WarcContent *unpack_about(const uint8_t *bytes, const WarcPlace *place, const char *uri,
        size_t max_bytes, GError **error)
{
	g_autoptr(WarcContent) content = warc_record_unpack(bytes, place->length, max_bytes, error);
	if (content && g_strcmp0(content->uri, uri) != 0) {
		g_set_error_literal(error, WARC_ERROR, WARC_ERROR_DAMAGED,
		        "an archived page is about another address");
		return NULL;
	}
	return g_steal_pointer(&content);
}

WarcContent *warc_store_read(
        const char *dir, const WarcPlace *place, const char *uri, size_t max_bytes, GError **error)
{
	autofd fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0) {
		read_failed(error);
		return NULL;
	}
	g_autofree uint8_t *bytes = warc_read_member(fd, place, error);
	return bytes ? unpack_about(bytes, place, uri, max_bytes, error) : NULL;
}

/* ---- opening */

/* Finds the last file by its number. */
static bool find_last_file(WarcStore *store, const char *path, GError **error)
{
	g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
	if (!dir)
		return io_failed(error, "listing");
	for (const char *name; (name = g_dir_read_name(dir));) {
		char again[NAME_BYTES];
		guint64 file = g_ascii_strtoull(name, NULL, 10);
		if (file == 0 || file > 99999999)
			continue;
		warc_file_name(again, file);
		if (strcmp(again, name) == 0 && file > store->file)
			store->file = file;
	}
	return true;
}

/* Is the file one that this store wrote, at least up to the offset? One that lost its end, or is
 * longer than any, is left as it is. */
static bool file_is_sound(int fd, uint64_t offset, uint64_t *size_r)
{
	struct stat facts;
	if (fstat(fd, &facts) != 0 || !S_ISREG(facts.st_mode))
		return false;
	*size_r = facts.st_size;
	return *size_r >= offset &&
	       *size_r - offset <= (uint64_t)WARC_FILE_BYTES + MAX_MEMBER_BYTES;
}

/* Reports the whole records of a file from an offset up to its size. *end_r: where they end. False
 * if the file cannot be read. */
static bool scan_file(
        int fd, uint64_t size, WarcPlace from, WarcFoundFunc found, void *data, uint64_t *end_r)
{
	size_t at = 0, all = size - from.offset;
	g_autofree uint8_t *bytes = g_malloc(all + 1);
	if (!read_exactly(fd, bytes, all, from.offset))
		return false;
	while (at < all) {
		size_t length = 0;
		g_autoptr(WarcContent) content = warc_record_unpack_first(
		        bytes + at, all - at, MAX_UNPACKED_BYTES, &length, NULL);
		if (!content)
			break;
		WarcPlace place = {from.file, length, from.offset + at};
		if (content->type != WARC_INFO && found)
			found(&place, content, data);
		at += length;
	}
	*end_r = from.offset + at;
	return true;
}

/* Reads the records after the known one, and cuts the torn end of the last file. */
static bool recover(
        WarcStore *store, const WarcPlace *known, WarcFoundFunc found, void *data, GError **error)
{
	for (uint32_t file = MAX(known->file, 1); file <= store->file; file++) {
		autofd fd = open_file(store->dir, file, O_RDWR);
		WarcPlace from = {.file = file,
		        .offset = file == known->file ? known->offset + known->length : 0};
		uint64_t size, end;
		if (fd < 0 && errno == ENOENT)
			continue;
		if (fd < 0)
			return io_failed(error, "opening a file");
		if (!file_is_sound(fd, from.offset, &size))
			continue; /* the next record begins a new file */
		if (!scan_file(fd, size, from, found, data, &end))
			return io_failed(error, "reading a file");
		if (file == store->file) {
			if (ftruncate(fd, end) != 0)
				return io_failed(error, "cutting a torn end");
			store->fd = autofd_steal(&fd);
			store->end = end;
		}
	}
	return true;
}

WarcStore *warc_store_open(const char *dir, const char *generator, const WarcPlace *known,
        WarcFoundFunc found, void *data, GError **error)
{
	if (g_mkdir_with_parents(dir, 0700) != 0) {
		io_failed(error, "making its directory");
		return NULL;
	}
	g_autoptr(WarcStore) store = g_new0(WarcStore, 1);
	store->fd = -1;
	store->generator = g_strdup(generator);
	store->dir = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (store->dir < 0) {
		io_failed(error, "opening");
		return NULL;
	}
	if (!find_last_file(store, dir, error) || !recover(store, known, found, data, error))
		return NULL;
	return g_steal_pointer(&store);
}

void warc_store_close(WarcStore *store)
{
	if (!store)
		return;
	if (store->fd >= 0)
		close(store->fd);
	if (store->dir >= 0)
		close(store->dir);
	g_free(store->generator);
	g_free(store);
}

/* ---- writing */

static bool append_bytes(
        WarcStore *store, const uint8_t *bytes, size_t length, WarcPlace *place_r, GError **error)
{
	if (!write_exactly(store->fd, bytes, length, store->end)) {
		io_failed(error, "writing");
		if (ftruncate(store->fd, store->end) != 0)
			g_warning("the store of pages keeps a torn end: %s", g_strerror(errno));
		return false;
	}
	*place_r = (WarcPlace){store->file, length, store->end};
	store->end += length;
	store->unsynced = true;
	return true;
}

/* Begins a new file with its "warcinfo" record. The one before is synced, since
 * warc_store_sync() knows the last one only. */
static bool begin_file(WarcStore *store, GError **error)
{
	g_autofree char *lines = g_strdup_printf("software: %s\r\n"
	                                         "format: WARC File Format 1.1\r\n",
	        store->generator);
	WarcDraft info = {.type = WARC_INFO,
	        .date = time(NULL),
	        .body = (const uint8_t *)lines,
	        .body_length = strlen(lines)};
	g_autoptr(GByteArray) bytes = g_byte_array_new();
	if (!warc_store_sync(store, error) || !warc_record_pack(&info, bytes, NULL, error))
		return false;
	int fd = open_file(store->dir, store->file + 1, O_RDWR | O_CREAT | O_EXCL);
	if (fd < 0)
		return io_failed(error, "making a file");
	if (store->fd >= 0)
		close(store->fd);
	store->fd = fd;
	store->file++;
	store->end = 0;
	if (fsync(store->dir) != 0)
		return io_failed(error, "making a file durable");
	WarcPlace place;
	return append_bytes(store, bytes->data, bytes->len, &place, error);
}

/* Makes sure that there is a file to append to. An empty one was left by an error. */
static bool prepare_file(WarcStore *store, GError **error)
{
	if (store->fd >= 0 && store->end == 0) {
		char name[NAME_BYTES];
		warc_file_name(name, store->file);
		if (unlinkat(store->dir, name, 0) != 0)
			return io_failed(error, "removing an empty file");
		close(store->fd);
		store->fd = -1;
		store->unsynced = false;
	}
	return (store->fd >= 0 && store->end < WARC_FILE_BYTES) || begin_file(store, error);
}

bool warc_store_append(WarcStore *store, const WarcDraft *record, WarcPlace *place_r,
        uint8_t *digest_r, GError **error)
{
	g_autoptr(GByteArray) bytes = g_byte_array_new();
	return warc_record_pack(record, bytes, digest_r, error) && prepare_file(store, error) &&
	       append_bytes(store, bytes->data, bytes->len, place_r, error);
}

bool warc_store_sync(WarcStore *store, GError **error)
{
	if (store->unsynced && fdatasync(store->fd) != 0)
		return io_failed(error, "syncing");
	store->unsynced = false;
	return true;
}

bool warc_store_move(WarcStore *store, const WarcPlace *from, const char *uri, WarcPlace *place_r,
        GError **error)
{
	g_autofree uint8_t *bytes = warc_read_member(store->dir, from, error);
	if (!bytes)
		return false;
	/* A damaged record would end the scan of the file that it is copied to. */
	g_autoptr(WarcContent) content = unpack_about(bytes, from, uri, MAX_UNPACKED_BYTES, error);
	return content && prepare_file(store, error) &&
	       append_bytes(store, bytes, from->length, place_r, error);
}

bool warc_store_begin_file(WarcStore *store, GError **error)
{
	uint32_t before = store->file;
	return prepare_file(store, error) && (store->file > before || begin_file(store, error));
}

bool warc_store_remove_file(WarcStore *store, uint32_t file, GError **error)
{
	if (file == store->file) {
		g_set_error_literal(error, WARC_ERROR, WARC_ERROR_INVALID,
		        "the file of pages that is being written cannot be removed");
		return false;
	}
	char name[NAME_BYTES];
	warc_file_name(name, file);
	if (unlinkat(store->dir, name, 0) != 0 && errno != ENOENT)
		return io_failed(error, "removing a file");
	return true;
}

uint64_t warc_store_file_bytes(const WarcStore *store, uint32_t file)
{
	char name[NAME_BYTES];
	struct stat facts;
	warc_file_name(name, file);
	return fstatat(store->dir, name, &facts, AT_SYMLINK_NOFOLLOW) == 0 ? facts.st_size : 0;
}

uint32_t warc_store_last_file(const WarcStore *store)
{
	return store->file;
}

void warc_store_file_info(
        const WarcStore *store, uint32_t file, uint64_t *bytes_r, int64_t *begun_s_r)
{
	uint8_t bytes[4 << 10];
	size_t used = 0;
	*bytes_r = 0;
	*begun_s_r = 0;
	autofd fd = open_file(store->dir, file, O_RDONLY);
	ssize_t n = fd >= 0 ? pread(fd, bytes, sizeof bytes, 0) : -1;
	g_autoptr(WarcContent) info =
	        n > 0 ? warc_record_unpack_first(bytes, (size_t)n, MAX_UNPACKED_BYTES, &used, NULL)
	              : NULL;
	if (!info || info->type != WARC_INFO)
		return;
	*bytes_r = used;
	*begun_s_r = info->date;
}
