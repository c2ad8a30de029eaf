/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/oldbook/oldbook.h"
#include <string.h>

static ExtractResult oldbook_extract(const Input *in, Sink *sink)
{
	return strcmp(in->mime, ROCKET_TYPE) == 0 ? rocket_extract(in, sink)
	                                          : tcr_extract(in, sink);
}

static const char *const mime_types[] = {ROCKET_TYPE, TCR_TYPE, NULL};

const Extractor tarsier_extractor = {
        .abi = EXTRACTOR_ABI,
        .name = "oldbook",
        .version = 2,
        .lane = LANE_CHEAP,
        .mime_types = mime_types,
        .extract = oldbook_extract,
};
