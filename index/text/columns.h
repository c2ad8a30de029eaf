/* SPDX-License-Identifier: GPL-3.0-or-later */
/* columns.h - the columns of the text index */
#pragma once

/* In the order of the columns of the table text. */
typedef enum {
	COLUMN_BODY,
	COLUMN_TITLE,
	COLUMN_HEADING,
	COLUMN_AUTHOR,
	COLUMN_RECIPIENT,
	COLUMN_CC,
	COLUMN_KEYWORD,
	COLUMN_COMMENT,
	COLUMN_MEMBER,
	COLUMN_NOISE,
	N_COLUMNS
} TextColumn;

/* The name of column in the schema: static. */
const char *column_name(TextColumn column);

/* The column with this name in the schema, -1 if there is none. name may be NULL. */
int column_of_name(const char *name);
