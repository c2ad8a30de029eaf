/* SPDX-License-Identifier: GPL-3.0-or-later */
/* server.h - the socket on which clients ask the daemon (common/ipc/control.h)
 *
 * Only processes of the same user are served, at most SERVER_CLIENTS at a time. A client that asks
 * nothing for SERVER_IDLE_S seconds, or does not take its answer, is dropped. No function blocks.
 * Main thread only. */
#pragma once
#include <glib.h>
#include <stdbool.h>

enum { SERVER_CLIENTS = 8, SERVER_IDLE_S = 5 };

typedef struct Server Server;
typedef struct ServerRequest ServerRequest;

/* Handles a request, which must be answered, now or later, by exactly one of the functions below.
 * values: a{sv}, borrowed. */
typedef void (*ServerHandler)(
        ServerRequest *request, const char *name, GVariant *values, void *data);

Server *server_new(const char *socket_path, ServerHandler handler, void *data, GError **error);
/* Pending requests may still be answered afterwards; the answers go nowhere. */
void server_free(Server *server);

/* values: a{sv} or NULL; a floating reference is consumed. */
void server_answer(ServerRequest *request, GVariant *values);
/* code: the exit status for the client. */
void server_refuse(ServerRequest *request, int code, const char *message);
