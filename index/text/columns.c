/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/text/columns.h"
#include <string.h>

static const char *const column_names[N_COLUMNS] = {
        [COLUMN_BODY] = "body",
        [COLUMN_TITLE] = "title",
        [COLUMN_HEADING] = "heading",
        [COLUMN_AUTHOR] = "author",
        [COLUMN_RECIPIENT] = "recipient",
        [COLUMN_CC] = "cc",
        [COLUMN_KEYWORD] = "keyword",
        [COLUMN_COMMENT] = "comment",
        [COLUMN_MEMBER] = "member",
        [COLUMN_NOISE] = "noise",
};

const char *column_name(TextColumn column)
{
	return column_names[column];
}

int column_of_name(const char *name)
{
	for (int i = 0; i < N_COLUMNS; i++)
		if (name && strcmp(column_names[i], name) == 0)
			return i;
	return -1;
}
