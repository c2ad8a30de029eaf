/* SPDX-License-Identifier: GPL-3.0-or-later */
/* finder-client.h - asks the process that searches (finder.h), from the main loop
 *
 * The process is started when it is first needed, and anew after it has ended. It has one request
 * at a time; the others wait. Its answers are checked for their form only: it may be taken over by
 * a hostile index, so nothing of an answer is executed or opened. */
#pragma once
#include <glib.h>
#include <stdbool.h>

enum { FINDER_CLIENT_WAITING = 64 /* requests at most */ };

typedef struct FinderClient FinderClient;

/* Called once for each request. values: a{sv}, borrowed; NULL: there is no answer, because the
 * request was refused, replaced, forgotten or failed. */
typedef void (*FinderDone)(GVariant *values, void *data);

/* command: of the process, copied; its standard input will be the socket. */
FinderClient *finder_client_new(char *const *command);
/* Ends the process; requests are answered with NULL. */
void finder_client_free(FinderClient *client);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(FinderClient, finder_client_free)

/* Asks for a{sv} arguments, of which a floating reference is consumed. owner: who asks. A "search"
 * replaces earlier ones of its owner, which nobody waits for any more. False: too many wait; done
 * is not called. */
bool finder_client_ask(FinderClient *client, const char *owner, const char *request,
        GVariant *arguments, FinderDone done, void *data);
/* The owner is gone, and with it its requests. */
void finder_client_forget(FinderClient *client, const char *owner);
bool finder_client_is_busy(const FinderClient *client);
