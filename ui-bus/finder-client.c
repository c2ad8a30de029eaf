/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-bus/finder-client.h"
#include "common/base/autofd.h"
#include "common/ipc/control.h"
#include <errno.h>
#include <glib-unix.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* ANSWER_MS: the reader gives up earlier; one that does not hangs on a disk. */
enum { ANSWER_MS = 10000, READ_BYTES = 16 << 10 };

typedef struct {
	char *owner, *request;
	GVariant *arguments;
	FinderDone done;
	void *data;
	bool stopped; /* it is in progress, and the process was told */
	bool again; /* the process ended before it answered, and another was started */
} FinderAsk;

struct FinderClient {
	char **command;
	GPid process; /* 0: none runs */
	int socket;
	guint socket_source, answer_source;
	GByteArray *received;
	GQueue waiting; /* FinderAsk */
	FinderAsk *current; /* NULL: none is in progress */
};

static void finder_client_next(FinderClient *client);

FinderClient *finder_client_new(char *const *command)
{
	FinderClient *client = g_new0(FinderClient, 1);
	client->command = g_strdupv((char **)command);
	client->socket = -1;
	client->received = g_byte_array_new();
	g_queue_init(&client->waiting);
	return client;
}

/* ---- requests */

static void finder_ask_end(FinderAsk *ask, GVariant *values)
{
	ask->done(values, ask->data);
	g_variant_unref(ask->arguments);
	g_free(ask->owner);
	g_free(ask->request);
	g_free(ask);
}

/* Takes the requests of an owner, or its searches alone, out of the queue. */
static void finder_client_drop(FinderClient *client, const char *owner, bool searches_only)
{
	for (GList *at = client->waiting.head, *next; at; at = next) {
		FinderAsk *ask = at->data;
		next = at->next;
		if (strcmp(ask->owner, owner) != 0 ||
		        (searches_only && strcmp(ask->request, "search") != 0))
			continue;
		g_queue_delete_link(&client->waiting, at);
		finder_ask_end(ask, NULL);
	}
	FinderAsk *current = client->current;
	if (current && !current->stopped && strcmp(current->owner, owner) == 0 &&
	        (!searches_only || strcmp(current->request, "search") == 0))
		current->stopped = control_send(client->socket, "stop", NULL, NULL);
}

/* ---- the process */

static void finder_client_reap(GPid process, gint status, gpointer data)
{
	g_spawn_close_pid(process);
}

/* Leaves the process; its end reaps itself. */
static void finder_client_leave(FinderClient *client)
{
	g_clear_handle_id(&client->socket_source, g_source_remove);
	g_clear_handle_id(&client->answer_source, g_source_remove);
	g_byte_array_set_size(client->received, 0);
	autofd_close(&client->socket);
	client->socket = -1;
	client->process = 0;
}

static void finder_client_finish(FinderClient *client, GVariant *values)
{
	FinderAsk *ask = g_steal_pointer(&client->current);
	g_clear_handle_id(&client->answer_source, g_source_remove);
	if (ask)
		finder_ask_end(ask, values);
	finder_client_next(client);
}

/* Leaves the process, and asks another one what it did not answer, once. */
static void finder_client_lose(FinderClient *client, const char *why)
{
	FinderAsk *ask = client->current;
	finder_client_leave(client);
	if (ask)
		g_message("the process that searches is left: %s", why);
	if (!ask || ask->again || ask->stopped) {
		finder_client_finish(client, NULL);
		return;
	}
	ask->again = true;
	g_queue_push_head(&client->waiting, g_steal_pointer(&client->current));
	finder_client_next(client);
}

static gboolean finder_client_is_late(gpointer data)
{
	FinderClient *client = data;
	client->answer_source = 0;
	kill(client->process, SIGKILL);
	client->current->again = true; /* it would take as long */
	finder_client_lose(client, "it does not answer");
	return G_SOURCE_REMOVE;
}

/* Takes one answer from what was received. False: the process is lost. */
static bool finder_client_take(FinderClient *client)
{
	g_autofree char *name = NULL;
	g_autoptr(GVariant) values = NULL;
	g_autoptr(GError) error = NULL;
	gssize used = control_unpack(
	        client->received->data, client->received->len, &name, &values, &error);
	if (used == 0)
		return true;
	if (used < 0 || !client->current) {
		finder_client_lose(client, error ? error->message : "it answers unasked");
		return false;
	}
	g_byte_array_remove_range(client->received, 0, used);
	bool good = strcmp(name, "ok") == 0;
	const char *message = NULL;
	if (!good && g_variant_lookup(values, "message", "&s", &message))
		g_message("%s", message);
	finder_client_finish(client, good ? values : NULL);
	return true;
}

static gboolean finder_client_receive(gint fd, GIOCondition condition, gpointer data)
{
	FinderClient *client = data;
	uint8_t bytes[READ_BYTES];
	ssize_t got = recv(fd, bytes, sizeof bytes, MSG_DONTWAIT);
	if (got < 0 && (errno == EAGAIN || errno == EINTR))
		return G_SOURCE_CONTINUE;
	if (got <= 0) {
		client->socket_source = 0;
		finder_client_lose(client, "it has ended");
		return G_SOURCE_REMOVE;
	}
	g_byte_array_append(client->received, bytes, got);
	guint source = client->socket_source;
	finder_client_take(client);
	return client->socket_source == source ? G_SOURCE_CONTINUE : G_SOURCE_REMOVE;
}

static bool finder_client_start(FinderClient *client)
{
	g_autoptr(GError) error = NULL;
	int ends[2];
	if (client->process)
		return true;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
		return false;
	bool started = g_spawn_async_with_fds(NULL, client->command, NULL,
	        G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL, &client->process, ends[1], -1, -1, &error);
	close(ends[1]);
	if (!started) {
		close(ends[0]);
		client->process = 0;
		g_warning("%s", error->message);
		return false;
	}
	client->socket = ends[0];
	client->socket_source =
	        g_unix_fd_add(client->socket, G_IO_IN | G_IO_HUP, finder_client_receive, client);
	g_child_watch_add(client->process, finder_client_reap, NULL);
	return true;
}

static bool finder_client_send(FinderClient *client, const FinderAsk *ask)
{
	if (!finder_client_start(client))
		return false;
	if (control_send(client->socket, ask->request, ask->arguments, NULL))
		return true;
	finder_client_leave(client);
	return false;
}

/* Sends the next request, if none is in progress. The process may have ended before its end was
 * read here, so a request that cannot be sent is sent to another one. */
static void finder_client_next(FinderClient *client)
{
	FinderAsk *ask;
	while (!client->current && (ask = g_queue_pop_head(&client->waiting))) {
		client->current = ask;
		if (finder_client_send(client, ask) || finder_client_send(client, ask)) {
			client->answer_source =
			        g_timeout_add(ANSWER_MS, finder_client_is_late, client);
			return;
		}
		client->current = NULL;
		finder_ask_end(ask, NULL);
	}
}

/* ---- the caller */

bool finder_client_ask(FinderClient *client, const char *owner, const char *request,
        GVariant *arguments, FinderDone done, void *data)
{
	g_autoptr(GVariant) sunk = g_variant_ref_sink(arguments);
	if (strcmp(request, "search") == 0)
		finder_client_drop(client, owner, true);
	if (client->waiting.length >= FINDER_CLIENT_WAITING)
		return false;
	FinderAsk *ask = g_new0(FinderAsk, 1);
	*ask = (FinderAsk){.owner = g_strdup(owner),
	        .request = g_strdup(request),
	        .arguments = g_steal_pointer(&sunk),
	        .done = done,
	        .data = data};
	g_queue_push_tail(&client->waiting, ask);
	finder_client_next(client);
	return true;
}

void finder_client_forget(FinderClient *client, const char *owner)
{
	finder_client_drop(client, owner, false);
}

bool finder_client_is_busy(const FinderClient *client)
{
	return client->current || client->waiting.length > 0;
}

void finder_client_free(FinderClient *client)
{
	FinderAsk *ask;
	if (!client)
		return;
	finder_client_leave(client);
	if (client->current)
		finder_ask_end(client->current, NULL);
	while ((ask = g_queue_pop_head(&client->waiting)))
		finder_ask_end(ask, NULL);
	g_byte_array_unref(client->received);
	g_strfreev(client->command);
	g_free(client);
}
