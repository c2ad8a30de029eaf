/* SPDX-License-Identifier: GPL-3.0-or-later */
/* zp.h - decodes bits of the ZP-coder, the adaptive binary arithmetic coder of DjVu
 *
 * Source: DjVu3 specification, appendix 3 (LizardTech, 2005). */
#pragma once
#include "extractors/shared/bytes.h"
#include <stdbool.h>

typedef struct {
	Bytes from;
	size_t at; /* in bits */
	uint16_t interval, code;
} ZpDecoder;

/* A context learns how probable its next bit is. It starts as 0. */
typedef uint8_t ZpContext;

/* from is read, never copied. */
void zp_begin(ZpDecoder *zp, Bytes from);
bool zp_bit(ZpDecoder *zp, ZpContext *context);
/* A bit that has no context: both values are as probable. */
bool zp_plain_bit(ZpDecoder *zp);
/* True if far more was read than there is. Bits that were decoded since the end mean nothing. */
bool zp_overran(const ZpDecoder *zp);
