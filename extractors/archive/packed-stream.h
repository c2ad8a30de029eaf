/* SPDX-License-Identifier: GPL-3.0-or-later */
/* packed-stream.h - files compressed in ways that the library which reads archives does not know,
 * for it to read on
 *
 * Frames of Snappy (framing_format.txt and format_description.txt of that project) with their sums,
 * and bare zlib streams (RFC 1950). */
#pragma once
#include "extractors/shared/extractor.h"
#include <archive.h>

typedef struct Packed Packed;

bool packed_is(const Input *in);
/* in must outlive it. Yours. */
Packed *packed_new(const Input *in);
void packed_free(Packed *packed);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Packed, packed_free)

/* Opens a reader, which reads up to the end or to damage. A status. */
int packed_open(Packed *packed, struct archive *archive);
/* What was read so far ended in damage. */
bool packed_is_damaged(const Packed *packed);
