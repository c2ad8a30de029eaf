/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/read/reader-memory.h"
#include "index/store/db.h"
#include <glib.h>
#include <malloc.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* A slot holds a page with what SQLite keeps beside it, some 300 bytes. */
enum { SMALL_PAGE_BYTES = 4096, LARGE_PAGE_BYTES = 8192, LEAST_BESIDE = 64, MOST_BESIDE = 512 };
enum {
	HUGE_PAGE_BYTES = 2 << 20,
	ARENA_BYTES = DB_READER_CACHE_KIB * 1024 + 2 * HUGE_PAGE_BYTES,
	STEP_BYTES = 256 << 10, /* filled at once in the first huge page, which is none */
};

#ifndef MADV_POPULATE_WRITE /* Linux 5.14; others refuse it, and the pages come one by one */
#define MADV_POPULATE_WRITE 23
#endif

typedef struct FreeSlot FreeSlot;
struct FreeSlot {
	FreeSlot *next;
};

/* SQLite calls from every thread that has a connection, without a lock of its own. */
static GMutex lock;
static char *arena; /* until the process ends; NULL: there is none */
static size_t
        slot_bytes; /* for the pages of the index, which is opened first; 0: it is not open yet */
static size_t used, filled; /* bytes from its start */
static FreeSlot *free_slots;

static bool arena_has(const void *memory)
{
	return arena && (uintptr_t)memory - (uintptr_t)arena < ARENA_BYTES;
}

static void arena_fill(void)
{
	for (; filled < MIN(used + slot_bytes, HUGE_PAGE_BYTES); filled += STEP_BYTES)
		madvise(arena + filled, STEP_BYTES, MADV_POPULATE_WRITE);
}

/* The size of the slot for n bytes if they are a page with what lies beside it, else 0. */
static size_t slot_bytes_for(size_t n)
{
	static const size_t page_bytes[] = {SMALL_PAGE_BYTES, LARGE_PAGE_BYTES};
	for (size_t i = 0; i < G_N_ELEMENTS(page_bytes); i++)
		if (n >= page_bytes[i] + LEAST_BESIDE && n <= page_bytes[i] + MOST_BESIDE)
			return page_bytes[i] + MOST_BESIDE;
	return 0;
}

/* NULL: the arena is full. */
static void *arena_take_slot(void)
{
	void *slot = free_slots;
	if (slot) {
		free_slots = free_slots->next;
	} else if (used + slot_bytes <= ARENA_BYTES) {
		arena_fill();
		slot = arena + used;
		used += slot_bytes;
	}
	return slot;
}

/* NULL: the arena is full, or has pages of another size. */
static void *arena_take(size_t bytes)
{
	g_mutex_lock(&lock);
	if (slot_bytes == 0)
		slot_bytes = bytes;
	void *slot = slot_bytes == bytes ? arena_take_slot() : NULL;
	g_mutex_unlock(&lock);
	return slot;
}

static void arena_give(void *memory)
{
	FreeSlot *slot = memory;
	g_mutex_lock(&lock);
	slot->next = free_slots;
	free_slots = slot;
	g_mutex_unlock(&lock);
}

/* ---- what SQLite calls */

static void *sqlite_allocate(int n)
{
	size_t bytes = slot_bytes_for(n);
	void *slot = bytes > 0 ? arena_take(bytes) : NULL;
	return slot ? slot : malloc(n);
}

static void sqlite_free(void *memory)
{
	if (arena_has(memory))
		arena_give(memory);
	else
		free(memory);
}

static int sqlite_size(void *memory)
{
	return (int)(arena_has(memory) ? slot_bytes : malloc_usable_size(memory));
}

static void *sqlite_resize(void *memory, int n)
{
	if (!arena_has(memory))
		return realloc(memory, n);
	if ((size_t)n <= slot_bytes)
		return memory;
	void *moved = malloc(n);
	if (!moved)
		return NULL;
	memcpy(moved, memory, slot_bytes);
	arena_give(memory);
	return moved;
}

static int sqlite_round_up(int n)
{
	return (n + 7) & ~7;
}

static int sqlite_begin(void *data)
{
	(void)data;
	return SQLITE_OK;
}

static void sqlite_end(void *data)
{
	(void)data;
}

static const sqlite3_mem_methods methods = {sqlite_allocate, sqlite_free, sqlite_resize,
        sqlite_size, sqlite_round_up, sqlite_begin, sqlite_end, NULL};

/* Aligned for huge pages; NULL: there is no memory. Unused parts take none. */
static char *arena_new(void)
{
	char *memory = mmap(NULL, ARENA_BYTES + HUGE_PAGE_BYTES, PROT_READ | PROT_WRITE,
	        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (memory == MAP_FAILED)
		return NULL;
	size_t over = (uintptr_t)memory % HUGE_PAGE_BYTES;
	char *aligned = memory + (over > 0 ? HUGE_PAGE_BYTES - over : 0);
	madvise(aligned, HUGE_PAGE_BYTES, MADV_NOHUGEPAGE);
	madvise(aligned + HUGE_PAGE_BYTES, ARENA_BYTES - HUGE_PAGE_BYTES, MADV_HUGEPAGE);
	return aligned;
}

void reader_use_arena(void)
{
	static gsize done;
	if (!g_once_init_enter(&done))
		return;
	/* Nobody asks for the statistics of each allocation. */
	if (sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0) == SQLITE_OK && (arena = arena_new()))
		sqlite3_config(SQLITE_CONFIG_MALLOC, &methods);
	g_once_init_leave(&done, 1);
}
