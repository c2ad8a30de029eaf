/* SPDX-License-Identifier: GPL-3.0-or-later */
/* warc-store.h - the fetched pages of one source: a directory of WARC files with random access
 *
 * DIR/00000001.warc.gz, 00000002.warc.gz, ...: each begins with a "warcinfo" record, and a new one
 * begins when the last has WARC_FILE_BYTES. Each record is a gzip member of its own
 * (warc-record.h), so a place is enough to read it. Files are of mode 0600 and the directory of
 * 0700. There is one writer.
 *
 * A record is durable after warc_store_sync(); then the caller commits its place. If the machine
 * stops in between, warc_store_open() finds the record after the last place that the caller knows.
 * Superseded records are dead until compaction: the caller moves the live records of a file, syncs,
 * commits their new places, and then removes the file. The number of a file is not used again. */
#pragma once
#include "common/warc/warc-record.h"

enum { WARC_FILE_BYTES = 64 << 20 };

/* Where a record is. file counts from 1; 0: nowhere. */
typedef struct {
	uint32_t file;
	uint32_t length; /* bytes of the gzip member */
	uint64_t offset; /* in bytes */
} WarcPlace;

/* Reads one record, for any process that may read the directory. uri: what the record must be
 * about. max_bytes: of the unpacked record. NULL with WARC_ERROR_DAMAGED if the record is not there
 * or is another one, which reading again will not change, or WARC_ERROR_IO. The caller owns the
 * result. */
WarcContent *warc_store_read(
        const char *dir, const WarcPlace *place, const char *uri, size_t max_bytes, GError **error);

typedef struct WarcStore WarcStore;

/* Opens the store for writing and makes the directory if it is absent. known: the last record that
 * the caller knows; file 0: none. found is called for each whole record after it, in order, but
 * not for "warcinfo" records; content is borrowed. A torn end is cut off. NULL with WARC_ERROR_IO
 * or WARC_ERROR_FULL. generator: name and version of the program, for "warcinfo". */
typedef void (*WarcFoundFunc)(const WarcPlace *place, const WarcContent *content, void *data);
WarcStore *warc_store_open(const char *dir, const char *generator, const WarcPlace *known,
        WarcFoundFunc found, void *data, GError **error);
void warc_store_close(WarcStore *store); /* NULL is allowed; syncs nothing */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WarcStore, warc_store_close)

/* Appends a record. digest_r: as of warc_record_pack(). After an error the store is as before. */
bool warc_store_append(WarcStore *store, const WarcDraft *record, WarcPlace *place_r,
        uint8_t *digest_r, GError **error);
/* Writes everything that was appended to the disk. */
bool warc_store_sync(WarcStore *store, GError **error);

/* Copies a live record of an older file to the end of the store, byte for byte. uri: what the
 * record must be about. Errors are those of warc_store_read(), and WARC_ERROR_FULL. */
bool warc_store_move(WarcStore *store, const WarcPlace *from, const char *uri, WarcPlace *place_r,
        GError **error);
/* Begins a new file, so that the one before can be removed. */
bool warc_store_begin_file(WarcStore *store, GError **error);
/* Removes a file whose live records were all moved and synced. The file that is being written is
 * refused with WARC_ERROR_INVALID. A file that is absent counts as removed. */
bool warc_store_remove_file(WarcStore *store, uint32_t file, GError **error);

/* Bytes of a file; 0 if it is absent. */
uint64_t warc_store_file_bytes(const WarcStore *store, uint32_t file);
/* Reads the "warcinfo" record of a file. *bytes_r: of that record; *begun_s_r: seconds since 1970
 * when the file was begun. Both are 0 if it is absent or damaged. */
void warc_store_file_info(
        const WarcStore *store, uint32_t file, uint64_t *bytes_r, int64_t *begun_s_r);
/* The file that is being written. */
uint32_t warc_store_last_file(const WarcStore *store);
