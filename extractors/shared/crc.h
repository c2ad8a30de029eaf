/* SPDX-License-Identifier: GPL-3.0-or-later */
/* crc.h - CRC-32 of bytes, as archives and compressed streams record it
 *
 * The lowest bit comes first, the register begins and ends inverted (RFC 1952, section 8, but for
 * the polynomial, which is one of those below). */
#pragma once
#include <stddef.h>
#include <stdint.h>

#define CRC_COMMON 0xedb88320u /* zip, gzip */
#define CRC_CASTAGNOLI 0x82f63b78u /* Snappy */

static inline uint32_t crc_of(const uint8_t *bytes, size_t size, uint32_t polynomial)
{
	uint32_t crc = UINT32_MAX;
	for (size_t i = 0; i < size; i++) {
		crc ^= bytes[i];
		for (unsigned bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? polynomial : 0);
	}
	return ~crc;
}
