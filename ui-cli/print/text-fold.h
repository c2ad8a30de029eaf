/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text-fold.h - makes text with marks safe for a terminal, and breaks it into lines */
#pragma once
#include <glib.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
	GString *text; /* escaped, UTF-8 */
	GArray *marks; /* pairs of uint32_t: start and end byte in text, ascending */
} FoldText;

/* text: UTF-8. marks: pairs of ascending byte ranges of text; may be NULL. */
void fold_text_init(FoldText *fold, const char *text, const GArray *marks);
void fold_text_clear(FoldText *fold);

/* The end of the line that begins at byte start: after the last space that fits into width cells,
 * else between two characters. The line has at least one character. */
size_t fold_line_end(const GString *text, size_t start, unsigned width);
