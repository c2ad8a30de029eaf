/* SPDX-License-Identifier: GPL-3.0-or-later */
/* chapters.h - the chapters of a recording */
#pragma once
#include "extractors/shared/extractor.h"
#include <glib.h>

/* Sends the names of all chapters in their order (of char *; "": it has no name), each after its
 * break. Nothing else of the text may follow: it would be of the last chapter. */
void chapters_send(Sink *sink, const GPtrArray *names);
