/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stream-brotli.c - Brotli (RFC 7932) with its own library
 *
 * A Brotli stream has no signature, so only the name of a file tells the type. The first piece must
 * therefore unpack without an error, and if the stream ends in it, nothing may follow. */
#include <config.h>
#include "extractors/archive/stream.h"
#include <brotli/decode.h>

typedef struct {
	BrotliDecoderState *state;
	bool began; /* the first piece is read */
} BrotliStream;

static void *brotli_begin(void)
{
	BrotliStream *brotli = g_new0(BrotliStream, 1);
	brotli->state = BrotliDecoderCreateInstance(NULL, NULL, NULL);
	if (!brotli->state)
		g_error("out of memory");
	return brotli;
}

static void brotli_end(void *decoder)
{
	BrotliStream *brotli = decoder;
	BrotliDecoderDestroyInstance(brotli->state);
	g_free(brotli);
}

static StreamState brotli_read(void *decoder, Bytes *packed, uint8_t *piece, size_t *size_r)
{
	BrotliStream *brotli = decoder;
	size_t room = STREAM_PIECE_BYTES;
	uint8_t *to = piece;
	BrotliDecoderResult result = BrotliDecoderDecompressStream(
	        brotli->state, &packed->size, &packed->data, &room, &to, NULL);
	bool ended = result == BROTLI_DECODER_RESULT_SUCCESS;
	bool is_other = result == BROTLI_DECODER_RESULT_ERROR || (ended && packed->size > 0);
	if (is_other && !brotli->began)
		return STREAM_DAMAGED;
	brotli->began = true;
	*size_r = STREAM_PIECE_BYTES - room;
	return ended                                               ? STREAM_ENDED
	       : result == BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT ? STREAM_GOES_ON
	                                                           : STREAM_DAMAGED;
}

const StreamFilter stream_brotli = {"application/x-brotli", brotli_begin, brotli_end, brotli_read};
