/* SPDX-License-Identifier: GPL-3.0-or-later */
/* refuse-open.c - a preloaded library that refuses to open the first file that is read, as if it
 * could not be read at that moment
 *
 * $REFUSE_OPEN is a directory with the FIFOs "reached" and "go": a byte is written to the first one
 * when the file is opened, and the call returns after a byte was read from the other one. */
#include <config.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LOADER_TRIES = 3 };

static int reached = -1, go = -1;
static atomic_int refusals;

static int open_fifo(const char *dir, const char *name)
{
	char path[4096];
	snprintf(path, sizeof path, "%s/%s", dir, name);
	return openat(AT_FDCWD, path, O_RDWR | O_CLOEXEC);
}

__attribute__((constructor)) static void read_setting(void)
{
	const char *dir = getenv("REFUSE_OPEN");
	if (!dir)
		return;
	reached = open_fifo(dir, "reached");
	go = open_fifo(dir, "go");
	unsetenv("REFUSE_OPEN");
}

static bool refuse(void)
{
	char byte = 0;
	int n = atomic_fetch_add(&refusals, 1);
	if (n == 0 && (write(reached, &byte, 1) != 1 || read(go, &byte, 1) != 1))
		abort();
	return n < LOADER_TRIES;
}

int open(const char *path, int flags, ...)
{
	int (*real)(const char *, int, ...) =
	        (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open");
	va_list arguments;
	va_start(arguments, flags);
	int mode = flags & O_CREAT ? va_arg(arguments, int) : 0;
	va_end(arguments);
	if (reached < 0 || strncmp(path, "/proc/self/fd/", 14) != 0 || (flags & O_DIRECTORY) ||
	        !refuse())
		return real(path, flags, mode);
	errno = EACCES;
	return -1;
}
