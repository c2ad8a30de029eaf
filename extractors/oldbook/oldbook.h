/* SPDX-License-Identifier: GPL-3.0-or-later */
/* oldbook.h - a file for each format */
#pragma once
#include "extractors/shared/extractor.h"

#define ROCKET_TYPE "application/x-rocketbook"
#define TCR_TYPE "application/x-tcr-ebook"

/* Rocket eBook (wiki.mobileread.com, "RB"). */
ExtractResult rocket_extract(const Input *in, Sink *sink);
/* Text for Psion's machines: a table of 256 strings, then the numbers of strings. */
ExtractResult tcr_extract(const Input *in, Sink *sink);
