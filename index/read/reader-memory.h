/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reader-memory.h - SQLite's memory in a process that asks one question and ends
 *
 * Half of such a search is the kernel's work. A query reads some hundred pages of 8 KiB, and each
 * would be new memory, with a page fault for every 4 KiB. So 4 MiB of pages lie in huge pages,
 * where the kernel has them. SQLite does not map the index: a page fetched from a mapping is
 * checked again at each access, which takes longer than to copy it once, and a file that somebody
 * truncates would end the process. */
#pragma once

/* Has an effect at its first call only, and none once SQLite is in use in this process. */
void reader_use_huge_pages(void);
