/* SPDX-License-Identifier: GPL-3.0-or-later */
/* markdown.h - Markdown as CommonMark 0.30 with GitHub's tables and links, by md4c
 *
 * Headings keep their level, the first is the title unless the front matter has one. Front matter
 * is YAML between "---" or pandoc's three lines with "%". Code is TAG_CODE. HTML counts without its
 * tags. */
#pragma once
#include "extractors/shared/extractor.h"

/* Sends a document in UTF-8. False: built without md4c, nothing was sent. */
bool markdown_read(Sink *sink, const char *text, size_t length);
