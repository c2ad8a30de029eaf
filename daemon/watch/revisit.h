/* SPDX-License-Identifier: GPL-3.0-or-later */
/* revisit.h - when to visit again what tells no changes
 *
 * A directory is taken for a Poisson source of changes. A visit only shows whether there was any
 * since the last one, so counting visits with a change underestimates a fast one. The rate is
 * estimated by maximum likelihood for such observations at irregular times (J. Cho, H.
 * Garcia-Molina, "Estimating frequency of change", ACM TOIT 3(3), 2003, section 5.2), step by
 * step: each interval t in which something changed counts for as many changes as are to be
 * expected given that there was one, r t / (1 - exp(-r t)). Old observations fade.
 *
 * A directory that was visited I seconds ago is out of date for, on average over the interval,
 * A(r, I) = I/2 - 1/r + (1 - exp(-r I)) / (r^2 I). For a number of visits a second shared by all,
 * the sum of A is least where the gain of one more visit is the same everywhere (the same authors,
 * "Effective page refresh policies for web crawlers", ACM TODS 28(4), 2003):
 *
 *	x^2/2 - 1 + (1 + x) exp(-x) = price r^2, where x = r I
 *
 * So a fast one is visited oftener than a slow one, but by far less than in proportion. For slow
 * ones (x << 1) that is I = cbrt(3 price / r), so that the price at which all visits are as many as
 * are allowed follows from the sum of cbrt(price) / I over all sources, which then does not depend
 * on the price; what is left over is corrected in small steps within bounds. Where the visits
 * allowed are enough for all at the least interval, that is the plan. Seconds everywhere. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

/* What is known of one source; all zero: nothing. */
typedef struct {
	float changes, seconds; /* observed, faded */
	float interval, weight; /* planned, 0: not yet; counted in Revisit */
} RevisitSource;

typedef struct {
	double price;
	double weight; /* of all sources together */
	double trim; /* of the price that follows from it */
	double visits_per_s; /* as planned for all sources together */
	double budget_per_s;
	double least_s, most_s; /* limits of an interval */
	unsigned sources; /* planned */
} Revisit;

void revisit_init(Revisit *revisit, double budget_per_s, double least_s, double most_s);
/* Another visit was made so long after the last one. */
void revisit_observe(RevisitSource *source, double seconds, bool changed);
/* Changes a second. */
double revisit_rate(const RevisitSource *source);
/* Plans the next visit: in so many seconds. */
double revisit_plan(Revisit *revisit, RevisitSource *source);
/* It is no longer visited. */
void revisit_forget(Revisit *revisit, RevisitSource *source);
/* The interval that belongs to a rate at a price, without limits. */
double revisit_interval(double rate, double price);
/* Mean age of a source of this rate that is visited at this interval. */
double revisit_age(double rate, double interval);
