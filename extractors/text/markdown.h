/* SPDX-License-Identifier: GPL-3.0-or-later */
/* markdown.h - what of Markdown is no sentence: facts on top, blocks of code, targets of links */
#pragma once
#include "extractors/shared/extractor.h"
#include <glib.h>

/* Facts before the text, in YAML between "---" or as pandoc's three lines with "%": their bytes, 0:
 * there are none. Sends them; *titled_r is set if a title was among them. */
size_t markdown_front(Sink *sink, const char *text, size_t length, bool *titled_r);

/* The bytes of a fenced block of code that begins here, up to behind its end; 0: none begins. */
size_t markdown_fence(const char *text, size_t length);

/* Appends text without the targets of "[words](target)", which go to aside, each on a line. */
void markdown_plain(const char *text, size_t length, GString *out, GString *aside);
