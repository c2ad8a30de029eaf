/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reader-contents.h - all contents of the index in a fixed order, for those who copy it elsewhere
 */
#pragma once
#include "index/read/reader.h"

typedef struct {
	int64_t content, document; /* its first document */
	bool single; /* it has no other document */
} ContentRow;

/* Finds the next content that files refer to. after: the one before it; 0: none. New contents come
 * last, so that a walk meets them too. *infos_r: the rows of its first document, as
 * reader_info_by_id() returns them; may be NULL. 1: found; 0: there is none; -1: error. Not within
 * a transaction. */
int reader_next_content(
        Reader *r, int64_t after, ContentRow *row_r, GPtrArray **infos_r, GError **error);
/* A random name of this index, 32 hexadecimal digits, which an index that is made anew does not
 * keep. The caller frees it. NULL: it has none, or cannot be read. */
char *reader_identity(Reader *r);
