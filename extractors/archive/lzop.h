/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lzop.h - what lzop compressed, block by block, for the library that reads archives to read on
 *
 * That library has an external program unpack it, which the sandbox forbids. A file is one part or
 * several, each a header with the name of what was compressed, then blocks of their own, up to one
 * of no bytes (lzop 1.04, "lzop -I" and its manual; all numbers are big-endian). */
#pragma once
#include "extractors/shared/extractor.h"
#include <archive.h>

typedef struct Lzop Lzop;

bool lzop_is(const Input *in);
/* max: bytes of the largest block that is unpacked. in must outlive it. Yours. */
Lzop *lzop_new(const Input *in, size_t max);
void lzop_free(Lzop *lzop);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Lzop, lzop_free)

/* Goes to the next part; false at the end, or if the header of the next is damaged or not
 * understood. */
bool lzop_next(Lzop *lzop);
/* Opens a reader, which reads the current part: its blocks up to the first that is damaged. A
 * status. */
int lzop_open(Lzop *lzop, struct archive *archive);
/* Why a part could not be read whole, or the next not at all; REASON_NONE so far. */
DocReason lzop_reason(const Lzop *lzop);
/* Name of the current part as it was recorded if the file has several, else NULL. */
const char *lzop_part_name(const Lzop *lzop);
/* What a plugin's preload() calls. NULL, or what is missing. */
const char *lzop_preload(void);
