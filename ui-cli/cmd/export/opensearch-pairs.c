/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/cmd/export/opensearch-pairs.h"
#include <stdlib.h>
#include <string.h>

void os_expect(GArray *expected, const json_t *line)
{
	g_autoptr(GPtrArray) classes = os_classes(json_object_get(line, "places"));
	json_t *document;
	size_t i;
	json_array_foreach(json_object_get(line, "documents"), i, document)
	{
		for (guint n = 0; n < classes->len; n++) {
			OsExpected one = {.content = os_int(line, "content"),
			        .number = json_integer_value(document),
			        .class = n};
			memcpy(one.hash, ((OsClass *)classes->pdata[n])->hash, OS_HASH_BYTES);
			g_array_append_val(expected, one);
		}
	}
}

static int compare_numbers(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int compare_expected(gconstpointer a, gconstpointer b)
{
	const OsExpected *one = a, *other = b;
	int order = compare_numbers(one->content, other->content);
	if (order == 0)
		order = compare_numbers(one->number, other->number);
	return order != 0 ? order : compare_numbers(one->class, other->class);
}

void os_expected_sort(GArray *expected)
{
	guint n = 0;
	g_array_sort(expected, compare_expected);
	for (guint i = 0; i < expected->len; i++) {
		const OsExpected *one = &g_array_index(expected, OsExpected, i);
		if (n == 0 ||
		        compare_expected(&g_array_index(expected, OsExpected, n - 1), one) != 0)
			g_array_index(expected, OsExpected, n++) = *one;
	}
	g_array_set_size(expected, n);
}

static int compare_row(const void *key, const void *element)
{
	const unsigned *class = key;
	const OsRow *row = element;
	return (*class > row->class) - (*class < row->class);
}

bool os_pair_differs(const OsPair *pair, guint class)
{
	const OsExpected *wanted = &pair->wanted[class];
	const OsRow *row =
	        bsearch(&wanted->class, pair->there, pair->n_there, sizeof(OsRow), compare_row);
	return !row || memcmp(row->hash, wanted->hash, OS_HASH_BYTES) != 0;
}

/* Is the row of the number that is wanted (0), before it (-1), or after it (1)? */
static int compare_to_wanted(const OsRow *row, const OsExpected *wanted)
{
	int order = compare_numbers(row->content, wanted->content);
	return order != 0 ? order : compare_numbers(row->number, wanted->number);
}

/* Takes the rows of one number. -1: error. */
static int os_pairs_take_there(
        OsRows *rows, int64_t content, int64_t number, GArray *there, GError **error)
{
	OsRow row;
	int more;
	while ((more = os_rows_look(rows, &row, error)) > 0 && !row.strange &&
	        row.content == content && row.number == number) {
		g_array_append_val(there, row);
		os_rows_skip(rows);
	}
	return MIN(more, 0);
}

/* How many from here on are of one document. */
static guint os_count_wanted(const GArray *expected, guint at)
{
	const OsExpected *first = &g_array_index(expected, OsExpected, at);
	guint n = 1;
	while (at + n < expected->len && first[n].content == first->content &&
	        first[n].number == first->number)
		n++;
	return n;
}

/* 1: *pair is the next one; 0: there is none; -1: error. at: of expected. */
static int os_pairs_next(const GArray *expected, guint *at, OsRows *rows, int64_t last,
        GArray *there, OsPair *pair, GError **error)
{
	const OsExpected *wanted =
	        *at < expected->len ? &g_array_index(expected, OsExpected, *at) : NULL;
	OsRow row;
	int more = os_rows_look(rows, &row, error);
	bool has_row = more > 0 && row.content <= last, is_strange = has_row && row.strange;
	if (more < 0 || (!has_row && !wanted))
		return MIN(more, 0);
	bool is_wanted =
	        wanted && !is_strange && (!has_row || compare_to_wanted(&row, wanted) >= 0);
	*pair = (OsPair){.wanted = wanted};
	pair->n_wanted = is_wanted ? os_count_wanted(expected, *at) : 0;
	*at += pair->n_wanted;
	g_array_set_size(there, 0);
	if (is_strange) {
		g_array_append_val(there, row);
		os_rows_skip(rows);
	} else if (os_pairs_take_there(rows, is_wanted ? wanted->content : row.content,
	                   is_wanted ? wanted->number : row.number, there, error) < 0)
		return -1;
	pair->there = &g_array_index(there, OsRow, 0);
	pair->n_there = there->len;
	return 1;
}

bool os_pairs(const GArray *expected, OsRows *rows, int64_t last, OsPairFunc f, void *data,
        GError **error)
{
	g_autoptr(GArray) there = g_array_new(FALSE, FALSE, sizeof(OsRow));
	OsPair pair;
	guint at = 0;
	int more;
	while ((more = os_pairs_next(expected, &at, rows, last, there, &pair, error)) > 0)
		if (!f(&pair, data, error))
			return false;
	return more == 0;
}
