/* SPDX-License-Identifier: GPL-3.0-or-later */
/* server.h - the socket on which clients ask the daemon (common/ipc/control.h)
 *
 * Only processes of the same user are served. A client that asks nothing for SERVER_IDLE_S seconds,
 * or does not take its answer, is dropped. If SERVER_CLIENTS are connected, a new one takes the
 * place of the one that has been idle for longest; only if all of them wait for an answer is it
 * refused. A client that is refused, or dropped while idle, is sent an error with exit code 75 that
 * says why. No function blocks. Main thread only. */
#pragma once
#include <glib.h>
#include <stdbool.h>

enum { SERVER_CLIENTS = 64, SERVER_IDLE_S = 5, SERVER_HELD = 32 };

typedef struct Server Server;
typedef struct ServerRequest ServerRequest;

/* Handles a request, which must be answered, now or later, by exactly one of the functions below.
 * values: a{sv}, borrowed. */
typedef void (*ServerHandler)(
        ServerRequest *request, const char *name, GVariant *values, void *data);

Server *server_new(const char *socket_path, ServerHandler handler, void *data, GError **error);
/* Pending requests may still be answered afterwards; the answers go nowhere. */
void server_free(Server *server);

/* From now on the connection of the request may be idle for as long as its client likes, which
 * confines itself and could not connect again. This holds for SERVER_HELD connections at most. */
void server_hold(ServerRequest *request);
/* values: a{sv} or NULL; a floating reference is consumed. */
void server_answer(ServerRequest *request, GVariant *values);
/* code: the exit status for the client. */
void server_refuse(ServerRequest *request, int code, const char *message);
