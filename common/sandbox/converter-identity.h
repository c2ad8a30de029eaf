/* SPDX-License-Identifier: GPL-3.0-or-later */
/* converter-identity.h - whether the converters may be other ones than before, without starting
 * them
 *
 * Looked at are the files of the program and of its plugins, ld.so.cache(8), which is written
 * whenever a library is installed, the kernel, which decides on the sandbox, and the options that
 * choose among plugins. */
#pragma once
#include "common/sandbox/converter.h"

/* The same number as long as all these are the same; 0: it cannot be told, since text in pictures
 * is looked for, and the data of its languages lie elsewhere. */
int64_t converter_identity(const ConverterOptions *options);
