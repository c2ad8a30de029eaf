/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/core/heap.h"

#ifndef __SANITIZE_ADDRESS__
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>

/* No hole of a heap after the start is larger. */
enum { LARGEST_HOLE = 1 << 20 };
/* glibc keeps lists of blocks of one size up to here, 16 bytes apart. */
enum { LARGEST_LISTED = 1032, SMALLEST = 24, LISTED_STEP = 16 };
/* Other allocators may not take memory from the end; then nothing is gained, and little lost. */
enum { MOST_BLOCKS = 20000 };

/* Takes free blocks of so many bytes below the end of the heap. */
static void heap_fill(size_t bytes, uintptr_t end)
{
	void *block = NULL;
	for (unsigned n = 0; n < MOST_BLOCKS; n++) {
		block = malloc(bytes);
		if (!block || (uintptr_t)block >= end)
			break;
	}
	free(block);
}

void heap_prepare(void)
{
	/* Children keep freed memory for the next job instead of returning it to the kernel. */
	mallopt(M_MMAP_THRESHOLD, 16 << 20);
	mallopt(M_TRIM_THRESHOLD, 64 << 20);
	mallopt(M_TOP_PAD, 256 << 10);
	void *last = malloc(LARGEST_HOLE);
	uintptr_t end = (uintptr_t)last;
	free(last);
	for (size_t bytes = LARGEST_HOLE / 2; bytes > LARGEST_LISTED; bytes /= 2)
		heap_fill(bytes, end);
	for (size_t bytes = LARGEST_LISTED; bytes >= SMALLEST; bytes -= LISTED_STEP)
		heap_fill(bytes, end);
}
#else
void heap_prepare(void)
{
}
#endif
