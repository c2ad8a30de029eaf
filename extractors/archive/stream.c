/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/archive/stream.h"
#include <string.h>

struct FilterStream {
	const StreamFilter *filter;
	void *decoder;
	Bytes packed; /* not unpacked yet */
	StreamState state;
	uint8_t piece[STREAM_PIECE_BYTES];
};

static const StreamFilter *const stream_filters[] = {
        &stream_brotli,
        &stream_snappy,
        &stream_zlib,
};

FilterStream *stream_new(const Input *in)
{
	for (size_t i = 0; i < G_N_ELEMENTS(stream_filters); i++) {
		const StreamFilter *filter = stream_filters[i];
		if (strcmp(in->mime, filter->mime) != 0)
			continue;
		FilterStream *stream = g_new0(FilterStream, 1);
		stream->filter = filter;
		stream->packed = (Bytes){in->data, in->size};
		stream->decoder = filter->open ? filter->open() : NULL;
		return stream;
	}
	return NULL;
}

void stream_free(FilterStream *stream)
{
	if (stream->filter->close)
		stream->filter->close(stream->decoder);
	g_free(stream);
}

bool stream_is_damaged(const FilterStream *stream)
{
	return stream->state == STREAM_DAMAGED;
}

static la_ssize_t stream_next_piece(struct archive *archive, void *data, const void **bytes_r)
{
	FilterStream *stream = data;
	size_t size = 0;
	*bytes_r = stream->piece;
	if (stream->state == STREAM_GOES_ON)
		stream->state = stream->filter->read(
		        stream->decoder, &stream->packed, stream->piece, &size);
	return (la_ssize_t)size;
}

int stream_open(FilterStream *stream, struct archive *archive)
{
	return archive_read_open(archive, stream, NULL, stream_next_piece, NULL);
}
