/* SPDX-License-Identifier: GPL-3.0-or-later */
/* heap.h - prepares the heap of a process for the children that it forks
 *
 * A child shares the pages of its parent until it writes on them, and each page that it writes on
 * costs a fault and a copy. The free blocks of a heap lie all over its pages, and malloc() takes
 * them first. So the parent takes all of them for good: the children get new pages from the end of
 * the heap, next to each other, which cost no copy. */
#pragma once

/* Called once, when the process has allocated what it keeps. Does nothing under AddressSanitizer,
 * whose allocator does not work like this. */
void heap_prepare(void);
