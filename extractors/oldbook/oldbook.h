/* SPDX-License-Identifier: GPL-3.0-or-later */
/* oldbook.h - the readers of old e-book formats, one file each */
#pragma once
#include "extractors/shared/extractor.h"

#define ROCKET_TYPE "application/x-rocketbook"
#define TCR_TYPE "application/x-tcr-ebook"

/* Rocket eBook (wiki.mobileread.com, "RB"). */
ExtractResult rocket_extract(const Input *in, Sink *sink);
/* Psion (.tcr): a table of 256 strings, then the indexes of strings. */
ExtractResult tcr_extract(const Input *in, Sink *sink);
