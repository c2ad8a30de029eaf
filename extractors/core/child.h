/* SPDX-License-Identifier: GPL-3.0-or-later */
/* child.h - the converting child: jobs in, frames out */
#pragma once
#include "extractors/core/registry.h"
#include "extractors/sniff/sniff.h"

enum { CHILD_JOBS = 64 }; /* documents that share the life of a child in the cheap lane */

/* Takes jobs from the socket until it is closed or the child has done its share. The sandbox must
 * be closed around it already. Returns the exit status. */
int child_run(int socket_fd, WireLane lane, const Registry *registry, Sniffer *sniffer);
