/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sink.h - one conversion: the document, its members and what they share
 *
 * The Sink that plugins see is a level of this: the outermost document or a member being converted.
 * Totals (members, unpacked bytes) belong to the conversion as a whole. */
#pragma once
#include "extractors/shared/extractor.h"
#include "extractors/core/out.h"
#include "extractors/core/registry.h"
#include "extractors/sniff/sniff.h"

typedef struct {
	Out *out;
	const Registry *registry;
	Sniffer *sniffer;
	ExtractLimits limits;
	WireLane lane; /* of this child */
	uint32_t skip_member; /* 0 none */
	bool slow; /* with what takes long */
	uint64_t packed_bytes; /* size of the file, for the ratio */
	/* what has happened so far */
	uint64_t unpacked_bytes;
	uint32_t members, documents;
	int64_t alive_us; /* when the last packet went out */
	bool left_out; /* something that takes long */
	bool stopped; /* another lane is wanted or nobody listens: every call of the sink fails */
} Conversion;

/* Converts the file and sends its frames, from WIRE_DOC to WIRE_END (or WIRE_OTHER_LANE), without
 * flushing. */
void conversion_run(Conversion *conversion, const uint8_t *data, size_t size, const char *name);
