/* SPDX-License-Identifier: GPL-3.0-or-later */
/* server.h - the socket on which clients ask the daemon (common/ipc/control.h)
 *
 * Only processes of our own user are listened to. At most SERVER_CLIENTS at a time; a client that
 * has asked nothing for SERVER_IDLE_S, or does not take its answer, is dropped. Nothing here
 * blocks. Main thread only. */
#pragma once
#include <glib.h>
#include <stdbool.h>

enum { SERVER_CLIENTS = 8, SERVER_IDLE_S = 5 };

typedef struct Server Server;
typedef struct ServerRequest ServerRequest;

/* A request to be answered, now or later, by exactly one of the functions below. values is a{sv},
 * borrowed. */
typedef void (*ServerHandler)(
        ServerRequest *request, const char *name, GVariant *values, void *data);

Server *server_new(const char *socket_path, ServerHandler handler, void *data, GError **error);
/* Requests not yet answered may still be answered afterwards; nobody hears it. */
void server_free(Server *server);

/* values: a{sv} or NULL, floating reference consumed. */
void server_answer(ServerRequest *request, GVariant *values);
/* code: exit code for the client. */
void server_refuse(ServerRequest *request, int code, const char *message);
