/* SPDX-License-Identifier: GPL-3.0-or-later */
/* decode.h - the content codings of a body (RFC 9110, 8.4), as browsers take them
 *
 * libcurl fails where a name means no coding ("utf-8", "none", "binary") or where bytes follow the
 * end of a stream, and pages of such servers would be lost. Here names that are none are ignored,
 * further gzip members and zstd frames belong to the body, and other bytes after an end are left
 * out. A body that ends early has what was decoded; one that is damaged is an error. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is offered in Accept-Encoding. */
#define DECODE_ACCEPTED "gzip, deflate, br, zstd"

typedef struct BodyDecoder BodyDecoder;

/* Takes some of the decoded bytes. False: no more are wanted. */
typedef bool DecodeSink(const uint8_t *bytes, size_t length, void *data);

typedef enum {
	DECODE_OK,
	DECODE_STOPPED, /* by the sink */
	DECODE_TOO_LARGE, /* what lies between two codings exceeds the limit */
	DECODE_DAMAGED,
	DECODE_UNKNOWN, /* it has a coding that is not decoded here */
} DecodeResult;

/* codings: the values of Content-Encoding with commas between them, or NULL. limit: bytes between
 * two codings; what the sink gets is its own to limit. */
BodyDecoder *decoder_new(const char *codings, uint64_t limit, DecodeSink *sink, void *data);
void decoder_free(BodyDecoder *decoder); /* NULL is allowed */
/* Decodes the next bytes. After another result than DECODE_OK nothing else may be decoded. */
DecodeResult decoder_write(BodyDecoder *decoder, const uint8_t *bytes, size_t length);
