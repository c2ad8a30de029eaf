/* SPDX-License-Identifier: GPL-3.0-or-later */
/* extract-host.h - a running tarsier-extract as its client sees it: start, handshake, fork
 * requests, end */
#pragma once
#include "common/sandbox/converter.h"

typedef struct Host Host;

/* The variable of the program's environment that has the list elsewhere of host_begin(). */
#define HOST_ELSEWHERE "TARSIER_ELSEWHERE"

/* Frees the report of the handshake. */
void converter_info_free(ConverterInfo *info);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ConverterInfo, converter_info_free)

/* The paths of the program and of its plugins; see converter_start(). The caller frees the first
 * only. */
char *host_program(void);
const char *host_plugin_directory(void);

/* Starts the program. names: of the plugins to load; NULL loads all. elsewhere: "TYPE=LANE" for
 * MIME types that other plugins convert, so that their jobs come back with WIRE_OTHER_LANE; "*"
 * means every type that these plugins do not convert; may be NULL. The handshake follows. NULL with
 * error. */
Host *host_begin(const ConverterOptions *options, char **names, char **elsewhere, GError **error);
/* Takes what has arrived of the handshake. 1: it is complete, *info_r, which the caller frees; 0:
 * more follows; -1: the program is gone or broke the protocol. */
int host_greet(Host *host, ConverterInfo **info_r);
/* The handshake comes within this time, or the program failed to start. */
enum { HOST_PATIENCE_MS = 10000 };
/* Waits for the handshake, that long at most. False: it failed. */
bool host_wait(Host *host, ConverterInfo **info_r);
/* Frees a host whose handshake failed, and tells why: *detail_r as the detail of a document
 * (document-problem.h). Waits up to a second for its end. */
void host_fail(Host *host, const char **detail_r, GError **error);
/* Kills the program, and with it its children, and reaps it. */
void host_free(Host *host);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Host, host_free)

/* The control socket: watch it for reading. It belongs to the host. */
int host_fd(const Host *host);

/* Requests a child that gets child_fd; the caller still closes child_fd. False: the program is
 * gone. */
bool host_fork(Host *host, const WireFork *wanted, int child_fd);

typedef struct {
	WireKind kind; /* WIRE_FORKED or WIRE_EXITED */
	WireChild child;
	int pidfd; /* of WIRE_FORKED: the caller closes it; otherwise -1 */
} HostEvent;

/* 1: an event; 0: no more for now; -1: the program is gone or broke the protocol. */
int host_next(Host *host, HostEvent *event);
