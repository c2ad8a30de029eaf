/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mode.h - what the daemon is doing, as one enum
 *
 * Only this file weighs the states of the owners against each other. Users see a mode as one of the
 * five states of `tarsier status` (daemon/service/daemon-status.h). */
#pragma once
#include "daemon/engine/load-policy.h"

/* If several modes apply, the first one in this order counts. */
typedef enum {
	MODE_STOPPING,
	MODE_DISK_FULL, /* the disk of the index is full, or has less room than
	                   daemon.disk-reserve */
	MODE_RECOVERING, /* the index cannot be written, or no commit has succeeded since it could
	                    not */
	MODE_NO_CONVERTER, /* the converter does not start: only names are indexed */
	MODE_PAUSED, /* paused by the user: nothing is converted */
	MODE_LOAD_HOLDS, /* the backlog waits for the battery, memory or disks */
	MODE_STARTING, /* the roots are not known yet */
	MODE_SCANNING, /* names are compared with the file systems */
	MODE_THROTTLED, /* contents are to be added, but wait for the CPU limit */
	MODE_INDEXING, /* contents are being added */
	MODE_IDLE,
	N_ENGINE_MODES
} EngineMode;

typedef struct {
	bool stopping, paused, configured;
	bool disk_full;
	bool recovering;
	bool no_converter;
	bool scanning, busy;
	bool uncommitted; /* readers do not see all changes yet */
	bool throttled;
	LoadVerdict load;
} ModeFacts;

EngineMode mode_of(const ModeFacts *facts);
/* For debug output. */
const char *mode_name(EngineMode mode);
