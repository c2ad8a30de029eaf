/* SPDX-License-Identifier: GPL-3.0-or-later */
/* child.h - the child process that converts: receives jobs, sends frames */
#pragma once
#include "extractors/core/registry.h"
#include "extractors/sniff/sniff.h"

enum { CHILD_JOBS = 64 }; /* jobs that one child of the cheap lane converts before it exits */

/* Receives jobs from the socket until the socket is closed or the child has reached its number of
 * jobs. The process must be in its sandbox already. Returns the exit status. */
int child_run(int socket_fd, WireLane lane, const Registry *registry, Sniffer *sniffer);
