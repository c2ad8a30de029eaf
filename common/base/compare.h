/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compare.h - ascending order of numbers, for qsort(), bsearch() and g_array_sort() */
#pragma once
#include <stdint.h>

static inline int compare_int64(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
	return (x > y) - (x < y);
}

static inline int compare_uint32(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return (x > y) - (x < y);
}
