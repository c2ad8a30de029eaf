/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bzz.h - unpacks BZZ, the general compression of DjVu: blocks that are sorted (Burrows-Wheeler),
 * ranked by recent use and coded with the ZP-coder
 *
 * Source: DjVu3 specification, appendix 4 (LizardTech, 2005). */
#pragma once
#include "extractors/shared/bytes.h"
#include "extractors/shared/extractor.h"

/* Appends the unpacked bytes to `to` and counts them with sink_unpacked(). False: the data is
 * damaged, or a limit of the sink is reached; the blocks before that are kept. */
bool bzz_unpack(Bytes packed, GByteArray *to, Sink *sink);
