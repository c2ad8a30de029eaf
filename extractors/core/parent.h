/* SPDX-License-Identifier: GPL-3.0-or-later */
/* parent.h - forks a child on request and reports how each child ended */
#pragma once
#include "extractors/core/sandbox.h"
#include "extractors/core/registry.h"
#include "extractors/sniff/sniff.h"

typedef struct {
	int control_fd;
	const Sandbox *sandbox;
	SandboxLevel level;
	const Registry *registry;
	Sniffer *sniffer;
} ParentSetup;

/* Sends the greeting, then serves the control socket until the other end closes it. Returns the
 * exit status. */
int parent_run(const ParentSetup *setup);
