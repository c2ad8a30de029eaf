/* SPDX-License-Identifier: GPL-3.0-or-later */
/* poll-age.c - how out of date polled directories are under several plans with the same number of
 * visits
 *
 * usage: poll-age [DIRECTORIES [DAYS [SECONDS]]]; SECONDS: mean time between two visits of one
 * directory. The traces have rates over five powers of ten, most of them slow, as directories have
 * them. Half of them change in bursts (ten times the rate for a tenth of the time, none otherwise).
 * The age is the time in seconds since the first change that was not seen yet, averaged over time
 * and directories. The adaptive plan learns the rates only from its own visits. The first tenth of
 * the time does not count. */
#include <config.h>
#include "daemon/watch/revisit.h"
#include <glib.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
	double rate;
	bool bursts;
	double *changes; /* times, ascending */
	size_t n;
} Trace;

static double exponential(GRand *random, double rate)
{
	return -log(1 - g_rand_double(random)) / rate;
}

static bool is_on(const Trace *trace, double at, double period)
{
	return !trace->bursts || fmod(at + trace->rate * 1e9, period) < period / 10;
}

static Trace make_trace(GRand *random, double end)
{
	enum { PERIOD = 2 * 86400 };
	Trace trace = {.rate = pow(10, g_rand_double_range(random, -7, -2.5)),
	        .bursts = g_rand_boolean(random)};
	GArray *changes = g_array_new(FALSE, FALSE, sizeof(double));
	double rate = trace.bursts ? 10 * trace.rate : trace.rate;
	for (double at = exponential(random, rate); at < end; at += exponential(random, rate)) {
		if (is_on(&trace, at, PERIOD))
			g_array_append_val(changes, at);
	}
	trace.n = changes->len;
	trace.changes = (double *)g_array_free(changes, FALSE);
	return trace;
}

/* First change after `from`; INFINITY: none. */
static double next_change(const Trace *trace, double from)
{
	size_t low = 0, high = trace->n;
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (trace->changes[middle] <= from)
			low = middle + 1;
		else
			high = middle;
	}
	return low < trace->n ? trace->changes[low] : INFINITY;
}

/* Integral of the age between two visits, from `start` on. */
static double age_between(double change, double to, double start)
{
	double from = MAX(change, start);
	if (change >= to || from >= to)
		return 0;
	double a = from - change, b = to - change;
	return (b * b - a * a) / 2;
}

typedef struct {
	double at, last;
	RevisitSource source;
} Visitor;

/* Returns the mean age. interval 0: adaptive. *visits_r: counted from `start` on. */
static double run(const Trace *traces, unsigned n, double end, double interval, double budget,
        double *visits_r)
{
	double start = end / 10, age = 0;
	Revisit revisit;
	Visitor *visitors = g_new0(Visitor, n);
	revisit_init(&revisit, budget, 1, 1e9);
	for (unsigned i = 0; i < n; i++)
		visitors[i].at = (interval ? interval : n / budget) * i / n;
	*visits_r = 0;
	for (double now = 0; now < end; now += 10) {
		for (unsigned i = 0; i < n; i++) {
			Visitor *v = &visitors[i];
			if (v->at > now)
				continue;
			double change = next_change(&traces[i], v->last);
			age += age_between(change, now, start);
			*visits_r += now >= start;
			if (v->last > 0)
				revisit_observe(&v->source, now - v->last, change <= now);
			v->last = now;
			v->at = now + (interval ? interval : revisit_plan(&revisit, &v->source));
		}
	}
	for (unsigned i = 0; i < n; i++)
		age += age_between(next_change(&traces[i], visitors[i].last), end, start);
	g_free(visitors);
	return age / n / (end - start);
}

int main(int argc, char **argv)
{
	unsigned n = argc > 1 ? atoi(argv[1]) : 1000;
	double end = (argc > 2 ? atof(argv[2]) : 20) * 86400;
	double mean = argc > 3 ? atof(argv[3]) : 3600, visits;
	GRand *random = g_rand_new_with_seed(1);
	Trace *traces = g_new0(Trace, n);
	for (unsigned i = 0; i < n; i++)
		traces[i] = make_trace(random, end);
	double adaptive = run(traces, n, end, 0, n / mean, &visits);
	double fair = n * end * 0.9 / visits; /* the interval that makes equally many visits */
	printf("adaptive: %.0f visits, mean age %.0f s\n", visits, adaptive);
	double fixed = run(traces, n, end, fair, n / mean, &visits);
	printf("fixed:    %.0f visits, mean age %.0f s\n", visits, fixed);
	printf("adaptive is %.2f of fixed\n", adaptive / fixed);
	for (unsigned i = 0; i < n; i++)
		g_free(traces[i].changes);
	g_free(traces);
	g_rand_free(random);
	return 0;
}
