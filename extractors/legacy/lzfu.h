/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lzfu.h - the compression of RTF in Outlook's messages (MS-OXRTFCP) */
#pragma once
#include "extractors/legacy/legacy.h"

/* NULL if it is none; damaged input gives what came before the damage. Yours. At most 17 times as
 * large as what is given. */
GByteArray *lzfu_unpack(Bytes packed);
