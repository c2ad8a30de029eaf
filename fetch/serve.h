/* SPDX-License-Identifier: GPL-3.0-or-later */
/* serve.h - the loop of tarsier-fetch: takes requests, runs them side by side, sends answers */
#pragma once

/* Serves the socket until its other end is closed. certificates: a file instead of the system's, or
 * NULL. Returns the exit status: 0, or 1 after a malformed message. */
int serve(int socket_fd, const char *certificates);
