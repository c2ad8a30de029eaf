/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lzfu.h - decompresses the RTF of Outlook messages (MS-OXRTFCP) */
#pragma once
#include "extractors/legacy/legacy.h"

/* NULL if it is not compressed RTF; damaged input yields the bytes before the damage. The result is
 * at most 17 times as large as the input. The caller unrefs it. */
GByteArray *lzfu_unpack(Bytes packed);
