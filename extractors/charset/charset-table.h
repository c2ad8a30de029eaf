/* SPDX-License-Identifier: GPL-3.0-or-later */
/* charset-table.h - charsets with one byte for each character, as tables that need no iconv
 *
 * The tables have all such charsets that iconv knew on the build machine (made by make-charsets.c),
 * and charsets of the old Macintosh that it does not know. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

typedef struct {
	const char *name; /* static */
	const uint16_t *units; /* static; one for each of the 256 bytes; 0: undefined */
	bool ascii; /* the first 128 are ASCII */
	unsigned number; /* less than CHARSET_TABLES; all labels of a charset have the same */
} CharsetTable;

enum { CHARSET_TABLES = 448 };

/* Finds the table of a label that label_normalise() made. False: there is none. */
bool charset_table_find(const char *label, CharsetTable *table);
