/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp-read.h - the text of a document, as the tool read and resources give it */
#pragma once
#include "common/base/document.h"

/* The text for readers: everything (first 0), one page, or several pages with their numbers. Valid
 * UTF-8 without characters that control or hide. The caller frees it. */
GString *mcp_read_text(const Document *doc, unsigned first, unsigned last);
/* Says which pages there are, if this one is not. NULL: it is, or it is 0. The caller frees it. */
char *mcp_read_missing_page(const Document *doc, unsigned page);
