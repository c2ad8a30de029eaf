/* SPDX-License-Identifier: GPL-3.0-or-later */
/* frontier-redirect.c - the robots.txt of a host that lies on another one
 *
 * The request that a redirect leads to another host counts for both: that one is asked when its own
 * gates are open, nothing else is asked of it meanwhile, and it is left alone afterwards. A host
 * without a source has a row for as long as it may not be asked. */
#include <config.h>
#include "common/url/url-origin.h"
#include "daemon/web/frontier-private.h"

/* The host and its address are asked by nobody until frontier_end_redirect(). */
static bool redirect_begin(
        Frontier *f, FrontierHost *other, const WebTime *now, int64_t wait_ms, GError **error)
{
	other->row.has_asked = true;
	other->row.asked = FRONTIER_REDIRECT_HASH;
	other->row.asked_ms = now->wall_ms + wait_ms;
	if (!other->server->asking)
		other->server->asking = other;
	frontier_order_host(f, other, now);
	return frontier_write_host(f, other, error) && frontier_commit(f, error);
}

bool frontier_end_redirect(
        Frontier *f, FrontierHost *h, const WebTime *now, const WebAnswer *answer, GError **error)
{
	FrontierHost *other = h->redirected;
	if (!other)
		return true;
	h->redirected = NULL;
	if (answer)
		frontier_close_gates(other, now, answer);
	other->row.has_asked = false;
	if (other->server->asking == other)
		other->server->asking = NULL;
	frontier_order_host(f, other, now);
	return frontier_forget_host(f, other, now, false, error) &&
	       (other->row.id == 0 || frontier_write_host(f, other, error));
}

/* Other requests to the same address end before this one begins. */
static bool redirect_is_busy(const FrontierHost *h, const FrontierHost *other)
{
	const FrontierHost *asking = other->server->asking;
	return other->row.has_asked || (asking && asking != h);
}

bool frontier_follow_robots(Frontier *f, const WebTime *now, unsigned host, const char *target,
        const WebAnswer *answer, int64_t *wait_ms_r, GError **error)
{
	FrontierHost *h = f->hosts->pdata[host], *other;
	g_autofree char *origin = url_origin(target, NULL);
	*wait_ms_r = politeness_gap_ms(h->row.delay_ms, answer->duration_ms, h->row.backoff);
	if (!frontier_end_redirect(f, h, now, answer, error))
		return false;
	if (!frontier_get_host(f, now, origin, &other, error))
		return false;
	if (other == h)
		return true;
	*wait_ms_r = MAX(*wait_ms_r, polite_gate_left_ms(&other->gate, now));
	*wait_ms_r = MAX(*wait_ms_r, polite_gate_left_ms(&other->server->gate, now));
	if (other->closed || *wait_ms_r > FRONTIER_REDIRECT_MOST_MS)
		*wait_ms_r = FRONTIER_NEVER;
	else if (redirect_is_busy(h, other))
		*wait_ms_r = FRONTIER_ASKING;
	if (*wait_ms_r < 0)
		return true;
	h->redirected = other;
	return redirect_begin(f, other, now, *wait_ms_r, error);
}
