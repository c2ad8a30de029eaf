/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mode.h - what the daemon is doing, as one word
 *
 * The only place that weighs the states of the owners against each other. Users see a mode as one
 * of the five states of `tarsier status` (service/daemon-status.h). */
#pragma once
#include "daemon/engine/load-policy.h"

/* In this order: if several hold, the first one is the mode. */
typedef enum {
	MODE_STOPPING,
	MODE_DISK_FULL, /* the disk of the index is full, or fuller than daemon.disk-reserve */
	MODE_RECOVERING, /* the index cannot be written, or was not written since */
	MODE_NO_CONVERTER, /* it does not start: only names are indexed */
	MODE_PAUSED, /* by the user: nothing is converted */
	MODE_LOAD_HOLDS, /* the backlog waits for the battery, memory or disks */
	MODE_STARTING, /* the roots are not known yet */
	MODE_SCANNING, /* names are compared with the file systems */
	MODE_THROTTLED, /* contents are brought in, and wait for the CPU limit */
	MODE_INDEXING, /* contents are brought in */
	MODE_IDLE,
	N_ENGINE_MODES
} EngineMode;

typedef struct {
	bool stopping, paused, configured;
	bool disk_full;
	bool recovering;
	bool no_converter;
	bool scanning, busy;
	bool throttled;
	LoadVerdict load;
} ModeFacts;

EngineMode mode_of(const ModeFacts *facts);
/* For debug output. */
const char *mode_name(EngineMode mode);
