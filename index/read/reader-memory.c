/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/read/reader-memory.h"
#include <glib.h>
#include <sqlite3.h>
#include <stdint.h>
#include <sys/mman.h>

enum { PAGE_BYTES = 8192, HUGE_PAGE_BYTES = 2 << 20, POOL_BYTES = 2 * HUGE_PAGE_BYTES };

/* Aligned for huge pages; NULL: there is no memory. It is used until the process ends. */
static void *pool_new(void)
{
	char *memory = mmap(NULL, POOL_BYTES + HUGE_PAGE_BYTES, PROT_READ | PROT_WRITE,
	        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		return NULL;
	size_t over = (uintptr_t)memory % HUGE_PAGE_BYTES;
	char *pool = memory + (over > 0 ? HUGE_PAGE_BYTES - over : 0);
	madvise(pool, POOL_BYTES, MADV_HUGEPAGE); /* without them it is memory like any other */
	return pool;
}

static void configure_sqlite(void)
{
	int header = 0;
	/* Nobody asks for the statistics of each allocation. */
	if (sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0) != SQLITE_OK ||
	        sqlite3_config(SQLITE_CONFIG_PCACHE_HDRSZ, &header) != SQLITE_OK)
		return;
	int slot = (PAGE_BYTES + header + 7) / 8 * 8; /* a multiple of eight is demanded */
	void *pool = pool_new();
	if (pool)
		sqlite3_config(SQLITE_CONFIG_PAGECACHE, pool, slot, POOL_BYTES / slot);
}

void reader_use_huge_pages(void)
{
	static gsize done;
	if (!g_once_init_enter(&done))
		return;
	configure_sqlite();
	g_once_init_leave(&done, 1);
}
