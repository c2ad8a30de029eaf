/* SPDX-License-Identifier: GPL-3.0-or-later */
/* time-ns.h - times in nanoseconds, which end in April 2262 and begin in September 1677 */
#pragma once
#include <glib.h>
#include <stdint.h>

/* Seconds since 1970 and a part of a second as nanoseconds. Times beyond either end become the last
 * or the first one, so that their order and their sign stay right. */
static inline int64_t time_ns(int64_t seconds, int64_t nanoseconds)
{
	int64_t ns;
	if (__builtin_mul_overflow(seconds, G_GINT64_CONSTANT(1000000000), &ns) ||
	        __builtin_add_overflow(ns, nanoseconds, &ns))
		return seconds < 0 ? G_MININT64 : G_MAXINT64;
	return ns;
}
