/* SPDX-License-Identifier: GPL-3.0-or-later */
/* null-sink.h - a sink that stores nothing: it checks what a plugin sends and counts it */
#pragma once
#include "extractors/shared/extractor.h"

typedef struct {
	uint64_t text_bytes, unpacked_bytes;
	unsigned blocks, fields, breaks, links, members;
} NullCounts;

/* Runs the plugin over these bytes with small limits. Members are read but not converted. */
ExtractResult null_sink_run(const Extractor *extractor, const char *mime, const uint8_t *data,
        size_t size, NullCounts *counts_r);
