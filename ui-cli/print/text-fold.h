/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text-fold.h - text made safe for a terminal with its marks kept, and where its lines end */
#pragma once
#include <glib.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
	GString *text; /* escaped, UTF-8 */
	GArray *marks; /* pairs of uint32_t: start and end byte in text, ascending */
} FoldText;

/* text: UTF-8. marks: pairs of byte ranges of it, ascending; or NULL. */
void fold_text_init(FoldText *fold, const char *text, const GArray *marks);
void fold_text_clear(FoldText *fold);

/* Where the line that begins at byte start ends: after the last blank that fits into width cells,
 * else between characters; at least one character further. */
size_t fold_line_end(const GString *text, size_t start, unsigned width);
