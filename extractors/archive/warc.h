/* SPDX-License-Identifier: GPL-3.0-or-later */
/* warc.h - web pages as crawlers archive them (WARC 1.0 and 1.1, ISO 28500)
 *
 * It is read here and not with libarchive, which skips records whose addresses are in angle
 * brackets, as wget writes them. */
#pragma once
#include "extractors/shared/extractor.h"
#include <archive.h>

/* True if the bytes are WARC, or if they are compressed and the name says so. */
bool warc_is(const Input *in);
/* Responses and resources become members. Their name is their address without the scheme. The
 * headers of an HTTP response are left out; they give the type of the body. cap: most bytes of one
 * member; a larger one is only listed by name. */
ExtractResult warc_extract(const Input *in, Sink *sink, size_t cap);
