/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/app/resolve-files.h"
#include "common/base/autofd.h"
#include "common/base/i18n.h"
#include "index/read/reader.h"
#include "ui-cli/app/near-print.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

static bool resolve_files_print(const char *file, NearPrint *print_r, void *cli, GError **error)
{
	g_autofree char *path = NULL, *member = NULL;
	return near_print_of(cli, file, print_r, &path, &member, error);
}

/* Returns -1 with errno if it is no regular file. */
static int resolve_files_open(const char *path)
{
	struct stat info;
	autofd fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0 || fstat(fd, &info) != 0)
		return -1;
	errno = EINVAL;
	return S_ISREG(info.st_mode) ? autofd_steal(&fd) : -1;
}

/* Returns false with errno. */
static bool resolve_files_read(int fd, const ChecksumKey *key, uint8_t out[CHECKSUM_BYTES])
{
	enum { CHUNK_BYTES = 64 << 10 };
	g_autofree char *buffer = g_malloc(CHUNK_BYTES);
	Checksum *checksum = checksum_new(key);
	ssize_t got;
	while ((got = read(fd, buffer, CHUNK_BYTES)) > 0)
		checksum_update(checksum, buffer, got);
	checksum_final(checksum, out);
	return got == 0;
}

static bool resolve_files_checksum(
        const char *file, uint8_t checksum[CHECKSUM_BYTES], void *cli, GError **error)
{
	ChecksumKey key;
	Reader *reader = cli_reader(cli, error);
	if (!reader || !reader_checksum_key(reader, &key, error))
		return false;
	autofd fd = resolve_files_open(file);
	if (fd >= 0 && resolve_files_read(fd, &key, checksum))
		return true;
	g_set_error(error, QUERY_ERROR, 0, "%s: %s", file, g_strerror(errno));
	return false;
}

bool resolve_files(Cli *cli, Query *query, GError **error)
{
	const QueryFiles files = {resolve_files_print, resolve_files_checksum, cli};
	return query_resolve_files(query, &files, error);
}
