/* SPDX-License-Identifier: GPL-3.0-or-later */
/* converter-turns.c - so that nobody waits long for what takes long
 *
 * While others wait, a job works for TURN_MS at a time. Then its child is set aside, stopped where
 * it is, and goes on when a place is free again. What is urgent does not wait for another turn of
 * what had one. A child that is aside keeps its memory: ASIDE_MAX make room for whatever waits,
 * some more only for small files that are urgent, and of files larger than SMALL_BYTES no more
 * begin than can work at once. */
#include <config.h>
#include "common/converter-private.h"

enum { TURN_MS = 500, SOON_MS = 10, ASIDE_MAX = 4, ASIDE_URGENT_MAX = 12, SMALL_BYTES = 1 << 20 };

static bool works(const Slot *slot)
{
	return slot->job && !slot->aside;
}

unsigned turns_at_work(const Converter *c)
{
	unsigned n = 0;
	for (guint i = 0; i < c->slots->len; i++)
		n += works(c->slots->pdata[i]);
	return n;
}

static unsigned n_aside(const Converter *c)
{
	unsigned n = 0;
	for (guint i = 0; i < c->slots->len; i++)
		n += ((Slot *)c->slots->pdata[i])->aside;
	return n;
}

static bool is_small(const Job *job)
{
	return job->size <= SMALL_BYTES;
}

static bool may_be_one_more(const Converter *c, const Job *job)
{
	unsigned large = 0;
	for (guint i = 0; i < c->slots->len; i++) {
		const Job *begun = ((Slot *)c->slots->pdata[i])->job;
		large += begun && !is_small(begun);
	}
	return is_small(job) || large < c->options.children;
}

/* Since when it has been at work without others having had its place, or at all. */
static int64_t since_us(const Slot *slot, const Job *job)
{
	return job->urgent ? slot->begun_us : slot->turn_us;
}

/* Who gives way to the job first. */
static Slot *longest_at_work(const Converter *c, const Job *job)
{
	Slot *longest = NULL;
	for (guint i = 0; i < c->slots->len; i++) {
		Slot *slot = c->slots->pdata[i];
		if (works(slot) && (!longest || since_us(slot, job) < since_us(longest, job)))
			longest = slot;
	}
	return longest;
}

Job *turns_pressing(const Converter *c)
{
	unsigned aside = n_aside(c);
	for (GList *link = c->held ? NULL : c->waiting.head; link; link = link->next) {
		const Job *job = link->data;
		bool pressing = job->urgent && is_small(job);
		if (aside < (pressing ? ASIDE_URGENT_MAX : ASIDE_MAX) && may_be_one_more(c, job))
			return link->data;
	}
	return NULL;
}

bool turns_set_aside(Converter *c, const Job *job)
{
	Slot *slot = longest_at_work(c, job);
	int64_t now_us = g_get_monotonic_time();
	if (!slot || now_us - since_us(slot, job) < TURN_MS * INT64_C(1000))
		return false;
	slot_hold(slot, true);
	slot->aside = slot->held_us != 0;
	slot->turn_us = now_us;
	return slot->aside;
}

static gboolean on_turn_over(gpointer data)
{
	Converter *c = data;
	converter_drop(&c->turn);
	converter_dispatch(c);
	return G_SOURCE_REMOVE;
}

void turns_await(Converter *c)
{
	const Job *job = turns_pressing(c);
	const Slot *slot = job ? longest_at_work(c, job) : NULL;
	converter_drop(&c->turn);
	if (!slot)
		return;
	int64_t left_ms = TURN_MS - (g_get_monotonic_time() - since_us(slot, job)) / 1000;
	c->turn = converter_after(c, CLAMP(left_ms, SOON_MS, TURN_MS), on_turn_over, c);
}

/* Who was set aside first. */
static Slot *first_aside(const Converter *c)
{
	Slot *first = NULL;
	for (guint i = 0; i < c->slots->len; i++) {
		Slot *slot = c->slots->pdata[i];
		if (slot->aside && (!first || slot->turn_us < first->turn_us))
			first = slot;
	}
	return first;
}

static bool goes_before(const Converter *c, const Job *job, const Slot *aside)
{
	return !job->slow && may_be_one_more(c, job) &&
	       (job->urgent || job->queued_us < aside->turn_us);
}

bool turns_go_on(const Converter *c, const Job *job)
{
	Slot *slot = c->held ? NULL : first_aside(c);
	if (!slot || (job && goes_before(c, job, slot)))
		return false;
	slot->aside = false;
	slot->turn_us = g_get_monotonic_time();
	slot_hold(slot, false);
	return true;
}
