/* SPDX-License-Identifier: GPL-3.0-or-later */
/* charset-table.h - charsets of one byte a character, as tables that need no iconv
 *
 * All that iconv knew where the program was built, made by make-charsets.c, and those of the old
 * Macintosh that it does not know. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

typedef struct {
	const char *name; /* static */
	const uint16_t *units; /* for each of 256 bytes, 0: none; static */
	bool ascii; /* the first 128 are ASCII */
	unsigned number; /* below CHARSET_TABLES, the same for all labels of it */
} CharsetTable;

enum { CHARSET_TABLES = 448 };

/* By a label that label_normalise() made; false: there is none. */
bool charset_table_find(const char *label, CharsetTable *table);
