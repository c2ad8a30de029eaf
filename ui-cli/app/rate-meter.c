/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/app/rate-meter.h"
#include <glib.h>

/* A rate over less is a guess. */
static const int64_t LEAST_US = G_USEC_PER_SEC;

static const RateSample *rate_sample(const RateMeter *meter, unsigned age)
{
	return &meter->samples[(meter->next + RATE_SAMPLES - 1 - age) % RATE_SAMPLES];
}

void rate_meter_add(RateMeter *meter, uint64_t done, int64_t now_us)
{
	if (meter->n > 0 && done < rate_sample(meter, 0)->done)
		meter->n = 0; /* another daemon counts from 0 */
	meter->samples[meter->next] = (RateSample){now_us, done};
	meter->next = (meter->next + 1) % RATE_SAMPLES;
	meter->n = MIN(meter->n + 1, RATE_SAMPLES);
}

double rate_meter_per_second(const RateMeter *meter)
{
	if (meter->n < 2)
		return 0;
	const RateSample *newest = rate_sample(meter, 0), *oldest = newest;
	for (unsigned age = 1; age < meter->n; age++) {
		oldest = rate_sample(meter, age);
		if (newest->at_us - oldest->at_us >= RATE_WINDOW_US)
			break;
	}
	int64_t elapsed_us = newest->at_us - oldest->at_us;
	if (elapsed_us < LEAST_US)
		return 0;
	return (double)(newest->done - oldest->done) * G_USEC_PER_SEC / (double)elapsed_us;
}

int64_t rate_meter_left_s(const RateMeter *meter, uint64_t left)
{
	enum { LONGEST_S = 86400 };
	double rate = rate_meter_per_second(meter);
	double seconds = rate > 0 ? (double)left / rate : LONGEST_S;
	return seconds < LONGEST_S ? (int64_t)(seconds + 0.5) : -1;
}
