/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/engine/recovery.h"

#define RECOVERY_MIN_US (5 * G_GINT64_CONSTANT(1000000))
#define RECOVERY_MAX_US (300 * G_GINT64_CONSTANT(1000000))

struct Recovery {
	GError *error; /* NULL: there is none */
	int64_t until_us, wait_us; /* time of the next try, and its distance from the last one */
};

Recovery *recovery_new(void)
{
	return g_new0(Recovery, 1);
}

void recovery_free(Recovery *r)
{
	g_clear_error(&r->error);
	g_free(r);
}

void recovery_begin(Recovery *r, const GError *error, bool damaged, int64_t now_us)
{
	bool first = !r->error;
	if (first)
		r->wait_us = damaged ? 0 : RECOVERY_MIN_US;
	else
		r->wait_us = CLAMP(r->wait_us * 2, RECOVERY_MIN_US, RECOVERY_MAX_US);
	r->until_us = now_us + r->wait_us;
	if (first)
		g_warning("the index cannot be written: %s", error->message);
	g_clear_error(&r->error);
	r->error = g_error_copy(error);
}

void recovery_end(Recovery *r)
{
	if (!r->error)
		return;
	g_message("the index can be written again");
	g_clear_error(&r->error);
	r->wait_us = 0;
}

void recovery_expedite(Recovery *r, int64_t now_us)
{
	int64_t began_us = r->until_us - r->wait_us;
	if (r->error)
		r->until_us = MIN(r->until_us, MAX(began_us + RECOVERY_MIN_US, now_us));
}

void recovery_end_wait(Recovery *r, int64_t now_us)
{
	r->until_us = MIN(r->until_us, now_us);
	r->wait_us = 0;
}

const GError *recovery_error(const Recovery *r)
{
	return r->error;
}

int64_t recovery_until_us(const Recovery *r)
{
	return r->error ? r->until_us : 0;
}
