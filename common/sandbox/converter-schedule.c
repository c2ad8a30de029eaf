/* SPDX-License-Identifier: GPL-3.0-or-later */
/* converter-schedule.c - time slices: a long conversion must not keep other files waiting
 *
 * While other jobs wait, a job runs for one time slice of SLICE_MS. After that its child is
 * suspended with SIGSTOP and resumes when a place is free again. An urgent job does not wait for
 * the second slice of a job that already had one. A suspended child keeps its memory. For waiting
 * files larger than SMALL_BYTES only few children are therefore suspended, and none while all
 * started children together hold STARTED_BYTES_MAX. */
#include <config.h>
#include "common/sandbox/converter-private.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	SLICE_MS = 500,
	SLICE_MIN_MS = 10,
	SMALL_BYTES = 4 << 20,
	STARTED_BYTES_MAX = 512 << 20,
	/* limits on suspended children if the waiting job is large, small, or small and urgent */
	SUSPENDED_LARGE_MAX = 2,
	SUSPENDED_MAX = 4,
	SUSPENDED_URGENT_MAX = 12,
};

static bool schedule_is_running(const Slot *slot)
{
	return slot->job && !slot->suspended;
}

unsigned schedule_running(const Converter *c)
{
	unsigned n = 0;
	for (guint i = 0; i < c->slots->len; i++)
		n += schedule_is_running(c->slots->pdata[i]);
	return n;
}

static unsigned n_suspended(const Converter *c)
{
	unsigned n = 0;
	for (guint i = 0; i < c->slots->len; i++)
		n += ((Slot *)c->slots->pdata[i])->suspended;
	return n;
}

static bool is_small(const ConversionJob *job)
{
	return job->size <= SMALL_BYTES;
}

/* The number after the given text in a small file; 0 if there is none. */
static uint64_t number_in(const char *path, const char *prefix)
{
	g_autofree char *text = NULL;
	if (!g_file_get_contents(path, &text, NULL, NULL))
		return 0;
	const char *at = strstr(text, prefix);
	return at ? strtoull(at + strlen(prefix), NULL, 10) : 0;
}

static uint64_t resident_bytes(const Slot *slot)
{
	g_autofree char *about = g_strdup_printf("/proc/self/fdinfo/%d", slot->pidfd);
	uint64_t pid = number_in(about, "Pid:");
	g_autofree char *sizes = g_strdup_printf("/proc/%" G_GUINT64_FORMAT "/statm", pid);
	return pid > 0 ? number_in(sizes, " ") * sysconf(_SC_PAGESIZE) : 0;
}

static bool has_memory(const Converter *c)
{
	uint64_t bytes = 0;
	for (guint i = 0; i < c->slots->len; i++) {
		const Slot *slot = c->slots->pdata[i];
		bytes += slot->job && slot->pidfd >= 0 ? resident_bytes(slot) : 0;
	}
	return bytes < STARTED_BYTES_MAX;
}

/* May this job preempt a running one? */
static bool may_preempt(const Converter *c, const ConversionJob *job, unsigned suspended)
{
	if (!is_small(job))
		return suspended < SUSPENDED_LARGE_MAX && has_memory(c);
	return suspended < (job->urgent ? SUSPENDED_URGENT_MAX : SUSPENDED_MAX);
}

/* Start of the current slice or, for an urgent job, of the slot's job. */
static int64_t running_since_us(const Slot *slot, const ConversionJob *job)
{
	return job->urgent ? slot->job_started_us : slot->slice_us;
}

/* The running child that must give way to the job first. */
static Slot *longest_running(const Converter *c, const ConversionJob *job)
{
	Slot *longest = NULL;
	for (guint i = 0; i < c->slots->len; i++) {
		Slot *slot = c->slots->pdata[i];
		if (schedule_is_running(slot) &&
		        (!longest || running_since_us(slot, job) < running_since_us(longest, job)))
			longest = slot;
	}
	return longest;
}

ConversionJob *schedule_preempting(const Converter *c)
{
	unsigned suspended = n_suspended(c);
	for (GList *link = c->held ? NULL : c->waiting.head; link; link = link->next)
		if (!program_is_starting(c, link->data) && may_preempt(c, link->data, suspended))
			return link->data;
	return NULL;
}

static Slot *schedule_victim(const Converter *c, const ConversionJob *job, int64_t now_us)
{
	Slot *slot = longest_running(c, job);
	bool over = slot && now_us - running_since_us(slot, job) >= SLICE_MS * INT64_C(1000);
	return over ? slot : NULL;
}

bool schedule_may_suspend(const Converter *c, const ConversionJob *job)
{
	return schedule_victim(c, job, g_get_monotonic_time()) != NULL;
}

bool schedule_suspend(Converter *c, const ConversionJob *job)
{
	int64_t now_us = g_get_monotonic_time();
	Slot *slot = schedule_victim(c, job, now_us);
	if (!slot)
		return false;
	slot_hold(slot, true);
	slot->suspended = slot->held_us != 0;
	slot->slice_us = now_us;
	return slot->suspended;
}

static gboolean on_slice_end(gpointer data)
{
	Converter *c = data;
	converter_remove_source(&c->slice);
	converter_dispatch(c);
	return G_SOURCE_REMOVE;
}

void schedule_wait_for_slice(Converter *c)
{
	const ConversionJob *job = schedule_preempting(c);
	const Slot *slot = job ? longest_running(c, job) : NULL;
	converter_remove_source(&c->slice);
	if (!slot)
		return;
	int64_t left_ms = SLICE_MS - (g_get_monotonic_time() - running_since_us(slot, job)) / 1000;
	c->slice =
	        converter_add_timeout(c, CLAMP(left_ms, SLICE_MIN_MS, SLICE_MS), on_slice_end, c);
}

/* The child that was suspended first. */
static Slot *first_suspended(const Converter *c)
{
	Slot *first = NULL;
	for (guint i = 0; i < c->slots->len; i++) {
		Slot *slot = c->slots->pdata[i];
		if (slot->suspended && (!first || slot->slice_us < first->slice_us))
			first = slot;
	}
	return first;
}

static bool runs_before(const ConversionJob *job, const Slot *suspended)
{
	return !job->slow && is_small(job) && (job->urgent || job->queued_us < suspended->slice_us);
}

bool schedule_resume(const Converter *c, const ConversionJob *job)
{
	Slot *slot = c->held ? NULL : first_suspended(c);
	if (!slot || (job && runs_before(job, slot)))
		return false;
	slot->suspended = false;
	slot->slice_us = g_get_monotonic_time();
	slot_hold(slot, false);
	return true;
}
