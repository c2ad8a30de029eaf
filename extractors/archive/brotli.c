/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/archive/brotli.h"
#include <brotli/decode.h>
#include <string.h>

enum { PIECE_BYTES = 64 << 10 };

struct Brotli {
	BrotliDecoderState *decoder;
	const uint8_t *at;
	size_t left;
	bool damaged, ended;
	size_t ready; /* bytes of piece that wait to be read */
	uint8_t piece[PIECE_BYTES];
};

bool brotli_is(const Input *in)
{
	return strcmp(in->mime, "application/x-brotli") == 0;
}

/* Fills the piece as far as it goes. */
static void brotli_unpack(Brotli *brotli)
{
	uint8_t *to = brotli->piece;
	size_t room = PIECE_BYTES;
	BrotliDecoderResult result = BrotliDecoderDecompressStream(
	        brotli->decoder, &brotli->left, &brotli->at, &room, &to, NULL);
	brotli->ready = PIECE_BYTES - room;
	brotli->ended = result != BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT;
	brotli->damaged = brotli->ended && result != BROTLI_DECODER_RESULT_SUCCESS;
}

Brotli *brotli_new(const Input *in)
{
	g_autoptr(Brotli) brotli = g_new0(Brotli, 1);
	brotli->decoder = BrotliDecoderCreateInstance(NULL, NULL, NULL);
	brotli->at = in->data;
	brotli->left = in->size;
	if (!brotli->decoder)
		return NULL;
	brotli_unpack(brotli);
	bool is_other = brotli->damaged && BrotliDecoderGetErrorCode(brotli->decoder) < 0;
	return is_other || (brotli->ended && brotli->left > 0) ? NULL : g_steal_pointer(&brotli);
}

void brotli_free(Brotli *brotli)
{
	if (brotli->decoder)
		BrotliDecoderDestroyInstance(brotli->decoder);
	g_free(brotli);
}

bool brotli_is_damaged(const Brotli *brotli)
{
	return brotli->damaged;
}

static la_ssize_t brotli_next_piece(struct archive *archive, void *data, const void **bytes_r)
{
	Brotli *brotli = data;
	if (brotli->ready == 0 && !brotli->ended)
		brotli_unpack(brotli);
	size_t size = brotli->ready;
	brotli->ready = 0;
	*bytes_r = brotli->piece;
	return size;
}

int brotli_open(Brotli *brotli, struct archive *archive)
{
	return archive_read_open(archive, brotli, NULL, brotli_next_piece, NULL);
}
