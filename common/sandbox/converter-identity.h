/* SPDX-License-Identifier: GPL-3.0-or-later */
/* converter-identity.h - detects without starting them whether the extractors may have changed
 *
 * The identity covers the files of the program and of its plugins; ld.so.cache(8), which is
 * rewritten whenever a library is installed; the kernel, which decides about the sandbox; and the
 * options that choose among plugins. */
#pragma once
#include "common/sandbox/converter.h"

/* Returns the same positive number as long as none of these change. It says nothing of OCR's
 * language data. */
int64_t converter_files_identity(const ConverterOptions *options);
/* Returns the same positive number as long as none of these change. 0: unknown, because OCR is on
 * and its language data lies elsewhere. */
int64_t converter_identity(const ConverterOptions *options);
