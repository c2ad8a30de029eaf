/* SPDX-License-Identifier: GPL-3.0-or-later */
/* politeness.h - how long a host and its address are left alone between two requests
 *
 * Pure functions; times are milliseconds of the wall clock since 1970 unless they say otherwise.
 * After an answer, the next request to the host waits
 *
 *	gap = max(Crawl-delay, 10 * duration of the answer, 1 s)
 *
 * and 60 s lie between two feeds of a host. A request without an answer counts as it took, not ten
 * times. Each 429, 503 and time-out doubles the gap, each other
 * answer halves it again. Retry-After is obeyed. Hosts of one address share its gap, but not the
 * Crawl-delay of one of them.
 *
 * The stored time is believed as far as it makes sense: a stored moment is never further away than
 * the wait that led to it, or the clock was set back since; then the whole wait begins again. While
 * the process runs, monotonic time (PoliteGate) also guards against a clock that is set forward.
 * While no process runs nothing does: so after a start each host is left alone for the wait that it
 * had last, but for no more than POLITE_START_MS if the clock says that it is over. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

enum {
	POLITE_LEAST_MS = 1000,
	POLITE_FACTOR = 10,
	POLITE_FEED_MS = 60 * 1000,
	POLITE_START_MS = 60 * 1000, /* of a wait that is over, so much begins again at a start */
	POLITE_DELAY_MOST_MS = 24 * 3600 * 1000, /* a longer Crawl-delay is cut */
	POLITE_BACKOFF_MOST_MS = 6 * 3600 * 1000, /* doubling ends here */
	POLITE_BACKOFF_MOST = 16, /* doublings */
	POLITE_REQUEST_MOST_MS = 60 * 1000, /* a request is given up after this time */
	POLITE_ROBOTS_S = 24 * 3600, /* robots.txt is kept */
	POLITE_ROBOTS_RETRY_S = 3600, /* it is asked again if it could not be reached */
};
#define POLITE_RETRY_AFTER_MOST_MS ((int64_t)30 * 24 * 3600 * 1000)

/* A moment on both clocks. monotonic: of this process, does not jump. */
typedef struct {
	int64_t wall_ms, monotonic_ms;
} WebTime;

/* The polite gate: the time before which nobody asks. The monotonic moment is not stored. */
typedef struct {
	int64_t next_ms; /* wall clock */
	int64_t wait_ms; /* the wait that led to next_ms */
	int64_t monotonic_ms;
} PoliteGate;

/* How long an answer counts as for the gap. A request without one ends with a time limit of our
 * own, which is no reason to wait ten times as long. status: of HTTP, 0: none. */
int64_t politeness_taken_ms(unsigned status, int64_t duration_ms);
/* The gap after an answer. delay_ms: Crawl-delay, 0 without one. backoff: doublings. */
int64_t politeness_gap_ms(int64_t delay_ms, int64_t duration_ms, unsigned backoff);
/* The number of doublings after an answer. status: of HTTP, 0 after a time-out or a failed
 * connection. */
unsigned politeness_backoff(unsigned backoff, unsigned status);
/* Does this answer ask for fewer requests? */
bool politeness_is_overload(unsigned status);
/* Reads Retry-After: seconds or a date. Returns the wait from now on, 0 if the text says nothing,
 * at most POLITE_RETRY_AFTER_MOST_MS. */
int64_t politeness_retry_after_ms(const char *text, int64_t now_ms);

/* Closes the gate for this long, unless it is closed for longer. */
void polite_gate_close(PoliteGate *gate, const WebTime *now, int64_t wait_ms);
/* Makes a gate of what was stored. */
PoliteGate polite_gate_restore(int64_t next_ms, int64_t wait_ms, const WebTime *now);
/* Returns how long the gate stays closed; 0: it is open. */
int64_t polite_gate_left_ms(const PoliteGate *gate, const WebTime *now);
/* The wait after a request whose answer was lost with the process that made it. asked_ms: when it
 * was sent. It may have taken the whole time since, up to POLITE_REQUEST_MOST_MS. */
int64_t politeness_lost_ms(int64_t asked_ms, int64_t now_ms, int64_t delay_ms, unsigned backoff);
