/* SPDX-License-Identifier: GPL-3.0-or-later */
/* parent.h - forks children on request and tells how they ended */
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

/* Greets, then serves the control socket until the other end closes it. Returns the exit status. */
int parent_run(const ParentSetup *setup);
