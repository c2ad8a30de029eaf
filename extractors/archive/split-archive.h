/* SPDX-License-Identifier: GPL-3.0-or-later */
/* split-archive.h - archives that were split into several files, of which one is seen at a time */
#pragma once
#include "extractors/shared/extractor.h"

/* It says so itself: rar, cabinet, the first part of a zip. */
bool parts_is_marked(const Input *in);
/* Where the first header of a tar lies in a part that does not begin with one; in->size: nowhere.
 */
size_t parts_find_tar(const Input *in);
