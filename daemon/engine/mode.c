/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/engine/mode.h"

EngineMode mode_of(const ModeFacts *facts)
{
	const bool holds[N_ENGINE_MODES] = {
	        [MODE_STOPPING] = facts->stopping,
	        [MODE_DISK_FULL] = facts->disk_full,
	        [MODE_RECOVERING] = facts->recovering,
	        [MODE_NO_CONVERTER] = facts->no_converter,
	        [MODE_PAUSED] = facts->paused,
	        [MODE_LOAD_HOLDS] = facts->busy && facts->load != LOAD_LOW,
	        [MODE_STARTING] = !facts->configured,
	        [MODE_SCANNING] = facts->scanning,
	        [MODE_THROTTLED] = facts->busy && facts->throttled,
	        [MODE_INDEXING] = facts->busy || facts->uncommitted,
	        [MODE_IDLE] = true,
	};
	EngineMode mode = 0;
	while (!holds[mode])
		mode++;
	return mode;
}

const char *mode_name(EngineMode mode)
{
	static const char *const names[N_ENGINE_MODES] = {
	        [MODE_STOPPING] = "stopping",
	        [MODE_DISK_FULL] = "disk full",
	        [MODE_RECOVERING] = "recovering",
	        [MODE_NO_CONVERTER] = "no converter",
	        [MODE_PAUSED] = "paused",
	        [MODE_LOAD_HOLDS] = "load holds",
	        [MODE_STARTING] = "starting",
	        [MODE_SCANNING] = "scanning",
	        [MODE_THROTTLED] = "throttled",
	        [MODE_INDEXING] = "indexing",
	        [MODE_IDLE] = "idle",
	};
	return names[mode];
}
