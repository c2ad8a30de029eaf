/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slow-disk.c - a preloaded library by which each check of a permission takes 20 ms, as on a disk
 * that has to move its head */
#include <config.h>
#include <dlfcn.h>
#include <time.h>
#include <unistd.h>

int faccessat(int dir, const char *path, int mode, int flags)
{
	int (*check)(int, const char *, int, int) =
	        (int (*)(int, const char *, int, int))dlsym(RTLD_NEXT, "faccessat");
	const struct timespec pause = {.tv_nsec = 20 * 1000 * 1000};
	nanosleep(&pause, NULL);
	return check(dir, path, mode, flags);
}
