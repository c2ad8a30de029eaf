/* SPDX-License-Identifier: GPL-3.0-or-later */
/* null-sink.h - a sink that stores nothing: it checks what a plugin sends */
#pragma once
#include "extractors/shared/extractor.h"

/* Runs the plugin over these bytes with small limits: draws for JOB_PICTURE, else extracts. Members
 * are read but not converted. */
void null_sink_run(const Extractor *extractor, JobPurpose purpose, const char *mime,
        const uint8_t *data, size_t size);
