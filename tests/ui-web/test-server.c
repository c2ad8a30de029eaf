/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-web/browse-peer.h"
#include "ui-web/browse-server.h"
#include <arpa/inet.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { ROUNDS = 150, CLIENTS = 4, BATCH = 32, BYTES = 1 << 16 };

/* A browser that asks and asks, whatever it is answered. */
typedef struct {
	unsigned port;
	char *cookie;
} Client;

static unsigned port_of(const BrowseServer *server)
{
	g_autofree char *url = browse_server_url(server);
	g_autoptr(GUri) parts = g_uri_parse(url, G_URI_FLAGS_NONE, NULL);
	return g_uri_get_port(parts);
}

static int connect_to(unsigned port)
{
	const struct sockaddr_in to = {.sin_family = AF_INET,
	        .sin_port = htons(port),
	        .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int s = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	g_assert_true(s >= 0);
	if (connect(s, (const struct sockaddr *)&to, sizeof to) == 0)
		return s;
	close(s);
	return -1;
}

/* The cookie for the token; the caller frees it. */
static char *exchange_token(const BrowseServer *server)
{
	g_autofree char *url = browse_server_url(server);
	g_autofree char *request = g_strdup_printf("GET /%s HTTP/1.1\r\nHost: 127.0.0.1:%u\r\n\r\n",
	        strstr(url, "?token="), port_of(server));
	char reply[BYTES] = "";
	int s = connect_to(port_of(server));
	g_assert_cmpint(send(s, request, strlen(request), MSG_NOSIGNAL), ==, strlen(request));
	g_assert_cmpint(recv(s, reply, sizeof reply - 1, 0), >, 0);
	close(s);
	const char *cookie = strstr(reply, "Set-Cookie: ") + strlen("Set-Cookie: ");
	return g_strndup(cookie, strcspn(cookie, ";"));
}

static gpointer client_run(gpointer data)
{
	const Client *client = data;
	g_autoptr(GString) batch = g_string_new(NULL);
	char reply[BYTES];
	int s = connect_to(client->port);
	for (unsigned i = 0; i < BATCH; i++)
		g_string_append_printf(batch,
		        "GET /hits?q=a HTTP/1.1\r\nHost: 127.0.0.1:%u\r\nCookie: %s\r\n\r\n",
		        client->port, client->cookie);
	while (s >= 0 && send(s, batch->str, batch->len, MSG_NOSIGNAL) == (ssize_t)batch->len &&
	        recv(s, reply, sizeof reply, 0) > 0)
		;
	if (s >= 0)
		close(s);
	return NULL;
}

/* libmicrohttpd ends the program if somebody still waits for an answer. */
static void test_end(void)
{
	for (unsigned i = 0; i < ROUNDS; i++) {
		g_autoptr(BrowseLife) life = browse_life_new(LIFE_IDLE_S);
		g_autoptr(GError) error = NULL;
		GThread *threads[CLIENTS];
		BrowseServer *server = browse_server_new(life, "/", &error);
		g_assert_no_error(error);
		g_assert_true(browse_server_start(server));
		g_autofree char *cookie = exchange_token(server);
		Client client = {port_of(server), cookie};
		for (unsigned k = 0; k < CLIENTS; k++)
			threads[k] = g_thread_new("client", client_run, &client);
		for (unsigned k = 0; k < i; k++)
			browse_server_answer(server, browse_server_next(server, G_MAXINT32));
		browse_server_free(server);
		for (unsigned k = 0; k < CLIENTS; k++)
			g_thread_join(threads[k]);
	}
}

/* ---- an answer that nobody takes */

enum { IDLE_S = 100, PATIENCE_S = 60 };

static void send_page_request(int s, const BrowseServer *server, const char *cookie)
{
	g_autofree char *request =
	        g_strdup_printf("GET / HTTP/1.1\r\nHost: 127.0.0.1:%u\r\nCookie: %s\r\n\r\n",
	                port_of(server), cookie);
	g_assert_cmpint(send(s, request, strlen(request), MSG_NOSIGNAL), ==, strlen(request));
}

/* Does it go on for as long as with a page without script? */
static bool life_is_long(BrowseLife *life)
{
	return browse_life_left_us(life) > 3 * IDLE_S * G_USEC_PER_SEC;
}

/* Another thread counts it, and then wakes who waits for requests. */
static void assert_life_becomes_short(BrowseServer *server, BrowseLife *life)
{
	int64_t end_us = g_get_monotonic_time() + PATIENCE_S * G_USEC_PER_SEC;
	while (life_is_long(life) && g_get_monotonic_time() < end_us)
		g_assert_null(browse_server_next(server, G_USEC_PER_SEC / 10));
	g_assert_false(life_is_long(life));
}

/* bytes: of the answer; a large one does not fit into what the kernel keeps for the other end. */
static void abort_page(size_t bytes, bool before_answer)
{
	g_autoptr(BrowseLife) life = browse_life_new(IDLE_S);
	g_autoptr(GError) error = NULL;
	g_autoptr(BrowseServer) server = browse_server_new(life, "/", &error);
	char byte;
	g_assert_no_error(error);
	g_assert_true(browse_server_start(server));
	g_autofree char *cookie = exchange_token(server);
	int s = connect_to(port_of(server));
	send_page_request(s, server, cookie);
	BrowseRequest *request = browse_server_next(server, G_MAXINT32);
	g_assert_nonnull(request);
	g_assert_true(life_is_long(life));
	g_string_set_size(request->body, bytes);
	memset(request->body->str, 'a', bytes);
	if (before_answer)
		close(s);
	browse_server_answer(server, request);
	if (!before_answer) {
		g_assert_cmpint(recv(s, &byte, 1, 0), ==, 1);
		close(s);
	}
	assert_life_becomes_short(server, life);
}

static void test_abort(void)
{
	abort_page(100, true);
	abort_page(64 << 20, false);
}

static void test_taken(void)
{
	g_autoptr(BrowseLife) life = browse_life_new(IDLE_S);
	g_autoptr(BrowseServer) server = browse_server_new(life, "/", NULL);
	char reply[BYTES];
	g_assert_true(browse_server_start(server));
	g_autofree char *cookie = exchange_token(server);
	int s = connect_to(port_of(server));
	send_page_request(s, server, cookie);
	browse_server_answer(server, browse_server_next(server, G_MAXINT32));
	g_assert_cmpint(recv(s, reply, sizeof reply, 0), >, 0);
	close(s);
	g_assert_true(life_is_long(life));
}

/* ---- the other end */

static void test_peer(void)
{
	struct sockaddr_in own = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	struct sockaddr_in peer;
	socklen_t own_size = sizeof own, peer_size = sizeof peer;
	int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	const int ways[] = {browse_peer_open(), -1};
	g_assert_cmpint(bind(listener, (struct sockaddr *)&own, sizeof own), ==, 0);
	g_assert_cmpint(listen(listener, 1), ==, 0);
	g_assert_cmpint(getsockname(listener, (struct sockaddr *)&own, &own_size), ==, 0);
	int client = connect_to(ntohs(own.sin_port));
	int s = accept(listener, (struct sockaddr *)&peer, &peer_size);
	g_assert_true(s >= 0);
	for (size_t i = 0; i < G_N_ELEMENTS(ways); i++) {
		struct sockaddr_in other = peer;
		uid_t uid = geteuid() + 1;
		g_assert_true(browse_peer_uid(ways[i], &peer, &own, &uid));
		g_assert_cmpuint(uid, ==, geteuid());
		other.sin_port = htons(ntohs(peer.sin_port) ^ 1);
		g_assert_false(browse_peer_uid(ways[i], &other, &own, &uid));
		other = peer;
		other.sin_addr.s_addr = htonl(INADDR_LOOPBACK + 1);
		g_assert_false(browse_peer_uid(ways[i], &other, &own, &uid));
	}
	close(client); /* then nobody has the other end */
	for (size_t i = 0; i < G_N_ELEMENTS(ways); i++) {
		uid_t uid;
		g_assert_false(browse_peer_uid(ways[i], &peer, &own, &uid));
	}
	close(s);
	close(listener);
	if (ways[0] >= 0)
		close(ways[0]);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/ui-web/server/end", test_end);
	g_test_add_func("/ui-web/server/abort", test_abort);
	g_test_add_func("/ui-web/server/taken", test_taken);
	g_test_add_func("/ui-web/server/peer", test_peer);
	return g_test_run();
}
