/* SPDX-License-Identifier: GPL-3.0-or-later */
/* die-at.c - a preloaded library that ends the program as kill -9 would
 *
 * The program ends right before the Nth of its calls that change or lock a file ($DIE_AT=N,HALF).
 * If HALF is 1, the first half of a write is still done. A program that runs to its end prints
 * "calls COUNT" ($DIE_AT=0,0 always does). Programs that it starts are not affected. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static atomic_ulong calls;
static unsigned long last;
static int half;
static bool counting;

__attribute__((constructor)) static void read_setting(void)
{
	const char *setting = getenv("DIE_AT");
	counting = setting && sscanf(setting, "%lu,%d", &last, &half) == 2;
	unsetenv("DIE_AT");
}

__attribute__((destructor)) static void tell(void)
{
	if (counting)
		dprintf(STDERR_FILENO, "calls %lu\n", calls);
}

static bool is_last(void)
{
	return counting && atomic_fetch_add(&calls, 1) + 1 == last;
}

static void end_before(const char *call, const char *path)
{
	dprintf(STDERR_FILENO, "ended before %s %s\n", call, path);
	kill(getpid(), SIGKILL);
	pause();
}

static bool is_last_of_file(int fd)
{
	struct stat st;
	return counting && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && is_last();
}

static void end_before_file(const char *call, int fd)
{
	char link[64], path[4096];
	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	ssize_t n = readlink(link, path, sizeof path - 1);
	path[n < 0 ? 0 : n] = '\0';
	end_before(call, path);
}

/* Calls the same function of the next library. */
#define NEXT(type, name, ...) ((type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name))

/* ---- calls with a descriptor */

ssize_t pwrite64(int fd, const void *data, size_t n, off64_t offset)
{
	ssize_t (*next)(int, const void *, size_t, off64_t) =
	        NEXT(ssize_t, "pwrite64", int, const void *, size_t, off64_t);
	if (is_last_of_file(fd)) {
		if (half)
			next(fd, data, n / 2, offset);
		end_before_file(half ? "the second half of pwrite64" : "pwrite64", fd);
	}
	return next(fd, data, n, offset);
}

ssize_t pwrite(int fd, const void *data, size_t n, off_t offset)
{
	if (is_last_of_file(fd))
		end_before_file("pwrite", fd);
	return NEXT(ssize_t, "pwrite", int, const void *, size_t, off_t)(fd, data, n, offset);
}

ssize_t write(int fd, const void *data, size_t n)
{
	ssize_t (*next)(int, const void *, size_t) =
	        NEXT(ssize_t, "write", int, const void *, size_t);
	if (is_last_of_file(fd)) {
		if (half)
			next(fd, data, n / 2);
		end_before_file(half ? "the second half of write" : "write", fd);
	}
	return next(fd, data, n);
}

int fdatasync(int fd)
{
	if (is_last_of_file(fd))
		end_before_file("fdatasync", fd);
	return NEXT(int, "fdatasync", int)(fd);
}

int fsync(int fd)
{
	if (is_last_of_file(fd))
		end_before_file("fsync", fd);
	return NEXT(int, "fsync", int)(fd);
}

int ftruncate64(int fd, off64_t size)
{
	if (is_last_of_file(fd))
		end_before_file("ftruncate64", fd);
	return NEXT(int, "ftruncate64", int, off64_t)(fd, size);
}

int ftruncate(int fd, off_t size)
{
	if (is_last_of_file(fd))
		end_before_file("ftruncate", fd);
	return NEXT(int, "ftruncate", int, off_t)(fd, size);
}

/* Of the calls of fcntl() only locks count. */
int fcntl64(int fd, int command, ...)
{
	va_list arguments;
	va_start(arguments, command);
	void *argument = va_arg(arguments, void *);
	va_end(arguments);
	if (command == F_SETLK64 && is_last_of_file(fd))
		end_before_file("fcntl64", fd);
	return NEXT(int, "fcntl64", int, int, void *)(fd, command, argument);
}

/* ---- calls with a path */

static bool takes_mode(int flags)
{
	return flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE;
}

int open(const char *path, int flags, ...)
{
	va_list arguments;
	va_start(arguments, flags);
	mode_t mode = takes_mode(flags) ? va_arg(arguments, mode_t) : 0;
	va_end(arguments);
	if (flags & O_CREAT && is_last())
		end_before("open", path);
	return NEXT(int, "open", const char *, int, mode_t)(path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
	va_list arguments;
	va_start(arguments, flags);
	mode_t mode = takes_mode(flags) ? va_arg(arguments, mode_t) : 0;
	va_end(arguments);
	if (flags & O_CREAT && is_last())
		end_before("open64", path);
	return NEXT(int, "open64", const char *, int, mode_t)(path, flags, mode);
}

int unlink(const char *path)
{
	if (is_last())
		end_before("unlink", path);
	return NEXT(int, "unlink", const char *)(path);
}

int rename(const char *old_path, const char *new_path)
{
	if (is_last())
		end_before("rename", old_path);
	return NEXT(int, "rename", const char *, const char *)(old_path, new_path);
}

int mkdir(const char *path, mode_t mode)
{
	if (is_last())
		end_before("mkdir", path);
	return NEXT(int, "mkdir", const char *, mode_t)(path, mode);
}
