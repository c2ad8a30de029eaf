/* SPDX-License-Identifier: GPL-3.0-or-later */
/* salvage.h - the readable beginning of a gzip file that was cut or damaged
 *
 * The library hands out what it unpacked in pieces of 64 KiB, and never the piece in which the
 * damage lies: of a short file that is all. */
#pragma once
#include "extractors/shared/extractor.h"

/* What unpacks before the damage, at most max bytes, counted with sink_unpacked(). NULL: no gzip,
 * or nothing. */
GByteArray *salvage_gzip(const Input *in, Sink *sink, size_t max);
