/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fetch-host.h - a running tarsier-fetch as its client sees it: start, handshake, messages, end */
#pragma once
#include "common/ipc/fetch-wire.h"

typedef struct FetchHost FetchHost;

enum { FETCH_HELLO_TIMEOUT_MS = 10000 }; /* a program that is not confined by then is given up */

/* Starts the program without waiting for it: by the launcher of this process if there is one, else
 * directly (fetch-launcher.h). certificates: a file of certificates in PEM instead of the system's,
 * or NULL. NULL with error: it is not installed, or the launcher is gone. */
FetchHost *fetch_host_start(const char *certificates, GError **error);
/* Says whether the program is confined and takes requests: 1. 0: not yet; ask again when
 * fetch_host_fd() is readable. -1 with error: it ended, or cannot be confined. */
int fetch_host_greet(FetchHost *host, GError **error);
/* As fetch_host_greet(), but waits up to FETCH_HELLO_TIMEOUT_MS. */
bool fetch_host_wait(FetchHost *host, GError **error);
/* Kills the program, soon if a launcher started it, and has it reaped. NULL is fine. */
void fetch_host_free(FetchHost *host);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(FetchHost, fetch_host_free)

/* The control socket: watch it for reading. It belongs to the host. */
int fetch_host_fd(const FetchHost *host);

/* Sends without waiting. 1: sent; 0: there is no room now; -1: the program is gone. */
int fetch_host_request(FetchHost *host, uint32_t serial, const FetchRequest *request);

/* 1: an answer, whose texts the caller frees, and whose body the caller closes (a sealed memfd of
 * answer->body_bytes, read from offset 0; -1 if there are none). 0: no more for now. -1: the
 * program is gone or broke the protocol. */
int fetch_host_next(FetchHost *host, uint32_t *serial_r, FetchAnswer *answer, int *body_r);
