/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sink.h - one conversion: a document, its members and their shared totals
 *
 * The Sink that plugins see is one level of a conversion: the outermost document or a member being
 * converted. Totals (members, unpacked bytes) belong to the conversion as a whole. */
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
	WireLane lane; /* lane of this child */
	uint32_t skip_member; /* number of a member to skip, from 1; 0: none */
	bool slow; /* run OCR too */
	JobPurpose purpose;
	const char *url; /* see Input.url; NULL: none */
	const char *charset; /* see Input.charset; NULL: none */
	const char *wanted; /* send the bytes of the member with this path, and convert no other
	                       member; NULL: convert everything */
	uint64_t packed_bytes; /* size of the file, to check the ratio */
	/* progress so far */
	uint64_t unpacked_bytes;
	uint32_t members, documents;
	int64_t started_us, alive_us; /* monotonic time: of the start, of the last heartbeat */
	bool left_out; /* OCR was left out */
	bool drawn; /* a picture was sent */
	bool found; /* the wanted member was sent: every call of the sink fails */
	/* another lane is needed or the receiver is gone: every call of the sink fails */
	bool stopped;
} Conversion;

/* Converts the file and queues its frames, from WIRE_DOC to WIRE_END (or WIRE_OTHER_LANE), without
 * flushing out. */
void conversion_run(Conversion *conversion, const uint8_t *data, size_t size, const char *name);
