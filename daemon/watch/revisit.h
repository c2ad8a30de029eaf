/* SPDX-License-Identifier: GPL-3.0-or-later */
/* revisit.h - when to visit a directory again that raises no events
 *
 * A directory is modelled as a Poisson source of changes. A visit shows only whether anything
 * changed since the last one, so counting visits with a change underestimates a fast source. The
 * rate is estimated by maximum likelihood for such observations at irregular times (J. Cho, H.
 * Garcia-Molina, "Estimating frequency of change", ACM TOIT 3(3), 2003, section 5.2), step by step:
 * each interval t in which something changed counts for the number of changes to be expected given
 * that there was at least one, r t / (1 - exp(-r t)). Old observations fade.
 *
 * A directory that is visited every I seconds is out of date, on average over the interval, for
 * A(r, I) = I/2 - 1/r + (1 - exp(-r I)) / (r^2 I). For a shared number of visits a second, the sum
 * of A is smallest where one more visit gains the same everywhere (the same authors, "Effective
 * page refresh policies for web crawlers", ACM TODS 28(4), 2003):
 *
 * 	x^2/2 - 1 + (1 + x) exp(-x) = price r^2, where x = r I
 *
 * A fast source is therefore visited more often than a slow one, but by much less than in
 * proportion. For slow sources (x << 1) the solution is I = cbrt(3 price / r): so the weight of a
 * source, cbrt(price) / I, hardly depends on the price, and the sum of all weights tells the price
 * at which the visits use up the budget. A source whose interval is at a bound weighs cbrt(price) /
 * bound, by the price of its last plan, so that plans approach the price as the steps of a
 * fixed-point iteration do. If the budget suffices to visit all sources at the minimum interval,
 * that is the plan.
 *
 * Times are in seconds; once a source has a prior of its own, any other unit will do. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

/* The facts about one source; all members zero: nothing is known yet. */
typedef struct {
	float changes, seconds; /* observed, with fading */
	float interval, weight; /* planned (0: not yet); its share in Revisit.weight */
} RevisitSource;

typedef struct {
	double price;
	double weight; /* the sum over all sources */
	double budget_per_s;
	double least_s, most_s; /* bounds of an interval */
	unsigned sources; /* number of planned sources */
} Revisit;

void revisit_init(Revisit *revisit, double budget_per_s, double least_s, double most_s);
/* The changes to be expected since the last visit if one was found and mean ones were expected. */
double revisit_expected(double mean);
/* Notes a visit, this many seconds after the previous one. About the last 20 visits count: work
 * goes on elsewhere from one day to the next. */
void revisit_observe(RevisitSource *source, double seconds, bool changed);
/* Estimated changes per second. */
double revisit_rate(const RevisitSource *source);
/* Plans the next visit; returns the seconds until then. */
double revisit_plan(Revisit *revisit, RevisitSource *source);
/* The source is no longer visited. */
void revisit_forget(Revisit *revisit, RevisitSource *source);
/* The unbounded interval that belongs to a rate at a price. */
double revisit_interval(double rate, double price);
