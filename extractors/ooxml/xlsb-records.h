/* SPDX-License-Identifier: GPL-3.0-or-later */
/* xlsb-records.h - the records of a part of a binary workbook (MS-XLSB 2.1.4)
 *
 * Kind and length of a record are written in groups of 7 bits, lowest first. Numbers are
 * little-endian, strings are UTF-16 with their length in front. */
#pragma once
#include "extractors/shared/zipparts.h"
#include <stdbool.h>

typedef struct {
	ZipParts *zip;
	uint8_t buffer[64 << 10];
	size_t at, filled; /* in buffer */
	unsigned kind;
	bool cut; /* the part ended within a record */
	GByteArray *record; /* the current record; empty if it is too long */
} BinaryPart;

/* Reads the part selected with zip_part_begin(). */
BinaryPart *binary_part_new(ZipParts *zip);
void binary_part_free(BinaryPart *part);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(BinaryPart, binary_part_free)

/* Moves to the next record; false at the end or at truncation. */
bool binary_next(BinaryPart *part);

/* Read from the current record at offset `at`; 0 outside of it. */
unsigned binary_byte(const BinaryPart *part, size_t at);
uint32_t binary_u16(const BinaryPart *part, size_t at);
uint32_t binary_u32(const BinaryPart *part, size_t at);
double binary_double(const BinaryPart *part, size_t at);
/* Reads the string at *at and moves *at past it. Never NULL; "" for an absent string. The caller
 * frees it. */
char *binary_string(const BinaryPart *part, size_t *at);
