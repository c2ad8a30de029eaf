/* SPDX-License-Identifier: GPL-3.0-or-later */
/* xlsb-records.h - the records of a part of a binary workbook (MS-XLSB 2.1.4)
 *
 * Kind and length of a record are written in groups of 7 bits, the lowest first. Numbers are
 * little-endian, strings UTF-16 with their length in front. */
#pragma once
#include "extractors/shared/zipparts.h"
#include <stdbool.h>

typedef struct {
	ZipParts *zip;
	uint8_t buffer[64 << 10];
	size_t at, filled; /* in buffer */
	unsigned kind;
	bool cut; /* it ended within a record */
	GByteArray *record; /* of the record that is read; empty if it is longer than is kept */
} BinaryPart;

/* Reads the part that zip_part_begin() began. */
BinaryPart *binary_part_new(ZipParts *zip);
void binary_part_free(BinaryPart *part);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(BinaryPart, binary_part_free)

/* On to the next record; false at the end, or where it is cut. */
bool binary_next(BinaryPart *part);

/* Of the record; 0 where they would be outside. */
unsigned binary_byte(const BinaryPart *part, size_t at);
uint32_t binary_u16(const BinaryPart *part, size_t at);
uint32_t binary_u32(const BinaryPart *part, size_t at);
double binary_double(const BinaryPart *part, size_t at);
/* The string at *at, which moves behind it. Yours, never NULL; "" for a string that is absent. */
char *binary_string(const BinaryPart *part, size_t *at);
