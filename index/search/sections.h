/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sections.h - the sections of a document, and the headings and the page they stand under
 *
 * A section reaches from a heading to the next one. A text without headings, and a long section,
 * are divided at pages or blocks into parts of some 2,000 bytes. */
#pragma once
#include "common/base/document.h"

enum {
	SECTION_NONE = -1,
	SECTIONS_MAX = 1 << 16, /* the last one has the rest of the text */
	HEADING_MAX_CHARS = 80 /* of one heading in a path; longer ones are cut with an ellipsis */
};

typedef struct {
	uint32_t from, to; /* bytes of the text */
	uint32_t heading_end; /* the bytes from "from" on are the heading; equal to from: none */
	uint32_t link_bytes; /* of anchor text */
	int above; /* of a section with a heading: the section of the next heading of a lower
	              level, or SECTION_NONE; of a part without: the section whose heading it
	              stands under, or SECTION_NONE */
	uint8_t level; /* of the heading, from 1; 0: none */
} Section;

/* Returns the sections in the order of the text, without gaps between them, as a GArray of Section
 * that the caller owns. It is empty if the text is. */
GArray *sections_of(const Document *doc);
/* Returns the index of the section that has the byte of the text; the sections must not be empty.
 */
guint section_at(const GArray *sections, uint32_t at);
/* Returns the section whose heading the section begins with or stands under, or SECTION_NONE. */
int section_headed(const GArray *sections, guint section);
/* Returns the headings above the section, its own included, as "Installing › From source": UTF-8,
 * white space folded, without control and format characters. A first heading that is the title of
 * the document is left out. NULL: there are none. The caller frees the text. */
char *section_path(const Document *doc, const GArray *sections, guint section);
/* Returns the last page, slide or sheet that begins at or before the byte of the text, or NULL. */
const DocBreak *section_page(const Document *doc, uint32_t at);
