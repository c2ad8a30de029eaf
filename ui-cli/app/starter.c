/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/app/starter.h"
#include "common/base/autofd.h"
#include "common/base/i18n.h"
#include "common/ipc/wire.h"
#include "ui-cli/app/run-command.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>

/* What is asked for. The path and the type of the file follow, each with a NUL. */
typedef struct {
	bool opens; /* else the command runs */
	bool has_mime;
	ViewerPlace place;
} StarterOrder;

/* What came of it. The message of the error follows, with a NUL. */
typedef struct {
	bool ok;
	bool has_error;
	int code; /* of G_SPAWN_ERROR */
} StarterReply;

struct Starter {
	char **command;
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
	if (*path != '/' && (order->opens || !viewer_is_url(path)))
		return viewer_open_url(path, error);
	return order->opens ? viewer_open(path, order->has_mime ? mime : NULL, order->place, error)
	                    : run_for_path(starter->command, path, error);
}

/* False if the order is malformed. */
static bool starter_obey(const Starter *starter, size_t length, bool *ok_r, GError **error)
{
	const uint8_t *at = starter->buffer + sizeof(StarterOrder);
	const uint8_t *end = starter->buffer + length;
	StarterOrder order;
	if (length < sizeof order)
		return false;
	memcpy(&order, starter->buffer, sizeof order);
	const char *path = starter_take_text(&at, end);
	const char *mime = path ? starter_take_text(&at, end) : NULL;
	if (!mime || at != end || (!order.opens && !starter->command))
		return false;
	*ok_r = starter_carry_out(starter, &order, path, mime, error);
	return true;
}

static bool starter_reply(Starter *starter, bool ok, const GError *error)
{
	const StarterReply reply = {ok, error != NULL, error ? error->code : 0};
	starter->packet.used = 0;
	return starter_put(&starter->packet, &reply, sizeof reply) &&
	       starter_put_text(&starter->packet, error ? error->message : "") &&
	       wire_send(starter->socket, &starter->packet, -1);
}

/* The terminal's interrupts are for the programs; the end of the client ends this process. */
static void starter_serve(Starter *starter)
{
	bool more = true;
	signal(SIGINT, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	while (more) {
		g_autoptr(GError) error = NULL;
		autofd input = -1;
		bool ok = false;
		ssize_t length = wire_receive(starter->socket, starter->buffer, &input);
		if (length <= 0)
			return;
		starter_use_input(input);
		more = starter_obey(starter, length, &ok, &error) &&
		       starter_reply(starter, ok, error);
	}
}

/* ---- the client */

Starter *starter_new(char *const *command, GError **error)
{
	int ends[2];
	Starter *starter = g_new0(Starter, 1);
	starter->command = g_strdupv((char **)command);
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
	g_free(starter);
}

static bool starter_fail(GError **error)
{
	g_set_error(error, G_SPAWN_ERROR, G_SPAWN_ERROR_FAILED,
	        _("the process that starts programs has ended"));
	return false;
}

static bool starter_receive_reply(Starter *starter, GError **error)
{
	StarterReply reply;
	autofd none = -1;
	ssize_t length = wire_receive(starter->socket, starter->buffer, &none);
	if (length <= (ssize_t)sizeof reply || starter->buffer[length - 1] != 0)
		return starter_fail(error);
	memcpy(&reply, starter->buffer, sizeof reply);
	if (reply.has_error)
		g_set_error_literal(error, G_SPAWN_ERROR, reply.code,
		        (const char *)starter->buffer + sizeof reply);
	return reply.ok;
}

static bool starter_ask(Starter *starter, const StarterOrder *order, const char *path,
        const char *mime, GError **error)
{
	int input = fcntl(STDIN_FILENO, F_GETFD) >= 0 ? STDIN_FILENO : -1;
	starter->packet.used = 0;
	fflush(stdout); /* before what the program prints */
	return starter_put(&starter->packet, order, sizeof *order) &&
	                       starter_put_text(&starter->packet, path) &&
	                       starter_put_text(&starter->packet, mime ? mime : "") &&
	                       wire_send(starter->socket, &starter->packet, input)
	               ? starter_receive_reply(starter, error)
	               : starter_fail(error);
}

bool starter_run(Starter *starter, const char *path, GError **error)
{
	const StarterOrder order = {.opens = false};
	return starter_ask(starter, &order, path, NULL, error);
}

/* What is typed to interrupt a viewer in this terminal must not end the client before it. */
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
