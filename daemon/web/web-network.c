/* SPDX-License-Identifier: GPL-3.0-or-later */
/* web-network.c - the network is away, and comes back
 *
 * No host is at fault then, so no gap grows and no visit counts as failed. While other hosts
 * answer, those without a way to them wait by themselves: a local network without the internet is
 * such a case. When none has answered for a while, only one request now and then tries the
 * network. The first wait is longer than tarsier-fetch lives without requests: no connection from
 * before is used after it. */
#include <config.h>
#include "daemon/web/web-crawl-private.h"
#include <inttypes.h>
#include <string.h>

enum { NETWORK_RECENT_MS = 10000, NETWORK_LEAST_MS = 15000, NETWORK_MOST_MS = 60000 };

static bool network_note_source(
        WebCrawl *c, WebSource *s, const WebReply *reply, bool has_network, GError **error)
{
	const char *failure = fetch_error_name(FETCH_NO_NETWORK);
	if (has_network && s->has_network)
		return true;
	s->has_network = has_network;
	return has_network ? writer_web_end_failure(c->w, s->id, failure, error)
	                   : writer_web_note_visit(c->w, s->id, reply->response_s, failure, error);
}

static bool network_note_sources(
        WebCrawl *c, const WebReply *reply, bool has_network, GError **error)
{
	for (guint i = 0; i < c->sources->len; i++) {
		WebSource *s = c->sources->pdata[i];
		if (strcmp(s->origin, reply->ask.origin) == 0 &&
		        !network_note_source(c, s, reply, has_network, error))
			return false;
	}
	return true;
}

/* Other requests that were being made when the network went lengthen no wait. */
static void network_wait(WebNetwork *network, int64_t now_ms)
{
	bool others = network->replied_ms > 0 && now_ms - network->replied_ms < NETWORK_RECENT_MS;
	if (others || now_ms < network->next_ms)
		return;
	network->wait_ms = CLAMP(network->wait_ms * 2, NETWORK_LEAST_MS, NETWORK_MOST_MS);
	network->next_ms = now_ms + network->wait_ms;
	g_debug("web: no network; it is tried again in %" PRId64 " ms", network->wait_ms);
}

bool web_network_take_loss(WebCrawl *c, const WebReply *reply, GError **error)
{
	WebTime now = web_now();
	network_wait(&c->network, now.monotonic_ms);
	return frontier_take_back(c->frontier, &now, reply->ask.host, 0, NETWORK_LEAST_MS, error) &&
	       network_note_sources(c, reply, false, error);
}

bool web_network_note_reply(WebCrawl *c, const WebReply *reply, GError **error)
{
	c->network = (WebNetwork){.replied_ms = web_now().monotonic_ms};
	return network_note_sources(c, reply, true, error);
}

unsigned web_network_room(const WebCrawl *c, const WebTime *now, unsigned most)
{
	if (c->network.wait_ms == 0)
		return most;
	return c->asking == 0 && now->monotonic_ms >= c->network.next_ms;
}

int64_t web_network_next_ms(const WebCrawl *c)
{
	if (c->network.wait_ms == 0)
		return 0;
	return c->asking == 0 ? c->network.next_ms : INT64_MAX;
}
