/* SPDX-License-Identifier: GPL-3.0-or-later */
/* control.h - requests from a client to the daemon
 *
 * The transport is AF_UNIX SOCK_STREAM at paths_socket(). Only processes of the owner are served
 * (SO_PEERCRED). Each side sends a u32 length (at most 1 MiB) and a serialized GVariant of type
 * (sa{sv}): the name of the request and its arguments. The answer is ("ok", values) or ("error",
 * {"message": s, "code": i}), where code is the exit code for the client. Each request has one
 * answer. A connection may carry several requests. */
#pragma once
#include <glib.h>
#include <stdbool.h>

/* clang-format off */
/* Requests:
 *   status                 returns the keys below
 *   pause   seconds:x      0: until resume
 *   resume
 *   reload                 reads the configuration again; after an error the old one stays in force.
 *                          Returns when it is in force and "status" tells its roots
 *   index   paths:aay      queues a full check of the paths (empty: all roots); returns when queued
 *   sync    timeout_ms:x again:b
 *           returns when all changes made before are searchable -> done:b
 *           again: only those made before the caller's last sync, whose time was over
 *   compact scrub:b        purges deleted rows; returns when they are off the disk
 *   retry   paths:aay      queues failed documents again (empty: all) -> queued:x
 *   web-visit urls:as      asks these URLs again as soon as politeness allows -> known:x
 *   web-reserve origin:s patience_ms:x
 *           leaves the host alone for a minute, since the client asks it -> wait_ms:x for so long it
 *           must wait; -1: the host is being asked. Above the patience and at -1, nothing is reserved
 *   web-release origin:s   the client has had its last answer from the host
 *   consume name:s message:x (0 reached, 1 fails, 2 forget) seq:x rereads:b exposure_ms:x failure:s
 *           what a consumer of the log of changes tells -> seq:x where it goes on
 *
 * Keys of status:
 *   state:s (idle, scanning, indexing, paused, degraded) reason:s version:s pid:i
 *   paused_until:x (seconds since 1970, 0: until resume) config_error:s
 *   roots:aa{sv} with path:ay state:s (watching, scanning, offline, denied, stuck)
 *     watched:t polled:t denied:t (numbers of its directories)
 *   directories:t files:t (entries of the index) polled:t (directories without a watch)
 *   dirty:t (directories and entries to be compared) pending:t (files to convert) converting:t
 *   held:t (pending files that are still being written, or that are retried later)
 *   done:t (files brought up to date since the start) current:ay (path in progress, or empty)
 *   compaction:s (its step: stores, purge, merge, vacuum, logs; empty: there is none)
 *   watches_used:t watches_budget:t watches_limit:t overflows:t extractions:t
 *   sandbox:s (of the extractors) confinement:s (of the daemon) launcher:s (of tarsier-fetch)
 *   roots_launcher:s (of agents): full, seccomp, landlock, none; launchers: empty, there is none
 *   last_reconcile:x last_compared:x (seconds since 1970, 0: never) disk_full:b
 *   partition:a{sv} with open:b hosts:t ours:t crawlers:t since:x (0 never) error:s
 *     (hosts that are shared with other crawlers; absent if none is) */
/* clang-format on */
enum { CONTROL_MAX_BYTES = 1 << 20 };

#define CONTROL_ERROR control_error_quark()
GQuark control_error_quark(void);
typedef enum {
	CONTROL_ERROR_ABSENT, /* no daemon is listening */
	CONTROL_ERROR_IO,
	CONTROL_ERROR_PROTOCOL,
	CONTROL_ERROR_REFUSED, /* the daemon answered with an error; the GError has its message */
	CONTROL_ERROR_TIMEOUT,
} ControlError;

/* The exit code for the client after a CONTROL_ERROR: the daemon's own for REFUSED, 3 without a
 * daemon, 75 after a timeout. */
int control_exit_code(const GError *error);

/* Connects to the daemon. CONTROL_ERROR_ABSENT if nobody listens, CONTROL_ERROR_REFUSED if the
 * daemon belongs to another user. Returns a descriptor that the caller closes, -1 on error. Here
 * and in control_listen(), socket_path may be longer than a socket address. */
int control_connect(const char *socket_path, GError **error);
/* Sends one request and waits for its answer. arguments: a{sv} or NULL; a floating reference is
 * consumed. timeout_ms: -1 waits for ever. Returns the a{sv} of the answer, which the caller
 * unrefs; NULL on error. */
GVariant *control_call(
        int fd, const char *request, GVariant *arguments, int timeout_ms, GError **error);
/* Waits for the answer to a request that control_send() sent; the rest is as in control_call(). */
GVariant *control_answer(int fd, int timeout_ms, GError **error);

/* The daemon's end. Replaces a socket that exists already, so the caller must hold the lock of the
 * index. The directory must exist. Returns a non-blocking, close-on-exec descriptor that the caller
 * closes; the socket file has mode 0600. -1 on error. */
int control_listen(const char *socket_path, GError **error);
/* Does the process at the other end belong to our own user? */
bool control_peer_is_owner(int fd);

/* For both ends: sends one message. Waits up to 5 s for the peer to read. values: as arguments in
 * control_call(). */
bool control_send(int fd, const char *name, GVariant *values, GError **error);
/* Receives one message. The caller frees *name_r and *values_r. False without error: end of
 * file. */
bool control_receive(int fd, int timeout_ms, char **name_r, GVariant **values_r, GError **error);

/* For a main loop: builds the bytes of one message without sending them. NULL with
 * CONTROL_ERROR_PROTOCOL if it is too long. */
GBytes *control_pack(const char *name, GVariant *values, GError **error);
/* For a main loop: parses one message at the beginning of the received bytes. Returns the bytes it
 * used, 0 if more are needed, -1 with CONTROL_ERROR_PROTOCOL if it is malformed; then close the
 * connection. */
gssize control_unpack(
        const void *bytes, size_t length, char **name_r, GVariant **values_r, GError **error);
