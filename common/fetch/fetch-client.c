/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/fetch/fetch-client.h"
#include "common/base/i18n.h"
#include "common/fetch/fetch-host.h"
#include <glib-unix.h>
#include <unistd.h>

enum {
	DEFAULT_IDLE_MS = 10000,
	GRACE_S = 15, /* a program that is late by this time with an answer is killed */
	FULL_SOCKET_MS = 20, /* until a request is tried again for which there was no room */
	FIRST_RESTART_MS = 1000,
	MAX_RESTART_DOUBLINGS = 6,
	ANSWERS_AT_A_TIME = 32,
};

typedef struct {
	uint32_t serial;
	FetchRequest request;
	FetchDone *done;
	void *data;
	int64_t deadline_us; /* 0: it was not sent yet */
	FetchError error; /* of a request that ends without the program */
	char *detail;
} FetchJob;

struct FetchClient {
	GMainContext *context;
	char *certificates;
	unsigned idle_ms;
	FetchHost *host;
	bool ready; /* the host is confined, and takes requests */
	int64_t ready_by_us; /* when a host that is not ready is given up */
	GSource *watch, *timer;
	GQueue waiting; /* FetchJob, in their order; not sent yet */
	GQueue over; /* ended here: done() is still to be called */
	GHashTable *sent; /* serial -> FetchJob */
	uint64_t sent_bytes; /* the limits of the bodies of those sent */
	uint32_t last_serial;
	int64_t start_after_us, idle_since_us;
	unsigned failed_starts; /* and crashes, since the last answer */
	bool socket_full;
};

static void client_dispatch(FetchClient *c);

/* ---- jobs */

static FetchJob *fetch_job_new(
        uint32_t serial, const FetchRequest *request, FetchDone *done, void *data)
{
	FetchJob *job = g_new0(FetchJob, 1);
	job->serial = serial;
	job->request = *request;
	job->request.url = g_strdup(request->url);
	job->request.accept = g_strdup(request->accept);
	job->request.if_none_match = g_strdup(request->if_none_match);
	job->request.if_modified_since = g_strdup(request->if_modified_since);
	job->request.authorization = g_strdup(request->authorization);
	job->request.local = g_strdup(request->local);
	job->request.contact = g_strdup(request->contact);
	job->done = done;
	job->data = data;
	return job;
}

static void fetch_job_free(void *data)
{
	FetchJob *job = data;
	fetch_request_clear(&job->request);
	g_free(job->detail);
	g_free(job);
}

static void client_end_job(FetchClient *c, FetchJob *job, FetchError error, const char *detail)
{
	job->error = error;
	job->detail = g_strdup(detail ? detail : "");
	g_queue_push_tail(&c->over, job);
}

/* Takes a job back from the program. */
static FetchJob *client_take_sent(FetchClient *c, uint32_t serial)
{
	FetchJob *job = NULL;
	if (!g_hash_table_steal_extended(c->sent, GUINT_TO_POINTER(serial), NULL, (gpointer *)&job))
		return NULL;
	c->sent_bytes -= job->request.body_bytes;
	return job;
}

static void client_report_over(FetchClient *c)
{
	FetchJob *job;
	while ((job = g_queue_pop_head(&c->over))) {
		char empty[] = "";
		const FetchAnswer answer = {.error = job->error,
		        .headers = empty,
		        .address = empty,
		        .detail = job->detail};
		job->done(&answer, -1, job->data);
		fetch_job_free(job);
	}
}

/* ---- the program */

static void client_remove_source(GSource **source)
{
	if (!*source)
		return;
	g_source_destroy(*source);
	g_clear_pointer(source, g_source_unref);
}

static void client_stop_host(FetchClient *c)
{
	client_remove_source(&c->watch);
	g_clear_pointer(&c->host, fetch_host_free);
	c->ready = false;
	c->socket_full = false;
}

static void client_delay_start(FetchClient *c)
{
	int64_t delay_ms = (int64_t)FIRST_RESTART_MS
	                   << MIN(c->failed_starts, MAX_RESTART_DOUBLINGS);
	c->failed_starts++;
	c->start_after_us = g_get_monotonic_time() + delay_ms * 1000;
}

/* Everything that the program had in progress fails. */
static void client_lose_host(FetchClient *c, const char *why)
{
	g_autoptr(GList) serials = g_hash_table_get_keys(c->sent);
	g_message("tarsier-fetch: %s", why);
	client_stop_host(c);
	client_delay_start(c);
	for (GList *at = serials; at; at = at->next)
		client_end_job(
		        c, client_take_sent(c, GPOINTER_TO_UINT(at->data)), FETCH_FAILED, why);
}

/* All requests that wait fail, because the program cannot be started. */
static void client_fail_start(FetchClient *c, const char *why)
{
	FetchJob *job;
	client_stop_host(c);
	client_delay_start(c);
	while ((job = g_queue_pop_head(&c->waiting)))
		client_end_job(c, job, FETCH_FAILED, why);
}

static void client_greet(FetchClient *c)
{
	g_autoptr(GError) error = NULL;
	int state = fetch_host_greet(c->host, &error);
	if (state < 0)
		client_fail_start(c, error->message);
	else
		c->ready = state > 0;
}

static void client_take_answer(FetchClient *c, FetchJob *job, const FetchAnswer *answer, int body)
{
	c->failed_starts = 0;
	job->done(answer, body, job->data);
	fetch_job_free(job);
}

/* An answer may not exceed what was asked for. */
static bool client_answer_fits(const FetchJob *job, const FetchAnswer *answer)
{
	return answer->body_bytes <= job->request.body_bytes &&
	       (!job->request.head || answer->body_bytes == 0);
}

/* False: nothing more to read now. */
static bool client_read_answer(FetchClient *c)
{
	FetchAnswer answer;
	uint32_t serial;
	int body;
	int state = fetch_host_next(c->host, &serial, &answer, &body);
	if (state == 0)
		return false;
	FetchJob *job = state > 0 ? client_take_sent(c, serial) : NULL;
	bool fits = job && client_answer_fits(job, &answer);
	if (fits)
		client_take_answer(c, job, &answer, body);
	else if (state > 0 && body >= 0)
		close(body);
	if (state > 0)
		fetch_answer_clear(&answer);
	if (fits)
		return true;
	if (job)
		client_end_job(c, job, FETCH_FAILED, _("it broke the protocol"));
	client_lose_host(c, state < 0 ? _("it ended unexpectedly") : _("it broke the protocol"));
	return false;
}

static gboolean client_on_readable(int fd, GIOCondition condition, gpointer data)
{
	FetchClient *c = data;
	if (!c->ready)
		client_greet(c);
	for (unsigned i = 0; i < ANSWERS_AT_A_TIME && c->ready && client_read_answer(c); i++)
		;
	client_dispatch(c);
	return G_SOURCE_CONTINUE;
}

static bool client_start_host(FetchClient *c, GError **error)
{
	c->host = fetch_host_start(c->certificates, error);
	if (!c->host)
		return false;
	c->ready_by_us =
	        g_get_monotonic_time() + (int64_t)FETCH_HELLO_TIMEOUT_MS * G_TIME_SPAN_MILLISECOND;
	c->watch = g_unix_fd_source_new(fetch_host_fd(c->host), G_IO_IN | G_IO_HUP | G_IO_ERR);
	g_source_set_callback(c->watch, G_SOURCE_FUNC(client_on_readable), c, NULL);
	g_source_attach(c->watch, c->context);
	return true;
}

/* True if the program takes requests. Otherwise it is started, unless it was a moment ago. */
static bool client_has_host(FetchClient *c)
{
	g_autoptr(GError) error = NULL;
	if (!c->host && g_get_monotonic_time() >= c->start_after_us &&
	        !client_start_host(c, &error))
		client_fail_start(c, error->message);
	return c->ready;
}

/* ---- sending */

static bool client_has_room(const FetchClient *c, const FetchJob *job)
{
	return g_hash_table_size(c->sent) < FETCH_MAX_REQUESTS &&
	       c->sent_bytes + job->request.body_bytes <= FETCH_CLIENT_BODIES;
}

static bool client_send_next(FetchClient *c)
{
	FetchJob *job = g_queue_peek_head(&c->waiting);
	if (!job || !client_has_room(c, job) || !client_has_host(c))
		return false;
	int sent = fetch_host_request(c->host, job->serial, &job->request);
	c->socket_full = sent == 0;
	if (sent < 0)
		client_lose_host(c, _("it ended unexpectedly"));
	if (sent <= 0)
		return false;
	g_queue_pop_head(&c->waiting);
	job->deadline_us =
	        g_get_monotonic_time() + (int64_t)(job->request.seconds + GRACE_S) * G_USEC_PER_SEC;
	c->sent_bytes += job->request.body_bytes;
	g_hash_table_insert(c->sent, GUINT_TO_POINTER(job->serial), job);
	return true;
}

/* ---- time */

static int64_t client_first_deadline(const FetchClient *c)
{
	int64_t first_us = INT64_MAX;
	GHashTableIter iter;
	FetchJob *job;
	g_hash_table_iter_init(&iter, c->sent);
	while (g_hash_table_iter_next(&iter, NULL, (gpointer *)&job))
		first_us = MIN(first_us, job->deadline_us);
	return first_us;
}

static int64_t client_next_time(FetchClient *c, int64_t now_us)
{
	int64_t next_us = client_first_deadline(c);
	if (c->over.length > 0)
		return now_us;
	if (c->socket_full)
		next_us = MIN(next_us, now_us + FULL_SOCKET_MS * 1000);
	if (c->waiting.length > 0 && !c->host)
		next_us = MIN(next_us, c->start_after_us);
	if (c->host && !c->ready)
		next_us = MIN(next_us, c->ready_by_us);
	if (c->host && fetch_client_in_work(c) == 0)
		next_us = MIN(next_us, c->idle_since_us + (int64_t)c->idle_ms * 1000);
	return next_us;
}

/* Sends what can be sent, and sets the timer for what is due next. */
static void client_dispatch(FetchClient *c)
{
	while (client_send_next(c))
		;
	int64_t now_us = g_get_monotonic_time();
	if (fetch_client_in_work(c) > 0)
		c->idle_since_us = now_us;
	int64_t next_us = client_next_time(c, now_us);
	g_source_set_ready_time(c->timer, next_us == INT64_MAX ? -1 : next_us);
}

static gboolean client_on_time(gpointer data)
{
	FetchClient *c = data;
	int64_t now_us = g_get_monotonic_time();
	client_report_over(c);
	if (c->host && !c->ready && c->ready_by_us <= now_us)
		client_fail_start(c, _("it does not respond"));
	if (client_first_deadline(c) <= now_us)
		client_lose_host(c, _("it does not respond"));
	if (fetch_client_in_work(c) == 0 && now_us >= c->idle_since_us + (int64_t)c->idle_ms * 1000)
		client_stop_host(c);
	client_dispatch(c);
	return G_SOURCE_CONTINUE;
}

static gboolean client_timer_dispatch(GSource *source, GSourceFunc callback, gpointer data)
{
	g_source_set_ready_time(source, -1);
	return callback(data);
}

/* ---- public */

FetchClient *fetch_client_new(const char *certificates, unsigned idle_ms)
{
	static GSourceFuncs timer_functions = {.dispatch = client_timer_dispatch};
	FetchClient *c = g_new0(FetchClient, 1);
	c->context = g_main_context_ref_thread_default();
	c->certificates = g_strdup(certificates);
	c->idle_ms = idle_ms > 0 ? idle_ms : DEFAULT_IDLE_MS;
	c->sent = g_hash_table_new_full(NULL, NULL, NULL, fetch_job_free);
	c->timer = g_source_new(&timer_functions, sizeof(GSource));
	g_source_set_callback(c->timer, client_on_time, c, NULL);
	g_source_attach(c->timer, c->context);
	return c;
}

void fetch_client_free(FetchClient *client)
{
	if (!client)
		return;
	client_stop_host(client);
	client_remove_source(&client->timer);
	g_queue_clear_full(&client->waiting, fetch_job_free);
	g_queue_clear_full(&client->over, fetch_job_free);
	g_hash_table_unref(client->sent);
	g_main_context_unref(client->context);
	g_free(client->certificates);
	g_free(client);
}

static bool client_uses_serial(const FetchClient *c, uint32_t serial)
{
	return serial == 0 || g_hash_table_contains(c->sent, GUINT_TO_POINTER(serial));
}

void fetch_client_submit(
        FetchClient *client, const FetchRequest *request, FetchDone *done, void *data)
{
	do
		client->last_serial++;
	while (client_uses_serial(client, client->last_serial));
	FetchJob *job = fetch_job_new(client->last_serial, request, done, data);
	if (fetch_request_is_valid(request))
		g_queue_push_tail(&client->waiting, job);
	else
		client_end_job(client, job, FETCH_INVALID, _("the request is malformed"));
	/* the program is started and callbacks run in the main context, never in here */
	g_source_set_ready_time(client->timer, 0);
}

unsigned fetch_client_in_work(const FetchClient *client)
{
	return client->waiting.length + client->over.length + g_hash_table_size(client->sent);
}
