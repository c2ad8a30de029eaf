/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bus-serve.h - the service on the session bus: its name, its object, its limits, its end
 *
 * One object has the interfaces of GNOME Shell and KRunner. Any program on the session bus may call
 * it, and has the rights of the user anyway. The service ends when nobody called for a while. */
#pragma once
#include "ui-bus/bus-launch.h"
#include "ui-bus/finder-client.h"
#include <gio/gio.h>

#define BUS_NAME "org.tarsier.Search"
#define BUS_PATH "/org/tarsier/Search"
enum { BUS_IDLE_S = 60, BUS_MESSAGE_BYTES = 1 << 20, BUS_TEXT_BYTES = 4096, BUS_HITS = 20 };

typedef struct {
	GDBusConnection *connection;
	FinderClient *finder;
	BusLauncher *launcher;
	char *matched; /* what KRunner last searched for: it runs a match without telling; may be
	                  NULL */
} BusServer;

/* An interface of the object. */
typedef struct {
	const char *xml; /* its introspection data, a <node> */
	/* Answers the invocation, now or later, in any case once. Its arguments have the types of
	 * the introspection data. */
	void (*call)(BusServer *server, const char *method, GVariant *arguments,
	        GDBusMethodInvocation *invocation);
} BusInterface;

/* In bus-gnome.c and bus-krunner.c. */
extern const BusInterface bus_gnome, bus_krunner;

/* Serves until idle_s seconds without a call are over, or the bus is gone. command: this program
 * with the arguments that each of its processes has. False with error. */
bool bus_serve(char *const *command, unsigned idle_s, GError **error);

/* For the interfaces: */

/* Searches for the text, which may be too long: then the invocation is answered with an error, as
 * it is if too many calls wait. Else done is called, with data, and true returned. */
bool bus_search(BusServer *server, GDBusMethodInvocation *invocation, const char *text,
        FinderDone done, void *data);
/* Describes hits by their ids; those that are none are left out, and so are more than BUS_HITS. */
void bus_describe(BusServer *server, GDBusMethodInvocation *invocation, const char *const *ids,
        FinderDone done, void *data);
/* Opens a hit that was found by the text, and answers. */
void bus_open(
        BusServer *server, GDBusMethodInvocation *invocation, const char *id, const char *text);
/* Shows the search for the text whole, in a terminal or a browser, and answers. */
void bus_look(BusServer *server, GDBusMethodInvocation *invocation, const char *text);
