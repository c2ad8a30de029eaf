/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/watch/revisit.h"
#include <glib.h>
#include <math.h>

/* The prior before anything is observed: one change a day, weighted as half an observed change. It
 * fades too. */
#define PRIOR_CHANGES 0.5
#define PRIOR_SECONDS (0.5 * 24 * 3600)
#define REVISIT_FADE 0.95 /* what the visits before count for, at each visit */
#define LEAST_CHANGES 1e-3
#define LEAST_PRICE 1e-30 /* every interval is the minimum */

void revisit_init(Revisit *revisit, double budget_per_s, double least_s, double most_s)
{
	*revisit = (Revisit){.price = LEAST_PRICE,
	        .budget_per_s = budget_per_s,
	        .least_s = least_s,
	        .most_s = most_s};
}

double revisit_rate(const RevisitSource *source)
{
	if (source->seconds == 0)
		return PRIOR_CHANGES / PRIOR_SECONDS;
	return MAX(source->changes, LEAST_CHANGES) / source->seconds;
}

double revisit_expected(double mean)
{
	return mean > 1e-6 ? mean / -expm1(-mean) : 1;
}

void revisit_observe(RevisitSource *source, double seconds, bool changed)
{
	if (source->seconds == 0)
		*source = (RevisitSource){
		        PRIOR_CHANGES, PRIOR_SECONDS, source->interval, source->weight};
	double found = changed ? revisit_expected(revisit_rate(source) * seconds) : 0;
	source->changes = REVISIT_FADE * source->changes + found;
	source->seconds = REVISIT_FADE * source->seconds + seconds;
}

/* Grows from 0, first like x^3/3, later like x^2/2. */
static double revisit_gain(double x)
{
	if (x < 1e-3)
		return x * x * x / 3;
	return x * x / 2 - 1 + (1 + x) * exp(-x);
}

/* Newton's method for revisit_gain(x) = wanted, whose derivative is x (1 - exp(-x)). It begins
 * below the solution, with the larger of the asymptotes; since the gain is convex, all further
 * values lie above it and fall. */
double revisit_interval(double rate, double price)
{
	enum { MOST_STEPS = 40 };
	const double exact = 1e-9;
	double wanted = price * rate * rate, x = MAX(cbrt(3 * wanted), sqrt(2 * wanted));
	for (unsigned i = 0; x >= 1e-3 && i < MOST_STEPS; i++) {
		double step = (revisit_gain(x) - wanted) / (x * -expm1(-x));
		x -= step;
		if (fabs(step) <= exact * x)
			break;
	}
	return x / rate;
}

static double revisit_cube(double x)
{
	return x * x * x;
}

/* The gain grows at most like x^2/2: from half of the square of an interval on, no source is
 * visited sooner than that. */
static double price_of(const Revisit *revisit)
{
	return CLAMP(revisit_cube(revisit->weight / revisit->budget_per_s), LEAST_PRICE,
	        revisit->most_s * revisit->most_s / 2);
}

static double interval_at_price(const Revisit *revisit, double rate)
{
	return CLAMP(revisit_interval(rate, revisit->price), revisit->least_s, revisit->most_s);
}

/* Counts the source that is planned next as well. */
static bool enough_for_all(const Revisit *revisit)
{
	return (revisit->sources + 1) / revisit->least_s <= revisit->budget_per_s;
}

/* The first source, and any while there is enough for all, weighs what it would without bounds: so
 * the price is right from the start, and as soon as one source more is too many. */
double revisit_plan(Revisit *revisit, RevisitSource *source)
{
	double rate = revisit_rate(source);
	revisit_forget(revisit, source);
	bool least = enough_for_all(revisit), unbounded = least || revisit->sources == 0;
	source->weight = cbrt(revisit->price) / (unbounded ? revisit_interval(rate, revisit->price)
	                                                   : interval_at_price(revisit, rate));
	revisit->weight += source->weight;
	revisit->price = price_of(revisit);
	source->interval = least ? revisit->least_s : interval_at_price(revisit, rate);
	revisit->sources++;
	return source->interval;
}

void revisit_forget(Revisit *revisit, RevisitSource *source)
{
	if (source->interval > 0 && revisit->sources > 0)
		revisit->sources--;
	revisit->weight = MAX(0, revisit->weight - source->weight);
	source->interval = source->weight = 0;
}
