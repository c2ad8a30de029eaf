/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "fetch/decode.h"
#include <brotli/decode.h>
#include <glib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

enum {
	MOST_STAGES = 4,
	PIECE_BYTES = 16 << 10,
	GZIP_WINDOW = MAX_WBITS + 16,
	ZSTD_WINDOW_LOG = 23, /* RFC 9659: no more than 8 MiB in HTTP */
};

typedef enum { CODING_GZIP, CODING_DEFLATE, CODING_BROTLI, CODING_ZSTD } Coding;

/* One coding, undone. */
typedef struct {
	Coding coding;
	z_stream z; /* of gzip and deflate */
	BrotliDecoderState *brotli;
	ZSTD_DStream *zstd;
	uint8_t head[2]; /* of deflate: they tell whether it has the frame of zlib */
	unsigned n_head;
	bool ended; /* a member, frame or stream is complete */
	bool done; /* what follows is left out */
	uint64_t made; /* bytes */
} DecodeStage;

struct BodyDecoder {
	DecodeStage stages[MOST_STAGES]; /* in the order in which they are undone */
	unsigned n_stages;
	bool unknown;
	uint64_t limit;
	DecodeSink *sink;
	void *data;
};

typedef struct {
	const uint8_t *data;
	size_t size;
} DecodeInput;

/* ---- names */

static bool coding_find(const char *name, Coding *coding_r)
{
	static const struct {
		const char *name;
		Coding coding;
	} known[] = {{"gzip", CODING_GZIP}, {"x-gzip", CODING_GZIP}, {"deflate", CODING_DEFLATE},
	        {"br", CODING_BROTLI}, {"zstd", CODING_ZSTD}};
	for (size_t i = 0; i < G_N_ELEMENTS(known); i++)
		if (g_ascii_strcasecmp(name, known[i].name) == 0) {
			*coding_r = known[i].coding;
			return true;
		}
	return false;
}

/* Codings of the registry of IANA, and of servers, which nobody offered to read. */
static bool coding_is_other(const char *name)
{
	static const char *const names[] = {"aes128gcm", "bzip2", "compress", "dcb", "dcz", "exi",
	        "lzma", "pack200-gzip", "x-bzip2", "x-compress", "xz"};
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
		if (g_ascii_strcasecmp(name, names[i]) == 0)
			return true;
	return false;
}

/* ---- one coding */

/* That of deflate waits for its first bytes. */
static bool stage_begin(DecodeStage *s)
{
	switch (s->coding) {
	case CODING_GZIP:
		return inflateInit2(&s->z, GZIP_WINDOW) == Z_OK;
	case CODING_DEFLATE:
		return true;
	case CODING_BROTLI:
		s->brotli = BrotliDecoderCreateInstance(NULL, NULL, NULL);
		return s->brotli != NULL;
	case CODING_ZSTD:
		s->zstd = ZSTD_createDStream();
		return s->zstd && !ZSTD_isError(ZSTD_DCtx_setParameter(
		                          s->zstd, ZSTD_d_windowLogMax, ZSTD_WINDOW_LOG));
	}
	return false;
}

static void stage_end(DecodeStage *s)
{
	if (s->coding == CODING_GZIP || s->coding == CODING_DEFLATE)
		inflateEnd(&s->z);
	BrotliDecoderDestroyInstance(s->brotli);
	ZSTD_freeDStream(s->zstd);
}

/* The standard has the frame of zlib, and some servers leave it out. */
static bool deflate_begin(DecodeStage *s)
{
	bool framed =
	        (s->head[0] & 0x0f) == Z_DEFLATED && (s->head[0] * 256 + s->head[1]) % 31 == 0;
	return inflateInit2(&s->z, framed ? MAX_WBITS : -MAX_WBITS) == Z_OK;
}

typedef enum { STEP_ON, STEP_END, STEP_DAMAGED } DecodeStep;

static DecodeStep step_inflate(DecodeStage *s, DecodeInput *in, uint8_t *piece, size_t *size_r)
{
	s->z.next_in = (uint8_t *)in->data;
	s->z.avail_in = (uInt)in->size;
	s->z.next_out = piece;
	s->z.avail_out = PIECE_BYTES;
	int status = inflate(&s->z, Z_NO_FLUSH);
	in->data += in->size - s->z.avail_in;
	in->size = s->z.avail_in;
	*size_r = PIECE_BYTES - s->z.avail_out;
	if (status == Z_STREAM_END && s->coding == CODING_GZIP)
		inflateReset(&s->z);
	return status == Z_STREAM_END                    ? STEP_END
	       : status == Z_OK || status == Z_BUF_ERROR ? STEP_ON
	                                                 : STEP_DAMAGED;
}

static DecodeStep step_brotli(DecodeStage *s, DecodeInput *in, uint8_t *piece, size_t *size_r)
{
	size_t room = PIECE_BYTES;
	BrotliDecoderResult result =
	        BrotliDecoderDecompressStream(s->brotli, &in->size, &in->data, &room, &piece, NULL);
	*size_r = PIECE_BYTES - room;
	return result == BROTLI_DECODER_RESULT_SUCCESS ? STEP_END
	       : result == BROTLI_DECODER_RESULT_ERROR ? STEP_DAMAGED
	                                               : STEP_ON;
}

static DecodeStep step_zstd(DecodeStage *s, DecodeInput *in, uint8_t *piece, size_t *size_r)
{
	ZSTD_inBuffer from = {in->data, in->size, 0};
	ZSTD_outBuffer to = {piece, PIECE_BYTES, 0};
	size_t left = ZSTD_decompressStream(s->zstd, &to, &from);
	in->data += from.pos;
	in->size -= from.pos;
	*size_r = to.pos;
	return ZSTD_isError(left) ? STEP_DAMAGED : left == 0 ? STEP_END : STEP_ON;
}

static DecodeStep stage_step(DecodeStage *s, DecodeInput *in, uint8_t *piece, size_t *size_r)
{
	switch (s->coding) {
	case CODING_GZIP:
	case CODING_DEFLATE:
		return step_inflate(s, in, piece, size_r);
	case CODING_BROTLI:
		return step_brotli(s, in, piece, size_r);
	case CODING_ZSTD:
		break;
	}
	return step_zstd(s, in, piece, size_r);
}

static bool coding_has_members(Coding coding)
{
	return coding == CODING_GZIP || coding == CODING_ZSTD;
}

/* ---- one after the other */

static DecodeResult stage_write(BodyDecoder *d, unsigned n, const uint8_t *bytes, size_t length);

static DecodeResult stage_pass(BodyDecoder *d, unsigned n, const uint8_t *bytes, size_t length)
{
	DecodeStage *s = &d->stages[n];
	if (length == 0)
		return DECODE_OK;
	s->made += length;
	if (n + 1 == d->n_stages)
		return d->sink(bytes, length, d->data) ? DECODE_OK : DECODE_STOPPED;
	if (s->made > d->limit)
		return DECODE_TOO_LARGE;
	DecodeResult result = stage_write(d, n + 1, bytes, length);
	s->done |= d->stages[n + 1].done;
	return result;
}

static DecodeResult stage_run(BodyDecoder *d, unsigned n, DecodeInput in)
{
	DecodeStage *s = &d->stages[n];
	uint8_t piece[PIECE_BYTES];
	size_t size = sizeof piece;
	while (!s->done && (in.size > 0 || size == sizeof piece)) {
		DecodeStep step = stage_step(s, &in, piece, &size);
		if (step == STEP_DAMAGED && !s->ended)
			return DECODE_DAMAGED;
		DecodeResult result = stage_pass(d, n, piece, size);
		if (result != DECODE_OK)
			return result;
		s->ended |= step == STEP_END;
		s->done |= step == STEP_DAMAGED ||
		           (step == STEP_END && !coding_has_members(s->coding));
	}
	return DECODE_OK;
}

static DecodeResult stage_write(BodyDecoder *d, unsigned n, const uint8_t *bytes, size_t length)
{
	DecodeStage *s = &d->stages[n];
	DecodeInput in = {bytes, length};
	if (s->coding != CODING_DEFLATE || s->n_head == sizeof s->head)
		return stage_run(d, n, in);
	for (; in.size > 0 && s->n_head < sizeof s->head; in.data++, in.size--)
		s->head[s->n_head++] = *in.data;
	if (s->n_head < sizeof s->head)
		return DECODE_OK;
	if (!deflate_begin(s))
		return DECODE_DAMAGED;
	DecodeResult result = stage_run(d, n, (DecodeInput){s->head, sizeof s->head});
	return result == DECODE_OK ? stage_run(d, n, in) : result;
}

DecodeResult decoder_write(BodyDecoder *d, const uint8_t *bytes, size_t length)
{
	if (d->unknown)
		return DECODE_UNKNOWN;
	if (d->n_stages > 0)
		return stage_write(d, 0, bytes, length);
	return d->sink(bytes, length, d->data) ? DECODE_OK : DECODE_STOPPED;
}

/* ---- life */

static void decoder_add(BodyDecoder *d, const char *name)
{
	DecodeStage *s = &d->stages[d->n_stages];
	Coding coding;
	if (!coding_find(name, &coding)) {
		d->unknown |= coding_is_other(name);
		return;
	}
	d->unknown |= d->n_stages == MOST_STAGES;
	if (d->unknown)
		return;
	s->coding = coding;
	d->n_stages++;
	d->unknown |= !stage_begin(s);
}

/* The last coding is undone first. */
BodyDecoder *decoder_new(const char *codings, uint64_t limit, DecodeSink *sink, void *data)
{
	BodyDecoder *d = g_new0(BodyDecoder, 1);
	g_auto(GStrv) names = g_strsplit(codings ? codings : "", ",", -1);
	d->limit = limit;
	d->sink = sink;
	d->data = data;
	for (guint n = g_strv_length(names); n-- > 0;)
		decoder_add(d, g_strstrip(names[n]));
	return d;
}

void decoder_free(BodyDecoder *d)
{
	if (!d)
		return;
	for (unsigned n = 0; n < d->n_stages; n++)
		stage_end(&d->stages[n]);
	g_free(d);
}
