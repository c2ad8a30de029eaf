/* SPDX-License-Identifier: GPL-3.0-or-later */
/* page-name.h - the name of a file that would hold an answer of a site, as a hint at its format
 *
 * A page of Content-Type text/html is HTML, whatever its URL ends with: a wiki has an article
 * "Node.js". For other types the last name of the path counts if it has an extension, as for files.
 * Otherwise the type gives the extension, so that a plain text keeps its angle brackets. */
#pragma once

/* url: absolute. media_type: the value of Content-Type; NULL: unknown. The caller frees it. */
char *page_file_name(const char *url, const char *media_type);
