/* SPDX-License-Identifier: GPL-3.0-or-later */
/* frontier-reserve.c - a host that somebody else of the user asks for a moment
 *
 * A client that looks at a new source asks its host itself. Meanwhile the host and its address are
 * closed for us, for RESERVE_MS at most if the client never comes back. */
#include <config.h>
#include "daemon/web/frontier-private.h"

enum { RESERVE_MS = 60 * 1000 };

bool frontier_reserve(Frontier *f, const WebTime *now, const char *origin, int64_t patience_ms,
        int64_t *wait_r, GError **error)
{
	FrontierHost *h = frontier_find_host(f, origin);
	*wait_r = 0;
	if (!h)
		return true;
	FrontierServer *s = h->server;
	*wait_r = MAX(polite_gate_left_ms(&h->gate, now), polite_gate_left_ms(&s->gate, now));
	if (s->asking)
		*wait_r = FRONTIER_ASKING;
	if (s->asking || *wait_r > patience_ms)
		return true;
	h->reserved = true;
	h->reserved_ms = now->monotonic_ms + *wait_r;
	polite_gate_close(&h->gate, now, *wait_r + RESERVE_MS);
	polite_gate_close(&s->gate, now, *wait_r + RESERVE_MS);
	frontier_order_host(f, h, now);
	return frontier_write_host(f, h, error) && frontier_commit(f, error);
}

/* Nothing was asked of the address since, so only the reservation keeps the gates closed. */
bool frontier_end_reserve(Frontier *f, const WebTime *now, const char *origin, GError **error)
{
	FrontierHost *h = frontier_find_host(f, origin);
	if (!h || !h->reserved || h->server->asking)
		return true;
	int64_t left_ms = h->reserved_ms - now->monotonic_ms;
	h->reserved = false;
	h->gate = h->server->gate = (PoliteGate){0};
	polite_gate_close(
	        &h->gate, now, MAX(left_ms, politeness_gap_ms(h->row.delay_ms, 0, h->row.backoff)));
	polite_gate_close(&h->server->gate, now, MAX(left_ms, politeness_gap_ms(0, 0, 0)));
	frontier_order_host(f, h, now);
	return frontier_write_host(f, h, error) && frontier_commit(f, error);
}
