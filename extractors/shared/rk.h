/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rk.h - RkNumber, the compact form of most numbers in Excel's binary workbooks (MS-XLS 2.5.217,
 * MS-XLSB 2.5.122) */
#pragma once
#include <stdint.h>
#include <string.h>

/* 30 bits hold an integer or the upper part of a double. Bit 0: divide the value by 100. */
static inline double rk_value(uint32_t rk)
{
	uint64_t bits = (uint64_t)(rk & ~3u) << 32;
	double value;
	memcpy(&value, &bits, sizeof value);
	if (rk & 2)
		value = (int32_t)rk >> 2;
	return rk & 1 ? value / 100 : value;
}
