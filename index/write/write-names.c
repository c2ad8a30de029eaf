/* SPDX-License-Identifier: GPL-3.0-or-later */
/* write-names.c - the writer's indexes of names: words (table name) and grams (table gram)
 *
 * FTS5 starts a new segment whenever a rowid is lower than the one before, and entries and members
 * come and go in any order. Changes are therefore collected and made in the order of the rows. */
#include <config.h>
#include "common/base/paths.h"
#include "common/url/url-name.h"
#include "index/write/writer-private.h"
#include <string.h>

enum { NAMES_MAX = 4096 };

static int compare_rows(gconstpointer a, gconstpointer b)
{
	int64_t x = ((const NameChange *)a)->row, y = ((const NameChange *)b)->row;
	return x < y ? -1 : x > y;
}

/* The part of a name that is indexed: for a root, only its last component. */
static const char *write_last_component(const char *name)
{
	const char *slash = strrchr(name, '/');
	return slash && slash[1] ? slash + 1 : name;
}

/* The words of members are in their texts. Of the URL of a page only what is like the name of a
 * file counts: the rest says the same of all pages of a site. */
static bool write_make(
        Writer *w, const NameChange *change, Statement words, Statement grams, GError **error)
{
	g_autofree char *page =
	        change->row > 0 && path_is_web(change->name) ? url_name(change->name) : NULL;
	const char *name = page ? page : write_last_component(change->name);
	return (change->row < 0 ||
	               statement_run(w, words, VALUES(INT(change->row), TEXT(name)), error)) &&
	       statement_run(
	               w, grams, VALUES(INT(change->row), TEXT(page ? page : change->name)), error);
}

/* Of all changes of one row, the name before the first and the name after the last count. */
bool names_flush(Writer *w, GError **error)
{
	g_array_sort(w->names, compare_rows); /* this sort is stable */
	const NameChange *changes = (const NameChange *)(void *)w->names->data;
	for (guint first = 0, end; first < w->names->len; first = end) {
		for (end = first + 1;
		        end < w->names->len && changes[end].row == changes[first].row;)
			end++;
		const NameChange *last = &changes[end - 1];
		if ((changes[first].gone &&
		            !write_make(w, &changes[first], NAME_DELETE, GRAM_DELETE, error)) ||
		        (!last->gone && !write_make(w, last, NAME_ADD, GRAM_ADD, error)))
			return false;
	}
	names_forget(w);
	return true;
}

void names_forget(Writer *w)
{
	for (guint i = 0; i < w->names->len; i++)
		g_free(g_array_index(w->names, NameChange, i).name);
	g_array_set_size(w->names, 0);
}

static bool write_note(Writer *w, int64_t row, const char *name, bool gone, GError **error)
{
	NameChange change = {row, g_strdup(name), gone};
	g_array_append_val(w->names, change);
	return w->names->len < NAMES_MAX || names_flush(w, error);
}

bool names_add(Writer *w, int64_t row, const char *name, GError **error)
{
	return write_note(w, row, name, false, error);
}

bool names_remove(Writer *w, int64_t row, const char *name, GError **error)
{
	return write_note(w, row, name, true, error);
}
