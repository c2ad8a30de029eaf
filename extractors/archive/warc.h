/* SPDX-License-Identifier: GPL-3.0-or-later */
/* warc.h - web pages as crawlers keep them (WARC 1.0 and 1.1, ISO 28500)
 *
 * Read here and not by libarchive, which passes over records whose addresses are in angle brackets,
 * as wget writes them. */
#pragma once
#include "extractors/shared/extractor.h"
#include <archive.h>

/* Whether the bytes are WARC, or the name says so of compressed ones. */
bool warc_is(const Input *in);
/* Responses and resources become members by their addresses without the scheme; of a response of
 * HTTP the headers are left out, and tell what the rest is. cap: most bytes of one; a larger one is
 * listed by name. */
ExtractResult warc_extract(const Input *in, Sink *sink, size_t cap);
