/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/service/server.h"
#include "common/base/autofd.h"
#include "common/base/i18n.h"
#include "common/ipc/control.h"
#include <errno.h>
#include <glib-unix.h>
#include <stdint.h>
#include <sys/socket.h>

enum { EXIT_BUSY = 75 };

typedef struct Client Client;

struct Server {
	int fd;
	char *path;
	guint source;
	ServerHandler handler;
	void *data;
	GPtrArray *clients; /* of Client */
};

struct Client {
	Server *server; /* NULL: the client was dropped */
	int fd;
	guint source, timer;
	GByteArray *in, *out;
	size_t sent;
	int64_t since_us; /* monotonic: it came then, or had its last answer */
	bool asked; /* a request waits for its answer */
	bool held; /* it may be idle */
	gatomicrefcount references;
};

struct ServerRequest {
	Client *client;
};

/* ---- clients */

static void client_unref(Client *client)
{
	if (!g_atomic_ref_count_dec(&client->references))
		return;
	g_byte_array_unref(client->in);
	g_byte_array_unref(client->out);
	g_free(client);
}

static void server_drop(Client *client)
{
	Server *server = client->server;
	if (!server)
		return;
	client->server = NULL;
	g_clear_handle_id(&client->source, g_source_remove);
	g_clear_handle_id(&client->timer, g_source_remove);
	autofd_close(&client->fd);
	client->fd = -1;
	g_ptr_array_remove_fast(server->clients, client);
	client_unref(client);
}

/* Packs the message of a refusal. code: the exit status for the client. */
static GBytes *server_pack_refusal(int code, const char *message)
{
	GVariantDict dict;
	g_variant_dict_init(&dict, NULL);
	g_variant_dict_insert(&dict, "message", "s", message);
	g_variant_dict_insert(&dict, "code", "i", code);
	return control_pack("error", g_variant_dict_end(&dict), NULL);
}

/* Sends a refusal to a peer that is closed next. It is short, and a new or idle connection has room
 * for it. */
static void server_send_refusal(int fd, const char *message)
{
	g_autoptr(GBytes) refusal = server_pack_refusal(EXIT_BUSY, message);
	gsize length;
	const void *bytes = g_bytes_get_data(refusal, &length);
	if (send(fd, bytes, length, MSG_DONTWAIT | MSG_NOSIGNAL) < 0)
		g_debug("control: a refusal could not be sent: %s", g_strerror(errno));
}

/* A client that speaks after it was dropped finds the reason. In the middle of an answer there is
 * no place for one. */
static void server_drop_idle(Client *client)
{
	if (client->out->len == 0)
		server_send_refusal(client->fd,
		        _("the daemon closed the connection because it was idle; ask again"));
	server_drop(client);
}

static gboolean on_idle(gpointer data)
{
	Client *client = data;
	client->timer = 0;
	server_drop_idle(client);
	return G_SOURCE_REMOVE;
}

/* The timer runs while the client has to act: to ask, or to take its answer. Input that arrived
 * while the main loop was busy is handled before the timeout. */
static void restart_timer(Client *client)
{
	g_clear_handle_id(&client->timer, g_source_remove);
	if ((!client->asked && !client->held) || client->out->len > 0)
		client->timer = g_timeout_add_seconds_full(
		        G_PRIORITY_HIGH_IDLE, SERVER_IDLE_S, on_idle, client, NULL);
}

static gboolean on_ready(int fd, GIOCondition condition, gpointer data);

static void server_wait_for(Client *client, GIOCondition condition)
{
	g_clear_handle_id(&client->source, g_source_remove);
	client->source =
	        g_unix_fd_add(client->fd, condition | G_IO_HUP | G_IO_ERR, on_ready, client);
}

static bool server_must_wait(ssize_t result)
{
	return result < 0 && (errno == EAGAIN || errno == EINTR);
}

/* Takes one request at a time from the received bytes. */
static void take_requests(Client *client)
{
	g_autofree char *name = NULL;
	g_autoptr(GVariant) values = NULL;
	g_autoptr(GError) error = NULL;
	if (client->asked || client->in->len == 0)
		return;
	gssize used = control_unpack(client->in->data, client->in->len, &name, &values, &error);
	if (used < 0) {
		server_drop(client);
		return;
	}
	if (used == 0)
		return;
	g_byte_array_remove_range(client->in, 0, used);
	client->asked = true;
	restart_timer(client);
	ServerRequest *request = g_new(ServerRequest, 1);
	request->client = client;
	g_atomic_ref_count_inc(&client->references);
	client->server->handler(request, name, values, client->server->data);
}

static void server_receive(Client *client)
{
	enum { CHUNK_BYTES = 16 << 10 };
	uint8_t buffer[CHUNK_BYTES];
	ssize_t got = recv(client->fd, buffer, sizeof(buffer), MSG_DONTWAIT);
	if (server_must_wait(got))
		return;
	if (got <= 0 || client->in->len + (size_t)got > CONTROL_MAX_BYTES + sizeof(uint32_t)) {
		server_drop(client);
		return;
	}
	g_byte_array_append(client->in, buffer, got);
	restart_timer(client);
	take_requests(client);
}

static void send_out(Client *client)
{
	size_t left = client->out->len - client->sent;
	ssize_t put = send(
	        client->fd, client->out->data + client->sent, left, MSG_DONTWAIT | MSG_NOSIGNAL);
	if (server_must_wait(put)) {
		server_wait_for(client, G_IO_OUT);
		return;
	}
	if (put < 0) {
		server_drop(client);
		return;
	}
	client->sent += put;
	if (client->sent < client->out->len) {
		server_wait_for(client, G_IO_OUT);
		return;
	}
	g_byte_array_set_size(client->out, 0);
	client->sent = 0;
	client->asked = false;
	client->since_us = g_get_monotonic_time();
	restart_timer(client);
	server_wait_for(client, G_IO_IN);
	take_requests(client);
}

static gboolean on_ready(int fd, GIOCondition condition, gpointer data)
{
	Client *client = data;
	g_atomic_ref_count_inc(&client->references);
	guint source = client->source;
	if (condition & G_IO_OUT)
		send_out(client);
	else if (condition & G_IO_IN)
		server_receive(client);
	else
		server_drop(client);
	bool same = client->source == source;
	client_unref(client);
	return same ? G_SOURCE_CONTINUE : G_SOURCE_REMOVE;
}

/* ---- answers */

/* message NULL: there is none, and the client is dropped. */
static void server_send_answer(ServerRequest *request, GBytes *message)
{
	Client *client = request->client;
	if (client->server && message) {
		gsize length;
		const uint8_t *bytes = g_bytes_get_data(message, &length);
		g_byte_array_append(client->out, bytes, length);
		restart_timer(client);
		send_out(client);
	} else if (client->server) {
		server_drop(client);
	}
	client_unref(client);
	g_free(request);
}

void server_hold(ServerRequest *request)
{
	const Server *server = request->client->server;
	unsigned held = 0;
	for (guint i = 0; server && i < server->clients->len; i++)
		held += ((const Client *)server->clients->pdata[i])->held;
	if (held < SERVER_HELD)
		request->client->held = true;
}

void server_answer(ServerRequest *request, GVariant *values)
{
	g_autoptr(GBytes) message = control_pack("ok", values, NULL);
	server_send_answer(request, message);
}

void server_refuse(ServerRequest *request, int code, const char *message)
{
	g_autoptr(GBytes) refusal = server_pack_refusal(code, message);
	server_send_answer(request, refusal);
}

/* ---- the socket */

static Client *server_longest_idle(const Server *server)
{
	Client *longest = NULL;
	for (guint i = 0; i < server->clients->len; i++) {
		Client *client = server->clients->pdata[i];
		if (!client->asked && !client->held &&
		        (!longest || client->since_us < longest->since_us))
			longest = client;
	}
	return longest;
}

/* Makes room for a new client if there are too many. False: all of them wait for an answer. */
static bool server_make_room(Server *server)
{
	if (server->clients->len < SERVER_CLIENTS)
		return true;
	Client *longest = server_longest_idle(server);
	if (longest)
		server_drop_idle(longest);
	return longest != NULL;
}

static gboolean on_connect(int fd, GIOCondition condition, gpointer data)
{
	Server *server = data;
	autofd peer = accept4(fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	if (peer < 0 || !control_peer_is_owner(peer))
		return G_SOURCE_CONTINUE;
	if (!server_make_room(server)) {
		server_send_refusal(peer, _("too many clients wait for the daemon; try again"));
		return G_SOURCE_CONTINUE;
	}
	Client *client = g_new0(Client, 1);
	g_atomic_ref_count_init(&client->references);
	client->server = server;
	client->fd = autofd_steal(&peer);
	client->since_us = g_get_monotonic_time();
	client->in = g_byte_array_new();
	client->out = g_byte_array_new();
	g_ptr_array_add(server->clients, client);
	restart_timer(client);
	server_wait_for(client, G_IO_IN);
	return G_SOURCE_CONTINUE;
}

Server *server_new(const char *socket_path, ServerHandler handler, void *data, GError **error)
{
	int fd = control_listen(socket_path, error);
	if (fd < 0)
		return NULL;
	Server *server = g_new0(Server, 1);
	server->fd = fd;
	server->path = g_strdup(socket_path);
	server->handler = handler;
	server->data = data;
	server->clients = g_ptr_array_new();
	server->source = g_unix_fd_add(fd, G_IO_IN, on_connect, server);
	return server;
}

void server_free(Server *server)
{
	if (!server)
		return;
	while (server->clients->len > 0)
		server_drop(server->clients->pdata[0]);
	g_source_remove(server->source);
	autofd_close(&server->fd);
	unlink(server->path);
	g_ptr_array_unref(server->clients);
	g_free(server->path);
	g_free(server);
}
