/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/engine/rescan-policy.h"

enum {
	RESCAN_LEAST_S = 600, /* least time between two rescans for suspicions that no client waits
	                         for */
	RESCAN_SHARE = 100, /* such rescans take one part in this many of the time */
};

struct RescanPolicy {
	int64_t interval_us; /* 0: never */
	int64_t interval_due_us;
	int64_t suspicion_due_us; /* no rescan only for suspicions before this */
	bool comparing; /* a rescan is under way */
	int64_t began_us; /* when the rescan for suspicions began; 0: there is none */
	int64_t last_clean_s, last_compared_s; /* UTC */
};

RescanPolicy *rescan_policy_new(void)
{
	RescanPolicy *p = g_new0(RescanPolicy, 1);
	p->interval_due_us = INT64_MAX;
	return p;
}

void rescan_policy_free(RescanPolicy *p)
{
	g_free(p);
}

static void restart_interval(RescanPolicy *p, int64_t now_us)
{
	p->interval_due_us = p->interval_us > 0 ? now_us + p->interval_us : INT64_MAX;
}

void rescan_policy_configure(RescanPolicy *p, int64_t interval_s, int64_t now_us)
{
	p->interval_us = interval_s * G_USEC_PER_SEC;
	p->comparing = true;
	restart_interval(p, now_us);
}

bool rescan_policy_is_due(const RescanPolicy *p, int64_t now_us)
{
	return now_us >= p->interval_due_us;
}

bool rescan_policy_may_resolve(const RescanPolicy *p, int64_t now_us)
{
	return now_us >= p->suspicion_due_us;
}

void rescan_policy_begin(RescanPolicy *p, RescanCause cause, int64_t now_us)
{
	p->comparing = true;
	if (cause == RESCAN_INTERVAL)
		restart_interval(p, now_us);
	else if (cause == RESCAN_SUSPICION)
		p->began_us = now_us;
}

static void note_cost(RescanPolicy *p, int64_t now_us)
{
	int64_t took_us = now_us - p->began_us;
	if (p->began_us == 0)
		return;
	p->began_us = 0;
	p->suspicion_due_us = now_us + MAX(RESCAN_LEAST_S * G_USEC_PER_SEC, RESCAN_SHARE * took_us);
}

void rescan_policy_note_clean(RescanPolicy *p, bool suspected, int64_t now_us)
{
	int64_t now_s = g_get_real_time() / G_USEC_PER_SEC;
	note_cost(p, now_us);
	if (!suspected)
		p->last_clean_s = now_s;
	if (p->comparing)
		p->last_compared_s = now_s;
	p->comparing = false;
}

int64_t rescan_policy_next_us(const RescanPolicy *p, bool suspected, int64_t now_us)
{
	int64_t suspicion_us = suspected ? MAX(p->suspicion_due_us, now_us) : INT64_MAX;
	return MIN(suspicion_us, p->interval_due_us);
}

int64_t rescan_policy_last_clean_s(const RescanPolicy *p)
{
	return p->last_clean_s;
}

int64_t rescan_policy_last_compared_s(const RescanPolicy *p)
{
	return p->last_compared_s;
}
