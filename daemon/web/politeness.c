/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/web/politeness.h"
#include "common/base/http-date.h"
#include <glib.h>
#include <string.h>

int64_t politeness_gap_ms(int64_t delay_ms, int64_t duration_ms, unsigned backoff)
{
	int64_t slow = CLAMP(duration_ms, 0, POLITE_REQUEST_MOST_MS) * POLITE_FACTOR;
	int64_t delay = CLAMP(delay_ms, 0, POLITE_DELAY_MOST_MS);
	int64_t gap = MAX(MAX(slow, delay), POLITE_LEAST_MS);
	int64_t doubled = gap << MIN(backoff, POLITE_BACKOFF_MOST);
	return MAX(gap, MIN(doubled, POLITE_BACKOFF_MOST_MS));
}

int64_t politeness_taken_ms(unsigned status, int64_t duration_ms)
{
	return status == 0 ? duration_ms / POLITE_FACTOR : duration_ms;
}

bool politeness_is_overload(unsigned status)
{
	return status == 0 || status == 429 || status == 503;
}

unsigned politeness_backoff(unsigned backoff, unsigned status)
{
	if (politeness_is_overload(status))
		return MIN(backoff + 1, POLITE_BACKOFF_MOST);
	return backoff > 0 ? backoff - 1 : 0;
}

int64_t politeness_retry_after_ms(const char *text, int64_t now_ms)
{
	int64_t seconds = 0, date;
	if (!text)
		return 0;
	text += strspn(text, " \t");
	if (http_date_parse(text, now_ms / 1000, &date))
		return CLAMP(date * 1000 - now_ms, 0, POLITE_RETRY_AFTER_MOST_MS);
	size_t digits = strspn(text, "0123456789");
	if (digits == 0 || text[digits + strspn(text + digits, " \t")] != '\0')
		return 0;
	for (size_t i = 0; i < digits; i++)
		seconds = MIN(seconds * 10 + (text[i] - '0'), POLITE_RETRY_AFTER_MOST_MS / 1000);
	return seconds * 1000;
}

void polite_gate_close(PoliteGate *gate, const WebTime *now, int64_t wait_ms)
{
	if (wait_ms <= polite_gate_left_ms(gate, now))
		return;
	*gate = (PoliteGate){
	        .next_ms = now->wall_ms + wait_ms,
	        .wait_ms = wait_ms,
	        .monotonic_ms = now->monotonic_ms + wait_ms,
	};
}

PoliteGate polite_gate_restore(int64_t next_ms, int64_t wait_ms, const WebTime *now)
{
	int64_t wait = CLAMP(wait_ms, 0, POLITE_RETRY_AFTER_MOST_MS);
	int64_t left = next_ms <= now->wall_ms ? 0 : next_ms - now->wall_ms;
	left = CLAMP(left, MIN(wait, POLITE_START_MS), wait);
	return (PoliteGate){now->wall_ms + left, wait, now->monotonic_ms + left};
}

/* A clock that was set forward opens the gate on the wall alone, one that was set back closes it
 * there alone: monotonic time is right in both cases. */
int64_t polite_gate_left_ms(const PoliteGate *gate, const WebTime *now)
{
	return MAX(0, gate->monotonic_ms - now->monotonic_ms);
}

int64_t politeness_lost_ms(int64_t asked_ms, int64_t now_ms, int64_t delay_ms, unsigned backoff)
{
	bool sane = asked_ms <= now_ms;
	int64_t duration =
	        sane ? MIN(now_ms - asked_ms, POLITE_REQUEST_MOST_MS) : POLITE_REQUEST_MOST_MS;
	return politeness_gap_ms(delay_ms, duration, backoff);
}
