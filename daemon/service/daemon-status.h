/* SPDX-License-Identifier: GPL-3.0-or-later */
/* daemon-status.h - the engine's status as the dictionary of common/ipc/control.h */
#pragma once
#include "daemon/engine/engine.h"

typedef struct {
	bool paused;
	int64_t paused_until_s; /* 0: until resume */
	int64_t since_s;
	const char *config_error; /* or NULL */
	SandboxLevel sandbox;
	const char *rebuilt; /* or NULL */
} StatusFacts;

/* Floating a{sv}. */
GVariant *status_dict(const EngineStatus *status, const StatusFacts *facts);
/* "idle", "scanning", "indexing", "paused", "degraded"; *reason_r: translated, or "". Both
 * borrowed. */
const char *status_state(
        const EngineStatus *status, const StatusFacts *facts, const char **reason_r);
