/* SPDX-License-Identifier: GPL-3.0-or-later */
/* control.h - requests from a client to the daemon
 *
 * AF_UNIX SOCK_STREAM at paths_socket(); only the owner's processes are answered (SO_PEERCRED).
 * Each side sends u32 length (at most 1 MiB) and a serialized GVariant of type (sa{sv}): request
 * name and arguments; the answer is ("ok", values) or ("error", {"message": s, "code": i}) where
 * code is the exit code for the client. One answer a request; a connection may carry several. */
#pragma once
#include <glib.h>
#include <stdbool.h>

/* clang-format off */
/* Requests:
 *   status                 -> the keys below
 *   pause   seconds:x      (0: until resume)
 *   resume
 *   reload                 re-read the configuration; error: what is wrong, the old one stays
 *   index   paths:aay      queue them (empty: all roots) for a full check; returns when queued
 *   sync    timeout_ms:x   answers when all changes made before are searchable -> done:b
 *   compact scrub:b        purge what is dead; answers when it is off the disk
 *   retry   paths:aay      failed documents again (empty: all) -> queued:x
 *
 * Keys of status:
 *   state:s (idle, scanning, indexing, paused, degraded) reason:s version:s pid:i
 *   since:x (seconds) paused_until:x (0: until resume) config_error:s
 *   roots:aa{sv} with path:ay state:s (watching, scanning, offline, denied, stuck)
 *     watched:t polled:t denied:t (of its directories)
 *   dirty:t (hints not yet reconciled) pending:t (files to convert) converting:t
 *   held:t (files of these that are still being written, or tried again later)
 *   done:t (files brought up to date since the work began) current:ay (path in work or empty)
 *   watches_used:t watches_budget:t watches_limit:t overflows:t extractions:t sandbox:s
 *   last_reconcile:x last_compared:x (seconds, 0 never) disk_full:b rebuilt:s */
/* clang-format on */
enum { CONTROL_MAX_BYTES = 1 << 20 };

#define CONTROL_ERROR control_error_quark()
GQuark control_error_quark(void);
typedef enum {
	CONTROL_ERROR_ABSENT, /* no daemon listens */
	CONTROL_ERROR_IO,
	CONTROL_ERROR_PROTOCOL,
	CONTROL_ERROR_REFUSED, /* the daemon's answer is an error; its message is the GError's */
	CONTROL_ERROR_TIMEOUT,
} ControlError;

/* The exit code a client ends with after a CONTROL_ERROR: the daemon's own for REFUSED, 3 without a
 * daemon, 75 after a timeout. */
int control_exit_code(const GError *error);

/* Connects; CONTROL_ERROR_ABSENT if nobody listens, CONTROL_ERROR_REFUSED if another user does. The
 * descriptor is yours. socket_path may be longer than a socket address holds (here and in listen).
 */
int control_connect(const char *socket_path, GError **error);
/* One request and its answer. arguments: a{sv} or NULL, floating reference consumed. timeout_ms -1:
 * none. Returns the a{sv} of the answer (yours), NULL on error. */
GVariant *control_call(
        int fd, const char *request, GVariant *arguments, int timeout_ms, GError **error);

/* The daemon's end. Takes the place of a socket that is already there: hold the lock of the index.
 * The socket is 0600, non-blocking, close-on-exec and yours; its directory must exist. -1 on error.
 */
int control_listen(const char *socket_path, GError **error);
/* Is the process at the other end one of our own user's? */
bool control_peer_is_owner(int fd);

/* Both ends: one message. Sending waits at most 5 s for the peer to read. values as in
 * control_call. */
bool control_send(int fd, const char *name, GVariant *values, GError **error);
/* name_r yours; values_r yours. False without error set: end of file. */
bool control_receive(int fd, int timeout_ms, char **name_r, GVariant **values_r, GError **error);

/* The same without waiting, for a main loop. The bytes of one message, NULL with
 * CONTROL_ERROR_PROTOCOL if it would be too long. */
GBytes *control_pack(const char *name, GVariant *values, GError **error);
/* Takes one message from the front of what was received. Returns the bytes it took, 0 if more are
 * needed, -1 with CONTROL_ERROR_PROTOCOL if it is malformed (end the connection). */
gssize control_unpack(
        const void *bytes, size_t length, char **name_r, GVariant **values_r, GError **error);
