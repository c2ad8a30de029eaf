/* SPDX-License-Identifier: GPL-3.0-or-later */
/* split-archive.h - archives split into several files, each of which is read by itself */
#pragma once
#include "extractors/shared/extractor.h"

/* True if the format marks the file as a part: rar, cabinet, the first part of a zip. */
bool parts_is_marked(const Input *in);
/* Returns the offset of the first tar header in a part that does not begin with one; in->size:
 * there is none. */
size_t parts_find_tar(const Input *in);
