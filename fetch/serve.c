/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "fetch/serve.h"
#include "fetch/transfer.h"
#include <errno.h>
#include <poll.h>

enum { IDLE_MS = 60000 }; /* libcurl shortens it if it waits for something */
enum { ROUTE_MS = 2000 }; /* between two looks at whether the network is still there */

typedef struct {
	int socket;
	CURLM *multi;
	const char *certificates;
	GPtrArray *transfers; /* in progress */
	GPtrArray *handles; /* unused, kept for their buffers */
	gint64 looked_us; /* at the routes of the transfers */
	GQueue answers; /* ended transfers, until there is room in the socket */
	WirePacket out;
	uint8_t in[WIRE_PACKET_BYTES];
} FetchServer;

/* ---- transfers */

static CURL *serve_take_handle(FetchServer *s)
{
	if (s->handles->len == 0)
		return curl_easy_init();
	CURL *easy = g_ptr_array_steal_index_fast(s->handles, s->handles->len - 1);
	curl_easy_reset(easy);
	return easy;
}

static void serve_drop_transfer(FetchServer *s, Transfer *transfer)
{
	CURL *easy = transfer_easy(transfer);
	transfer_free(transfer);
	g_ptr_array_add(s->handles, easy);
}

static void serve_remove(FetchServer *s, Transfer *transfer)
{
	curl_multi_remove_handle(s->multi, transfer_easy(transfer));
	g_ptr_array_remove_fast(s->transfers, transfer);
}

static void serve_begin(FetchServer *s, uint32_t serial, FetchRequest *request)
{
	Transfer *transfer = transfer_new(serve_take_handle(s), serial, request, s->certificates);
	if (transfer_is_ready(transfer) &&
	        curl_multi_add_handle(s->multi, transfer_easy(transfer)) == CURLM_OK) {
		g_ptr_array_add(s->transfers, transfer);
		return;
	}
	transfer_end(transfer, transfer_is_ready(transfer) ? CURLE_FAILED_INIT : CURLE_OK);
	g_queue_push_tail(&s->answers, transfer);
}

static void serve_collect(FetchServer *s)
{
	CURLMsg *message;
	int left;
	while ((message = curl_multi_info_read(s->multi, &left))) {
		Transfer *transfer = transfer_of(message->easy_handle);
		CURLcode result = message->data.result;
		if (message->msg != CURLMSG_DONE || !transfer)
			continue;
		transfer_end(transfer, result);
		serve_remove(s, transfer);
		g_queue_push_tail(&s->answers, transfer);
	}
}

/* A connection stays silent when its network goes: no error comes before the time-out. */
static void serve_stop_lost(FetchServer *s)
{
	gint64 now = g_get_monotonic_time();
	if (now < s->looked_us + ROUTE_MS * G_TIME_SPAN_MILLISECOND)
		return;
	s->looked_us = now;
	for (guint i = s->transfers->len; i-- > 0;) {
		Transfer *transfer = s->transfers->pdata[i];
		if (!transfer_is_cut_off(transfer))
			continue;
		transfer_end_cut_off(transfer);
		serve_remove(s, transfer);
		g_queue_push_tail(&s->answers, transfer);
	}
}

/* ---- messages */

/* False: the other end is gone. */
static bool serve_send_answers(FetchServer *s)
{
	Transfer *transfer;
	while ((transfer = g_queue_peek_head(&s->answers))) {
		if (!fetch_put_answer(
		            &s->out, transfer_serial(transfer), transfer_answer(transfer)))
			return false;
		int sent = wire_send_now(s->socket, &s->out, transfer_body(transfer));
		if (sent <= 0)
			return sent == 0;
		g_queue_pop_head(&s->answers);
		serve_drop_transfer(s, transfer);
	}
	return true;
}

static bool serve_take_request(FetchServer *s, size_t length)
{
	FetchRequest request;
	uint32_t serial;
	if (s->transfers->len + s->answers.length >= FETCH_MAX_REQUESTS ||
	        !fetch_take_request(s->in, length, &serial, &request))
		return false;
	serve_begin(s, serial, &request);
	return true;
}

/* 1: everything is read; 0: the other end is closed; -1: it broke the protocol. */
static int serve_receive(FetchServer *s)
{
	struct pollfd ready = {s->socket, POLLIN, 0};
	while (poll(&ready, 1, 0) > 0) {
		int fd;
		ssize_t length = wire_receive(s->socket, s->in, &fd);
		if (fd >= 0)
			close(fd);
		if (length == 0 || (length < 0 && errno == ECONNRESET))
			return 0;
		if (length < 0 || fd >= 0 || !serve_take_request(s, length))
			return -1;
	}
	return 1;
}

/* ---- the loop */

static bool serve_wait(FetchServer *s)
{
	struct curl_waitfd ready = {s->socket, CURL_WAIT_POLLIN, 0};
	if (s->answers.length > 0)
		ready.events |= CURL_WAIT_POLLOUT;
	int most_ms = s->transfers->len > 0 ? ROUTE_MS : IDLE_MS;
	return curl_multi_poll(s->multi, &ready, 1, most_ms, NULL) == CURLM_OK;
}

static int serve_run(FetchServer *s)
{
	for (;;) {
		int running, state = serve_receive(s);
		if (state <= 0)
			return state < 0;
		if (curl_multi_perform(s->multi, &running) != CURLM_OK)
			return 1;
		serve_collect(s);
		serve_stop_lost(s);
		if (!serve_send_answers(s) || !serve_wait(s))
			return 0;
	}
}

int serve(int socket_fd, const char *certificates)
{
	FetchServer *s = g_new0(FetchServer, 1);
	s->socket = socket_fd;
	s->certificates = certificates;
	s->multi = curl_multi_init();
	s->transfers = g_ptr_array_new();
	s->handles = g_ptr_array_new();
	if (!s->multi)
		return 1;
	curl_multi_setopt(s->multi, CURLMOPT_MAXCONNECTS, (long)FETCH_MAX_REQUESTS);
	curl_multi_setopt(s->multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, (long)FETCH_MAX_REQUESTS);
	/* the process ends: nothing is freed, and threads that still resolve names are left */
	return serve_run(s);
}
