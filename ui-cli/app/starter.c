/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/app/starter.h"
#include "common/base/autofd.h"
#include "common/base/i18n.h"
#include "common/ipc/control.h"
#include "common/ipc/wire.h"
#include "ui-cli/app/run-command.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { DAEMON_MS = 3000 };

/* The kinds of requests: a file is opened, or the daemon is asked, or the command runs. The path
 * and the type of the file follow, each with a NUL. */
typedef struct {
	bool opens;
	bool asks; /* for the status of the daemon; always apart */
	bool apart; /* a process of its own opens, and answers to the descriptor that came along */
	bool has_mime;
	ViewerPlace place;
} StarterOrder;

/* The result of a request. The message of the error follows, with a NUL. */
typedef struct {
	bool ok;
	bool has_error;
	int code; /* of G_SPAWN_ERROR */
} StarterReply;

struct Starter {
	char **command;
	char *daemon; /* the socket on which it listens */
	pid_t pid;
	int socket; /* of this process */
	WirePacket packet;
	uint8_t buffer[WIRE_PACKET_BYTES];
};

static bool starter_put(WirePacket *packet, const void *bytes, size_t length)
{
	if (length > sizeof packet->bytes - packet->used)
		return false;
	memcpy(packet->bytes + packet->used, bytes, length);
	packet->used += length;
	return true;
}

static bool starter_put_text(WirePacket *packet, const char *text)
{
	return starter_put(packet, text, strlen(text) + 1);
}

/* Takes a text off the front of what was received; NULL if there is none. */
static const char *starter_take_text(const uint8_t **at, const uint8_t *end)
{
	const char *text = (const char *)*at;
	const uint8_t *last = memchr(*at, 0, end - *at);
	if (!last)
		return NULL;
	*at = last + 1;
	return text;
}

/* ---- the process */

static void starter_use_input(int input)
{
	if (input >= 0)
		dup2(input, STDIN_FILENO);
	else
		close(STDIN_FILENO);
}

/* The client may be taken over: nothing that a program would read as an option, and no address but
 * that of a page. */
static bool starter_carry_out(const Starter *starter, const StarterOrder *order, const char *path,
        const char *mime, GError **error)
{
	ViewerHost host = order->apart ? VIEWER_APART : VIEWER_HERE;
	if (*path != '/' && (order->opens || !viewer_is_url(path)))
		return viewer_open_url(path, host, error);
	return order->opens
	               ? viewer_open(path, order->has_mime ? mime : NULL, order->place, host, error)
	               : run_for_path(starter->command, path, error);
}

/* A received request; the texts are in the buffer. */
typedef struct {
	StarterOrder order;
	const char *path, *mime;
} StarterWish;

static bool starter_knows(const Starter *starter, const StarterOrder *order)
{
	if (order->asks)
		return order->apart;
	return order->opens || (starter->command && !order->apart);
}

/* False if the order is malformed. */
static bool starter_read(const Starter *starter, size_t length, StarterWish *wish)
{
	const uint8_t *at = starter->buffer + sizeof wish->order;
	const uint8_t *end = starter->buffer + length;
	if (length < sizeof wish->order)
		return false;
	memcpy(&wish->order, starter->buffer, sizeof wish->order);
	wish->path = starter_take_text(&at, end);
	wish->mime = wish->path ? starter_take_text(&at, end) : NULL;
	return wish->mime && at == end && starter_knows(starter, &wish->order);
}

static bool starter_reply(Starter *starter, int socket, bool ok, const GError *error)
{
	const StarterReply reply = {ok, error != NULL, error ? error->code : 0};
	starter->packet.used = 0;
	return starter_put(&starter->packet, &reply, sizeof reply) &&
	       starter_put_text(&starter->packet, error ? error->message : "") &&
	       wire_send(socket, &starter->packet, -1);
}

static bool starter_do_and_reply(Starter *starter, const StarterWish *wish, int socket)
{
	g_autoptr(GError) error = NULL;
	bool ok = starter_carry_out(starter, &wish->order, wish->path, wish->mime, &error);
	return starter_reply(starter, socket, ok, error);
}

/* Sends the answer as a serialized a{sv}; nothing if the daemon does not answer. */
static void starter_ask_daemon(Starter *starter, int socket)
{
	const StarterReply reply = {.ok = true};
	int daemon = control_connect(starter->daemon, NULL);
	g_autoptr(GVariant) status =
	        daemon >= 0 ? control_call(daemon, "status", NULL, DAEMON_MS, NULL) : NULL;
	starter->packet.used = 0;
	if (status && starter_put(&starter->packet, &reply, sizeof reply) &&
	        starter_put(
	                &starter->packet, g_variant_get_data(status), g_variant_get_size(status)))
		wire_send(socket, &starter->packet, -1);
}

/* Without a process, the client sees the end of its socket. */
static void starter_do_apart(Starter *starter, const StarterWish *wish, int answer)
{
	if (fork() != 0)
		return;
	autofd_close(&starter->socket);
	if (wish->order.asks)
		starter_ask_daemon(starter, answer);
	else
		starter_do_and_reply(starter, wish, answer);
	_exit(0);
}

static void starter_on_child(int number)
{
}

/* Waits for a request. Meanwhile it reaps viewers, and processes that opened apart, when they end.
 */
static void starter_await(const Starter *starter)
{
	struct pollfd request = {starter->socket, POLLIN, 0};
	sigset_t child, before;
	int ready = 0;
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigprocmask(SIG_BLOCK, &child, &before);
	while (ready == 0 || (ready < 0 && errno == EINTR)) {
		while (waitpid(-1, NULL, WNOHANG) > 0)
			;
		ready = ppoll(&request, 1, NULL, &before);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
}

/* The terminal's interrupts are for the programs; the end of the client ends this process. */
static void starter_serve(Starter *starter)
{
	const struct sigaction on_child = {.sa_handler = starter_on_child, .sa_flags = SA_RESTART};
	bool more = true;
	signal(SIGINT, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	sigaction(SIGCHLD, &on_child, NULL);
	while (more) {
		autofd passed = -1;
		StarterWish wish;
		starter_await(starter);
		ssize_t length = wire_receive(starter->socket, starter->buffer, &passed);
		if (length <= 0 || !starter_read(starter, length, &wish))
			return;
		if (wish.order.apart) {
			starter_do_apart(starter, &wish, passed);
			continue;
		}
		starter_use_input(passed);
		more = starter_do_and_reply(starter, &wish, starter->socket);
	}
}

/* ---- the client */

Starter *starter_new(char *const *command, const char *daemon, GError **error)
{
	int ends[2];
	Starter *starter = g_new0(Starter, 1);
	starter->command = g_strdupv((char **)command);
	starter->daemon = g_strdup(daemon);
	starter->socket = -1;
	starter->pid =
	        socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0 ? fork() : -1;
	if (starter->pid == 0) {
		close(ends[0]);
		starter->socket = ends[1];
		starter_serve(starter);
		_exit(0);
	}
	if (starter->pid < 0) {
		g_set_error(error, G_SPAWN_ERROR, G_SPAWN_ERROR_FORK,
		        _("no program can be started: %s"), g_strerror(errno));
		starter_free(starter);
		return NULL;
	}
	close(ends[1]);
	starter->socket = ends[0];
	return starter;
}

void starter_free(Starter *starter)
{
	if (!starter)
		return;
	autofd_close(&starter->socket);
	while (starter->pid > 0 && waitpid(starter->pid, NULL, 0) < 0 && errno == EINTR)
		;
	g_strfreev(starter->command);
	g_free(starter->daemon);
	g_free(starter);
}

static bool starter_fail(GError **error)
{
	g_set_error(error, G_SPAWN_ERROR, G_SPAWN_ERROR_FAILED,
	        _("the process that starts programs has ended"));
	return false;
}

static bool starter_read_reply(const uint8_t *buffer, ssize_t length, GError **error)
{
	StarterReply reply;
	if (length <= (ssize_t)sizeof reply || buffer[length - 1] != 0)
		return starter_fail(error);
	memcpy(&reply, buffer, sizeof reply);
	if (reply.has_error)
		g_set_error_literal(
		        error, G_SPAWN_ERROR, reply.code, (const char *)buffer + sizeof reply);
	return reply.ok;
}

/* buffer: of WIRE_PACKET_BYTES. */
static bool starter_receive_reply(int socket, uint8_t *buffer, GError **error)
{
	autofd none = -1;
	return starter_read_reply(buffer, wire_receive(socket, buffer, &none), error);
}

/* passed: a descriptor that goes along, or -1. */
static bool starter_send(const Starter *starter, WirePacket *packet, const StarterOrder *order,
        const char *path, const char *mime, int passed)
{
	packet->used = 0;
	return starter_put(packet, order, sizeof *order) && starter_put_text(packet, path) &&
	       starter_put_text(packet, mime ? mime : "") &&
	       wire_send(starter->socket, packet, passed);
}

static bool starter_ask(Starter *starter, const StarterOrder *order, const char *path,
        const char *mime, GError **error)
{
	int input = fcntl(STDIN_FILENO, F_GETFD) >= 0 ? STDIN_FILENO : -1;
	fflush(stdout); /* before what the program prints */
	return starter_send(starter, &starter->packet, order, path, mime, input)
	               ? starter_receive_reply(starter->socket, starter->buffer, error)
	               : starter_fail(error);
}

bool starter_run(Starter *starter, const char *path, GError **error)
{
	const StarterOrder order = {.opens = false};
	return starter_ask(starter, &order, path, NULL, error);
}

/* A key that interrupts a viewer in this terminal must not end the client before it. */
bool starter_open(
        Starter *starter, const char *path, const char *mime, ViewerPlace place, GError **error)
{
	const StarterOrder order = {.opens = true, .has_mime = mime != NULL, .place = place};
	const struct sigaction ignored = {.sa_handler = SIG_IGN};
	struct sigaction old_interrupt, old_quit;
	sigaction(SIGINT, &ignored, &old_interrupt);
	sigaction(SIGQUIT, &ignored, &old_quit);
	bool ok = starter_ask(starter, &order, path, mime, error);
	sigaction(SIGINT, &old_interrupt, NULL);
	sigaction(SIGQUIT, &old_quit, NULL);
	return ok;
}

/* The state of one opening. */
typedef struct {
	WirePacket packet;
	uint8_t buffer[WIRE_PACKET_BYTES];
} StarterMemory;

/* Returns the length of the answer in memory->buffer; less than 1: there is none. */
static ssize_t starter_ask_apart(const Starter *starter, const StarterOrder *order,
        const char *path, const char *mime, StarterMemory *memory)
{
	int ends[2];
	autofd none = -1;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
		return -1;
	bool sent = starter_send(starter, &memory->packet, order, path, mime, ends[1]);
	close(ends[1]); /* the starter has it now */
	ssize_t length = sent ? wire_receive(ends[0], memory->buffer, &none) : -1;
	close(ends[0]);
	return length;
}

bool starter_open_apart(const Starter *starter, const char *path, const char *mime,
        ViewerPlace place, GError **error)
{
	const StarterOrder order = {
	        .opens = true, .apart = true, .has_mime = mime != NULL, .place = place};
	g_autofree StarterMemory *memory = g_new(StarterMemory, 1);
	ssize_t length = starter_ask_apart(starter, &order, path, mime, memory);
	return starter_read_reply(memory->buffer, length, error);
}

GVariant *starter_daemon_status(const Starter *starter)
{
	const StarterOrder order = {.asks = true, .apart = true};
	g_autofree StarterMemory *memory = g_new(StarterMemory, 1);
	ssize_t length = starter_ask_apart(starter, &order, "", NULL, memory);
	size_t head = sizeof(StarterReply);
	if (length < (ssize_t)head)
		return NULL;
	g_autoptr(GBytes) bytes = g_bytes_new(memory->buffer + head, length - head);
	GVariant *status = g_variant_new_from_bytes(G_VARIANT_TYPE_VARDICT, bytes, FALSE);
	return g_variant_ref_sink(status);
}
