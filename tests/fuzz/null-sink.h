/* SPDX-License-Identifier: GPL-3.0-or-later */
/* null-sink.h - a sink that keeps nothing: it checks what a plugin says and counts it */
#pragma once
#include "extractors/shared/extractor.h"

typedef struct {
	uint64_t text_bytes, unpacked_bytes;
	unsigned blocks, fields, breaks, links, members;
} NullCounts;

/* Runs the plugin over these bytes with small limits; members are looked at, not converted. */
ExtractResult null_sink_run(const Extractor *extractor, const char *mime, const uint8_t *data,
        size_t size, NullCounts *counts_r);
