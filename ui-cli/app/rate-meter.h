/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rate-meter.h - the rate of work over its last 20 seconds, and the time that is left */
#pragma once
#include <stdint.h>

enum { RATE_SAMPLES = 128, RATE_WINDOW_US = 20 * 1000 * 1000 };

typedef struct {
	int64_t at_us;
	uint64_t done;
} RateSample;

/* All zero is an empty meter. */
typedef struct {
	RateSample samples[RATE_SAMPLES]; /* a ring */
	unsigned n, next;
} RateMeter;

/* done: the number of items finished so far; now_us: a monotonic clock. If done becomes smaller,
 * the meter begins anew. */
void rate_meter_add(RateMeter *meter, uint64_t done, int64_t now_us);
/* Items a second; 0 if it is not known yet, or nothing was finished. */
double rate_meter_per_second(const RateMeter *meter);
/* Seconds until left more items are finished; -1 if that cannot be told, or is beyond a day. */
int64_t rate_meter_left_s(const RateMeter *meter, uint64_t left);
