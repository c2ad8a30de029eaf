/* SPDX-License-Identifier: GPL-3.0-or-later */
/* grams.c - the writer's grams of names
 *
 * FTS5 starts a new segment whenever a row number is lower than the last one, and rows of entries
 * and of members come in turns: changes are collected and made in the order of the rows. */
#include <config.h>
#include "index/writer-private.h"

enum { GRAMS_MAX = 4096 };

static int compare_rows(gconstpointer a, gconstpointer b)
{
	int64_t x = ((const GramChange *)a)->row, y = ((const GramChange *)b)->row;
	return x < y ? -1 : x > y;
}

static bool make(Writer *w, Statement id, const GramChange *change, GError **error)
{
	return statement_run(
	        w, id, VALUES(INT(change->row), TEXT_N(change->name, change->length)), error);
}

/* Of all changes of one row count the name it had before the first and the one it has after the
 * last. */
bool grams_flush(Writer *w, GError **error)
{
	g_array_sort(w->grams, compare_rows); /* stable */
	const GramChange *changes = (const GramChange *)(void *)w->grams->data;
	for (guint first = 0, end; first < w->grams->len; first = end) {
		for (end = first + 1;
		        end < w->grams->len && changes[end].row == changes[first].row;)
			end++;
		if ((changes[first].gone && !make(w, GRAM_DELETE, &changes[first], error)) ||
		        (!changes[end - 1].gone && !make(w, GRAM_ADD, &changes[end - 1], error)))
			return false;
	}
	grams_forget(w);
	return true;
}

void grams_forget(Writer *w)
{
	for (guint i = 0; i < w->grams->len; i++)
		g_free(g_array_index(w->grams, GramChange, i).name);
	g_array_set_size(w->grams, 0);
}

static bool note(Writer *w, int64_t row, const char *name, int length, bool gone, GError **error)
{
	GramChange change = {row, g_strndup(name, length), length, gone};
	g_array_append_val(w->grams, change);
	return w->grams->len < GRAMS_MAX || grams_flush(w, error);
}

bool grams_add(Writer *w, int64_t row, const char *name, int length, GError **error)
{
	return note(w, row, name, length, false, error);
}

bool grams_remove(Writer *w, int64_t row, const char *name, int length, GError **error)
{
	return note(w, row, name, length, true, error);
}
