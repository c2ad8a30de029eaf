/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fake-clock.c - a preloaded library that shifts the wall clock
 *
 * The file named by FAKE_CLOCK begins with the shift in nanoseconds (int64_t), which may change at
 * any time. Monotonic clocks are not shifted; the kernel would not shift them either. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { SECOND_NS = 1000000000 };

static const volatile int64_t *offset_ns;

__attribute__((constructor)) static void begin(void)
{
	const char *file = getenv("FAKE_CLOCK");
	int fd = file ? open(file, O_RDONLY | O_CLOEXEC) : -1;
	void *map =
	        fd >= 0 ? mmap(NULL, sizeof(*offset_ns), PROT_READ, MAP_SHARED, fd, 0) : MAP_FAILED;
	if (fd >= 0)
		close(fd);
	if (map != MAP_FAILED)
		offset_ns = map;
}

int clock_gettime(clockid_t clock, struct timespec *out)
{
	int result = syscall(SYS_clock_gettime, clock, out);
	if (result == 0 && offset_ns &&
	        (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
		int64_t now_ns = out->tv_sec * (int64_t)SECOND_NS + out->tv_nsec + *offset_ns;
		out->tv_sec = now_ns / SECOND_NS;
		out->tv_nsec = now_ns % SECOND_NS;
	}
	return result;
}

int gettimeofday(struct timeval *restrict out, void *restrict zone)
{
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	*out = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
	return 0;
}

time_t time(time_t *out)
{
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	if (out)
		*out = now.tv_sec;
	return now.tv_sec;
}
