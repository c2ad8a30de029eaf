/* SPDX-License-Identifier: GPL-3.0-or-later */
/* finder.h - the process that searches for the search boxes
 *
 * It confines itself like the client before it opens the index. Requests come and answers go on one
 * socket as messages of common/ipc/control.h, one after the other:
 *
 *   search    text:s   -> ok ids:as (hit-id.h), the best first
 *   describe  ids:as   -> ok hits:aa{sv}, without those that are gone or may not be told of
 *   stop               no answer; what is in progress ends soon with what it has
 *
 * A hit has id:s name:s description:s mime:s path:ay (raw bytes) folder:b. Its texts are one line
 * for people, without characters that control or hide. The answer to what cannot be done is "error"
 * with message:s, and ends the process: what it may read was decided at its start, so another one
 * may open what it could not. */
#pragma once
#include "ui-cli/app/cli.h"

enum { FINDER_HITS = 10 };

/* Serves until the socket ends. Returns the exit code. */
int finder_run(Cli *cli, int socket);
