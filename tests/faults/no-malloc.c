/* SPDX-License-Identifier: GPL-3.0-or-later */
/* no-malloc.c - a preloaded library that lets memory run out
 *
 * From the Nth allocation on, MANY of them fail ($NO_MALLOC=N,MANY). Only allocations of the
 * program itself count, not those of programs that it starts. */
#include <config.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static atomic_ulong calls;
static unsigned long first, many;

/* Allocations before this function cannot fail. */
__attribute__((constructor)) static void read_setting(void)
{
	const char *setting = getenv("NO_MALLOC");
	if (!setting || sscanf(setting, "%lu,%lu", &first, &many) != 2)
		many = 0;
	unsetenv("NO_MALLOC");
	calls = 0;
}

static int fails(void)
{
	if (many == 0)
		return 0;
	unsigned long call = atomic_fetch_add(&calls, 1);
	if (call < first || call >= first + many)
		return 0;
	errno = ENOMEM;
	return 1;
}

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *old, size_t size);

void *malloc(size_t size)
{
	return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
	return fails() ? NULL : __libc_calloc(n, size);
}

void *realloc(void *old, size_t size)
{
	return fails() ? NULL : __libc_realloc(old, size);
}
