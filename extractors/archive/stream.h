/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stream.h - single compressed files whose filter libarchive lacks or runs as a program
 *
 * stream.c has a table with a row for each filter. A stream is unpacked piece by piece while
 * libarchive reads, so that a tar inside is read like any other. */
#pragma once
#include "extractors/shared/bytes.h"
#include "extractors/shared/extractor.h"
#include <archive.h>

enum { STREAM_PIECE_BYTES = 64 << 10 };

typedef enum { STREAM_GOES_ON, STREAM_ENDED, STREAM_DAMAGED } StreamState;

/* One row of the table. */
typedef struct {
	const char *mime;
	/* Makes a decoder. NULL: the filter needs none. */
	void *(*open)(void);
	void (*close)(void *decoder);
	/* Unpacks into piece, which has STREAM_PIECE_BYTES, and removes the used bytes from packed.
	 * *size_r: bytes unpacked, including those before damage. It is 0 only if the stream does
	 * not go on. */
	StreamState (*read)(void *decoder, Bytes *packed, uint8_t *piece, size_t *size_r);
} StreamFilter;

extern const StreamFilter stream_brotli; /* RFC 7932 */
extern const StreamFilter stream_snappy; /* the framing format of Snappy, with its checksums */
extern const StreamFilter stream_zlib; /* RFC 1950 */

typedef struct FilterStream FilterStream;

/* Returns NULL if the table has no row for the type of in. in must outlive the stream. The caller
 * owns the stream. */
FilterStream *stream_new(const Input *in);
void stream_free(FilterStream *stream);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(FilterStream, stream_free)

/* Makes archive read the unpacked stream, up to its end or to damage. Returns a status of
 * libarchive. */
int stream_open(FilterStream *stream, struct archive *archive);
/* True if reading ended in damage. */
bool stream_is_damaged(const FilterStream *stream);
