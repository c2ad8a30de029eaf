/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reader-memory.h - SQLite's memory in a process that asks one question and ends
 *
 * A query reads some hundred to some twenty thousand pages of 4 KiB (8 KiB in an index of an
 * earlier version), and each would be new memory, with a page fault for every 4 KiB. So pages lie
 * in an arena. Its first part is filled in steps that the kernel makes at once: a rare word needs
 * no more. The rest is made of huge pages, where the kernel has them. SQLite's own pool of pages
 * (SQLITE_CONFIG_PAGECACHE) is not used, because a cache never grows beyond it, and because it is
 * touched as a whole at the start.
 *
 * SQLite does not map the index: a page fetched from a mapping is checked again at each access,
 * which takes longer than to copy it once, and a file that somebody truncates would end the
 * process. */
#pragma once

/* Has an effect at its first call only, and none once SQLite is in use in this process. */
void reader_use_arena(void);
