/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lrzip.h - what lrzip compressed, for the library that reads archives to read on
 *
 * That library has an external program unpack it, which the sandbox forbids. A file is a header and
 * chunks of two streams (lrzblocks.h): the one says in turn how many bytes come from the other, and
 * how many are to be had again from what came earlier in the chunk (rzip). Formats 0.4 to 0.6
 * ("lrzip file format", magic.header.txt of that program; what it does not tell was seen in its
 * files). The sums of chunks are checked. */
#pragma once
#include "extractors/shared/extractor.h"
#include <archive.h>

typedef struct Lrzip Lrzip;

bool lrzip_is(const Input *in);
/* At most a quarter of the memory that a conversion may use is kept of what came before, and the
 * same of a block of LZO, or for a dictionary of LZMA. in must outlive it. Yours. */
Lrzip *lrzip_new(const Input *in);
void lrzip_free(Lrzip *lrzip);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Lrzip, lrzip_free)

/* Opens a reader, which reads up to the end or to damage. A status. */
int lrzip_open(Lrzip *lrzip, struct archive *archive);
/* Why it could not be read, or not to its end; REASON_NONE so far. */
DocReason lrzip_reason(const Lrzip *lrzip);
/* More about it, or NULL. */
const char *lrzip_detail(const Lrzip *lrzip);
