/* SPDX-License-Identifier: GPL-3.0-or-later */
/* daemon-status.h - the engine's status as the dictionary defined by common/ipc/control.h */
#pragma once
#include "common/fetch/fetch-launcher.h"
#include "daemon/engine/engine.h"

typedef struct {
	int64_t paused_until_s; /* UTC seconds; 0: until it is resumed */
	const char *config_error; /* may be NULL */
	SandboxLevel sandbox; /* of the extractors */
	SandboxLevel confinement; /* of the daemon itself */
	const FetchLauncher *launcher; /* NULL: there is none */
	unsigned sources; /* sites and feeds of the configuration */
} StatusFacts;

/* Returns a floating a{sv}. */
GVariant *status_dict(const EngineStatus *status, const StatusFacts *facts);
