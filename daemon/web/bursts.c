/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/web/bursts.h"
#include <glib.h>
#include <math.h>

#define BURST_HOUR_S 3600.0
#define BURST_LEAST_EXPECTED 1e-6
#define BURST_MOST_EXPECTED 30.0
#define BURST_MOST_STEP 0.5
#define BURST_MOST_LOG 4.0

unsigned burst_class(const WebVisit *visit)
{
	return (unsigned)CLAMP(log2(visit->quiet / BURST_HOUR_S + 1), 0, WEB_BURSTS - 1);
}

void burst_observe(WebBurst *burst, double expected, bool changed)
{
	double x = CLAMP(expected * exp(burst->log), BURST_LEAST_EXPECTED, BURST_MOST_EXPECTED);
	double odds = 1 / expm1(x); /* of no change */
	double score = changed ? x * odds : -x;
	burst->information = (float)(burst->information * BURST_FADE + x * x * odds);
	score -= (1 - BURST_FADE) * BURST_PRIOR * burst->log;
	double step = score / (BURST_PRIOR + burst->information);
	burst->log = (float)CLAMP(burst->log + CLAMP(step, -BURST_MOST_STEP, BURST_MOST_STEP),
	        -BURST_MOST_LOG, BURST_MOST_LOG);
}

double burst_factor(const WebBurst *burst)
{
	return exp(burst->log);
}
