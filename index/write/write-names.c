/* SPDX-License-Identifier: GPL-3.0-or-later */
/* write-names.c - the writer's indexes of names: words (table name) and grams (table gram)
 *
 * The grams of new rows are written for many rows at once, since a commit with the grams of one
 * name writes four pages. Until then a pattern is compared with these names
 * (index/search/search-names.c).
 *
 * FTS5 starts a new segment whenever a rowid is lower than the one before, and entries and members
 * come and go in any order. Changes are therefore collected and made in the order of the rows. */
#include <config.h>
#include "common/base/paths.h"
#include "common/url/url-name.h"
#include "index/write/writer-private.h"
#include <string.h>

enum { NAMES_MAX = 4096, MOST_WITHOUT_GRAMS = 1024 };

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

static void names_clear(Writer *w)
{
	for (guint i = 0; i < w->names->len; i++)
		g_free(g_array_index(w->names, NameChange, i).name);
	g_array_set_size(w->names, 0);
}

/* Of the URL of a page only what is like the name of a file counts: the rest says the same of all
 * pages of a site. */
static char *write_page_name(int64_t row, const char *name)
{
	return row > 0 && path_is_web(name) ? url_name(name) : NULL;
}

static bool write_grams(Writer *w, Statement id, int64_t row, const char *name, GError **error)
{
	g_autofree char *page = write_page_name(row, name);
	const char *grams = page ? page : name;
	segments_note_bytes(w, MERGED_GRAMS, strlen(grams));
	return statement_run(w, id, VALUES(INT(row), TEXT(grams)), error);
}

/* The words of members are in their texts. */
static bool write_words(Writer *w, Statement id, const NameChange *change, GError **error)
{
	g_autofree char *page = write_page_name(change->row, change->name);
	const char *name = page ? page : write_last_component(change->name);
	if (change->row < 0)
		return true;
	segments_note_bytes(w, MERGED_NAMES, strlen(name));
	return statement_run(w, id, VALUES(INT(change->row), TEXT(name)), error);
}

/* ---- rows that have grams */

static const char *const gram_keys[N_NAMED] = {META_GRAM_NODES, META_GRAM_DOCUMENTS};

static bool grams_read(Writer *w, GError **error)
{
	for (int i = 0; i < N_NAMED && !w->grams_known; i++)
		if (!writer_get_meta_int(w, gram_keys[i], 0, &w->gram_last[i], error))
			return false;
	w->grams_known = true;
	return true;
}

static bool has_grams(const Writer *w, int64_t row)
{
	return row > 0 ? row <= w->gram_last[NAMED_NODES] : -row <= w->gram_last[NAMED_DOCUMENTS];
}

/* Writes the grams of the rows that a statement yields, which are all up to the last. */
static bool grams_add_rows(Writer *w, Statement id, Named kind, int64_t last, GError **error)
{
	sqlite3_stmt *row = statement_bind(w, id, VALUES(INT(w->gram_last[kind])), error);
	int result = SQLITE_DONE;
	while (row && (result = sqlite3_step(row)) == SQLITE_ROW) {
		g_autofree char *name = row_name(row, 1);
		if (!write_grams(w, GRAM_ADD, sqlite3_column_int64(row, 0), name, error))
			return false;
	}
	if (!row || result != SQLITE_DONE)
		return row && writer_fail(w, error);
	sqlite3_reset(row);
	w->gram_last[kind] = last;
	return statement_run(w, META_SET, VALUES(TEXT(gram_keys[kind]), INT(last)), error);
}

/* Members come first, since their numbers are negative. */
bool names_catch_up(Writer *w, int64_t most, GError **error)
{
	int64_t node, document;
	if (!grams_read(w, error) || !statement_int(w, NAME_LAST, NULL, 0, 0, &node, error) ||
	        !statement_int(w, TEXT_LAST, NULL, 0, 0, &document, error))
		return false;
	return (node - w->gram_last[NAMED_NODES] <= most &&
	               document - w->gram_last[NAMED_DOCUMENTS] <= most) ||
	       (grams_add_rows(w, MEMBER_WITHOUT_GRAMS, NAMED_DOCUMENTS, document, error) &&
	               grams_add_rows(w, NODE_WITHOUT_GRAMS, NAMED_NODES, node, error));
}

/* ---- all changes */

/* Of all changes of one row, the name before the first and the name after the last count. */
static bool write_change(Writer *w, const NameChange *first, const NameChange *last, GError **error)
{
	bool grams = has_grams(w, first->row);
	return (!first->gone || (write_words(w, NAME_DELETE, first, error) &&
	                                (!grams || write_grams(w, GRAM_DELETE, first->row,
	                                                   first->name, error)))) &&
	       (last->gone ||
	               (write_words(w, NAME_ADD, last, error) &&
	                       (!grams || write_grams(w, GRAM_ADD, last->row, last->name, error))));
}

/* Grams are not caught up here: the caller may have noted a change that its table has not had yet.
 */
static bool names_write(Writer *w, GError **error)
{
	if (w->names->len == 0)
		return true;
	if (!grams_read(w, error))
		return false;
	g_array_sort(w->names, compare_rows); /* this sort is stable */
	const NameChange *changes = (const NameChange *)(void *)w->names->data;
	for (guint first = 0, end; first < w->names->len; first = end) {
		for (end = first + 1;
		        end < w->names->len && changes[end].row == changes[first].row;)
			end++;
		if (!write_change(w, &changes[first], &changes[end - 1], error))
			return false;
	}
	names_clear(w);
	return true;
}

/* Documents that are not members have no names, but are counted too: so this does not depend on
 * whether names have changed. */
bool names_flush(Writer *w, GError **error)
{
	return names_write(w, error) && names_catch_up(w, MOST_WITHOUT_GRAMS, error);
}

void names_forget(Writer *w)
{
	names_clear(w);
	w->grams_known = false;
}

static bool write_note(Writer *w, int64_t row, const char *name, bool gone, GError **error)
{
	NameChange change = {row, g_strdup(name), gone};
	g_array_append_val(w->names, change);
	return w->names->len < NAMES_MAX || names_write(w, error);
}

bool names_add(Writer *w, int64_t row, const char *name, GError **error)
{
	return write_note(w, row, name, false, error);
}

bool names_remove(Writer *w, int64_t row, const char *name, GError **error)
{
	return write_note(w, row, name, true, error);
}
