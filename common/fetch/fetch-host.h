/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fetch-host.h - a running tarsier-fetch as its client sees it: start, handshake, messages, end */
#pragma once
#include "common/ipc/fetch-wire.h"

typedef struct FetchHost FetchHost;

/* Starts the program and waits until it is confined, at most 10 s. It is
 * PKGLIBEXECDIR/tarsier-fetch or $TARSIER_FETCH. certificates: a file of certificates in PEM
 * instead of the system's, or NULL. NULL with error: it is not installed, or cannot be confined. */
FetchHost *fetch_host_start(const char *certificates, GError **error);
/* Kills the program and reaps it. NULL is fine. */
void fetch_host_free(FetchHost *host);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(FetchHost, fetch_host_free)

/* The control socket: watch it for reading. It belongs to the host. */
int fetch_host_fd(const FetchHost *host);

/* Each sends without waiting. 1: sent; 0: there is no room now; -1: the program is gone. */
int fetch_host_request(FetchHost *host, uint32_t serial, const FetchRequest *request);
int fetch_host_cancel(FetchHost *host, uint32_t serial);

/* 1: an answer, whose texts the caller frees, and whose body the caller closes (a sealed memfd of
 * answer->body_bytes, read from offset 0; -1 if there are none). 0: no more for now. -1: the
 * program is gone or broke the protocol. */
int fetch_host_next(FetchHost *host, uint32_t *serial_r, FetchAnswer *answer, int *body_r);
