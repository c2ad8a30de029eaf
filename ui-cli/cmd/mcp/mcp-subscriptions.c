/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/cmd/mcp/mcp-subscriptions.h"
#include "ui-cli/app/index-changes.h"
#include "ui-cli/cmd/mcp/mcp-saved.h"
#include "ui-cli/print/json-writer.h"
#include <string.h>

enum {
	SETTLE_MS = 100, /* a commit is several writes */
	SEARCH_SHARE = 4 /* searching takes at most a fifth of the time */
};
#define SUBSCRIPTION_ID "io.modelcontextprotocol/subscriptionId"

typedef struct {
	char *uri, *name;
	char *digest; /* of what the client was told of last */
} LivingSearch;

typedef struct {
	json_t *id; /* of the request */
	GPtrArray *searches; /* LivingSearch */
	bool cancelled; /* it is dropped when nobody looks at it */
} Subscription;

struct McpSubscriptions {
	McpSession *session;
	McpInboxEvents events;
	IndexChanges *changes; /* NULL: nobody listens */
	GPtrArray *open; /* Subscription */
	int64_t due_us; /* when to search; 0: nothing has changed */
	int64_t earliest_us;
};

static void living_search_free(void *data)
{
	LivingSearch *search = data;
	g_free(search->uri);
	g_free(search->name);
	g_free(search->digest);
	g_free(search);
}

static void subscription_free(void *data)
{
	Subscription *subscription = data;
	json_decref(subscription->id);
	g_ptr_array_unref(subscription->searches);
	g_free(subscription);
}

/* ---- messages */

/* Begins the message and its parameters. */
static GString *subscription_begin(const Subscription *subscription, const char *method)
{
	GString *out = g_string_new(NULL);
	json_open(out, NULL, '{');
	json_text(out, "jsonrpc", "2.0");
	json_text(out, "method", method);
	json_open(out, "params", '{');
	json_open(out, "_meta", '{');
	mcp_call_append_id(out, SUBSCRIPTION_ID, subscription->id);
	json_close(out, '}');
	return out;
}

static bool subscription_send(GString *out)
{
	g_string_append(out, "}}");
	bool read = mcp_call_put(out);
	g_string_free(out, TRUE);
	return read;
}

static bool subscription_acknowledge(const Subscription *subscription)
{
	GString *out = subscription_begin(subscription, "notifications/subscriptions/acknowledged");
	json_open(out, "notifications", '{');
	if (subscription->searches->len > 0) {
		json_open(out, "resourceSubscriptions", '[');
		for (guint i = 0; i < subscription->searches->len; i++)
			json_text(
			        out, NULL, ((LivingSearch *)subscription->searches->pdata[i])->uri);
		json_close(out, ']');
	}
	json_close(out, '}');
	return subscription_send(out);
}

static bool subscription_tell(const Subscription *subscription, const LivingSearch *search)
{
	GString *out = subscription_begin(subscription, "notifications/resources/updated");
	json_text(out, "uri", search->uri);
	return subscription_send(out);
}

/* The answer that it had not yet. */
static bool subscription_end(const Subscription *subscription)
{
	GString *out = g_string_new(NULL);
	json_open(out, NULL, '{');
	json_text(out, "jsonrpc", "2.0");
	mcp_call_append_id(out, "id", subscription->id);
	json_open(out, "result", '{');
	json_text(out, "resultType", "complete");
	json_open(out, "_meta", '{');
	mcp_call_append_id(out, SUBSCRIPTION_ID, subscription->id);
	json_close(out, '}');
	return subscription_send(out);
}

/* ---- looking again */

static void subscriptions_drop_cancelled(McpSubscriptions *subscriptions)
{
	for (guint i = subscriptions->open->len; i-- > 0;)
		if (((Subscription *)subscriptions->open->pdata[i])->cancelled)
			g_ptr_array_remove_index(subscriptions->open, i);
	if (subscriptions->open->len > 0)
		return;
	g_clear_pointer(&subscriptions->changes, index_changes_free);
	subscriptions->due_us = 0;
}

/* False: nobody reads what is sent. A query that cannot be searched now has not changed. */
static bool subscription_look(McpCall *call, const Subscription *subscription, LivingSearch *search)
{
	g_autofree char *digest = mcp_saved_digest(call, search->name, mcp_inbox_is_waiting);
	if (!digest || subscription->cancelled || strcmp(digest, search->digest) == 0)
		return true;
	g_free(search->digest);
	search->digest = g_steal_pointer(&digest);
	return subscription_tell(subscription, search);
}

/* Looks at all. A request that comes meanwhile is answered first, and then this begins anew. */
static bool subscriptions_look(McpSubscriptions *subscriptions)
{
	McpCall call = {.session = subscriptions->session};
	int64_t begun_us = g_get_monotonic_time();
	bool read = true, waits = false;
	for (guint i = 0; read && !waits && i < subscriptions->open->len; i++) {
		const Subscription *subscription = subscriptions->open->pdata[i];
		for (guint k = 0; read && !waits && k < subscription->searches->len; k++) {
			read = subscription_look(
			        &call, subscription, subscription->searches->pdata[k]);
			waits = mcp_inbox_is_waiting(call.session->inbox);
		}
	}
	int64_t now_us = g_get_monotonic_time();
	subscriptions->earliest_us = now_us + SEARCH_SHARE * (now_us - begun_us);
	subscriptions->due_us = waits ? subscriptions->earliest_us : 0;
	return read;
}

/* ---- events */

static int subscriptions_fd(void *data)
{
	const McpSubscriptions *subscriptions = data;
	return subscriptions->changes ? index_changes_fd(subscriptions->changes) : -1;
}

static int subscriptions_wait_ms(void *data)
{
	const McpSubscriptions *subscriptions = data;
	int64_t left_us = subscriptions->due_us - g_get_monotonic_time();
	if (subscriptions->due_us == 0)
		return -1;
	return left_us > 0 ? (int)(left_us / 1000) + 1 : 0;
}

/* The directory of the index is not there any more. */
static bool subscriptions_end(McpSubscriptions *subscriptions)
{
	bool read = true;
	for (guint i = 0; read && i < subscriptions->open->len; i++)
		read = subscription_end(subscriptions->open->pdata[i]);
	g_ptr_array_set_size(subscriptions->open, 0);
	subscriptions_drop_cancelled(subscriptions);
	return read;
}

static bool subscriptions_wake(void *data)
{
	McpSubscriptions *subscriptions = data;
	bool replaced = false;
	subscriptions_drop_cancelled(subscriptions);
	if (!subscriptions->changes)
		return true;
	bool changed = index_changes_take(subscriptions->changes, &replaced);
	if (replaced)
		return subscriptions_end(subscriptions);
	int64_t now_us = g_get_monotonic_time();
	if (changed && subscriptions->due_us == 0)
		subscriptions->due_us = MAX(now_us + SETTLE_MS * 1000, subscriptions->earliest_us);
	if (subscriptions->due_us == 0 || now_us < subscriptions->due_us)
		return true;
	return subscriptions_look(subscriptions);
}

static void subscriptions_cancelled(const json_t *id, void *data)
{
	McpSubscriptions *subscriptions = data;
	for (guint i = 0; i < subscriptions->open->len; i++) {
		Subscription *subscription = subscriptions->open->pdata[i];
		if (json_equal(subscription->id, id))
			subscription->cancelled = true;
	}
}

/* ---- the interface */

McpSubscriptions *mcp_subscriptions_new(McpSession *session)
{
	McpSubscriptions *subscriptions = g_new0(McpSubscriptions, 1);
	subscriptions->session = session;
	subscriptions->open = g_ptr_array_new_with_free_func(subscription_free);
	subscriptions->events = (McpInboxEvents){subscriptions_fd, subscriptions_wait_ms,
	        subscriptions_wake, subscriptions_cancelled, subscriptions};
	mcp_inbox_set_events(session->inbox, &subscriptions->events);
	return subscriptions;
}

void mcp_subscriptions_free(McpSubscriptions *subscriptions)
{
	mcp_inbox_set_events(subscriptions->session->inbox, NULL);
	index_changes_free(subscriptions->changes);
	g_ptr_array_unref(subscriptions->open);
	g_free(subscriptions);
}

/* Takes up a saved search that is there; others are not acknowledged. */
static void subscription_add(McpCall *call, Subscription *subscription, const char *uri)
{
	g_autofree char *name = mcp_saved_name(uri);
	bool possible = name && call->session->subscriptions->changes &&
	                subscription->searches->len < MCP_SUBSCRIPTION_URIS;
	char *digest = possible ? mcp_saved_digest(call, name, mcp_inbox_is_cancelled) : NULL;
	if (!digest)
		return;
	LivingSearch *search = g_new0(LivingSearch, 1);
	search->uri = g_strdup(uri);
	search->name = g_steal_pointer(&name);
	search->digest = digest;
	g_ptr_array_add(subscription->searches, search);
}

/* False: the parameters are none. */
static bool subscription_fill(McpCall *call, Subscription *subscription)
{
	const json_t *wanted = mcp_call_param(call, "notifications");
	const json_t *uris = json_object_get(wanted, "resourceSubscriptions");
	bool good = json_is_object(wanted) && (!uris || json_is_array(uris));
	for (size_t i = 0; good && i < json_array_size(uris); i++)
		good = json_is_string(json_array_get(uris, i));
	for (size_t i = 0; good && i < json_array_size(uris); i++)
		subscription_add(call, subscription, json_string_value(json_array_get(uris, i)));
	return good;
}

static Subscription *subscription_new(McpCall *call)
{
	Subscription *subscription = g_new0(Subscription, 1);
	subscription->id = json_incref((json_t *)call->message->id);
	subscription->searches = g_ptr_array_new_with_free_func(living_search_free);
	return subscription;
}

void mcp_subscriptions_listen(McpCall *call)
{
	McpSubscriptions *subscriptions = call->session->subscriptions;
	subscriptions_drop_cancelled(subscriptions);
	if (subscriptions->open->len >= MCP_SUBSCRIPTIONS) {
		mcp_call_fail(call, MCP_INVALID_REQUEST, "Too many subscriptions are open");
		return;
	}
	/* it watches before the first search, so that nothing is missed between them */
	if (!subscriptions->changes)
		subscriptions->changes =
		        index_changes_new_without_signals(call->session->cli->index_dir, NULL);
	Subscription *subscription = subscription_new(call);
	g_ptr_array_add(subscriptions->open, subscription);
	if (!subscription_fill(call, subscription))
		mcp_call_fail(call, MCP_INVALID_PARAMS,
		        "Invalid params: notifications must be an object, "
		        "resourceSubscriptions an array of strings");
	subscription->cancelled = call->error || mcp_inbox_is_cancelled(call->session->inbox);
	call->stays_open = !subscription->cancelled;
	if (call->stays_open)
		subscription_acknowledge(subscription);
	subscriptions_drop_cancelled(subscriptions);
}
