/* SPDX-License-Identifier: GPL-3.0-or-later */
/* markdown.h - Markdown as CommonMark 0.30 with the tables and links of GitHub, read with md4c
 *
 * Headings keep their level. The first one is the title, unless the front matter has a title. Front
 * matter is YAML between "---", or pandoc's three lines with "%". Code becomes TAG_CODE. HTML tags
 * are dropped, the text between them is kept. */
#pragma once
#include "extractors/shared/extractor.h"

/* Sends a document in UTF-8. False: the plugin was built without md4c, and nothing was sent. */
bool markdown_read(Sink *sink, const char *text, size_t length);
