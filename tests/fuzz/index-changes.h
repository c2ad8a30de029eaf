/* SPDX-License-Identifier: GPL-3.0-or-later */
/* index-changes.h - the changes that fuzz_index.c reads from its input and mutate-index.c makes */
#pragma once

/* The first byte of a change, modulo INDEX_CHANGES. */
typedef enum {
	CHANGE_BYTES, /* u32 place in the file, u8 length, bytes */
	CHANGE_VALUE, /* u16 column, u8 row, u8 type, u8 length, bytes */
	CHANGE_INSIDE, /* u16 column, u8 row, u16 place in its value, u8 length, bytes */
	CHANGE_ROOT, /* u8 table or index, u16 page */
	CHANGE_PAGE, /* u16 page, u8 field, u8 cell, u32 value */
	INDEX_CHANGES
} IndexChange;

typedef enum {
	INDEX_PAGE_TYPE,
	INDEX_PAGE_FREE,
	INDEX_PAGE_CELLS,
	INDEX_PAGE_CONTENT,
	INDEX_PAGE_RIGHT,
	INDEX_PAGE_POINTER,
	INDEX_PAGE_CELL,
	INDEX_PAGE_HEADER,
	INDEX_PAGE_FIELDS
} IndexPageField;

enum { INDEX_PAGE_BYTES = 8192 };
