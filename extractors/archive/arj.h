/* SPDX-License-Identifier: GPL-3.0-or-later */
/* arj.h - archives of ARJ, which the library for archives does not know
 *
 * Headers as ARJ's own technical information tells them (TECHNOTE.TXT, all numbers little-endian).
 * Its usual methods pack as LHA's -lh7- does, so the library unpacks them; the fastest one is
 * unpacked here. Sums of members are checked. Of an archive in several volumes each is read alone.
 */
#pragma once
#include "extractors/shared/extractor.h"

bool arj_is(const Input *in);
/* A member over max bytes is listed only. */
ExtractResult arj_extract(const Input *in, Sink *sink, size_t max);
