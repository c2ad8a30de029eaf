/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/copies/dups-texts.h"
#include <stdlib.h>
#include <string.h>

enum {
	CENTRES = 64, /* this many texts are tried as the centre of a group */
	SAMPLE = 1024 /* and each is compared with this many other texts */
};

static const char texts_sql[] =
        "SELECT d.content, p.bits, f.text_checksum FROM fingerprint p "
        "CROSS JOIN document d ON d.id = p.document CROSS JOIN fact f ON f.document = p.document "
        "WHERE f.member IS NULL AND d.content > 0 ORDER BY p.document";

struct DupTexts {
	GArray *contents; /* int64_t */
	GArray *prints; /* NearPrint */
	GArray *checksums; /* uint64_t */
	uint32_t *groups; /* the group of each text */
	uint32_t *order; /* texts in the order of their groups, only those with a link; there are
	                    linked of them */
	guint linked;
};

void dup_texts_free(DupTexts *texts)
{
	if (!texts)
		return;
	g_array_unref(texts->contents);
	g_array_unref(texts->prints);
	g_array_unref(texts->checksums);
	g_free(texts->groups);
	g_free(texts->order);
	g_free(texts);
}

int64_t dup_text_content(const DupTexts *texts, uint32_t text)
{
	return g_array_index(texts->contents, int64_t, text);
}

uint64_t dup_text_checksum(const DupTexts *texts, uint32_t text)
{
	return g_array_index(texts->checksums, uint64_t, text);
}

const NearPrint *dup_text_print(const DupTexts *texts, uint32_t text)
{
	return &g_array_index(texts->prints, NearPrint, text);
}

/* A text with a fingerprint has a checksum too, unless all its words are in its title. */
static uint64_t checksum_at(sqlite3_stmt *row, int column, int64_t content)
{
	uint64_t checksum;
	G_STATIC_ASSERT(sizeof checksum == TEXT_CHECKSUM_KEPT);
	if (sqlite3_column_bytes(row, column) != TEXT_CHECKSUM_KEPT)
		return (uint64_t)content * 0x9e3779b97f4a7c15u;
	memcpy(&checksum, sqlite3_column_blob(row, column), sizeof checksum);
	return checksum;
}

DupTexts *dup_texts_read(Reader *r, GError **error)
{
	g_autoptr(DupTexts) texts = g_new0(DupTexts, 1);
	texts->contents = g_array_new(FALSE, FALSE, sizeof(int64_t));
	texts->prints = g_array_new(FALSE, FALSE, sizeof(NearPrint));
	texts->checksums = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	sqlite3_stmt *statement = reader_statement(r, texts_sql, error);
	int row = statement ? 1 : -1;
	while (row > 0 && (row = reader_step(r, statement, error)) > 0) {
		int64_t content = sqlite3_column_int64(statement, 0);
		uint64_t checksum = checksum_at(statement, 2, content);
		NearPrint print;
		if (sqlite3_column_bytes(statement, 1) != NEAR_PRINT_BYTES)
			continue;
		near_unpack(sqlite3_column_blob(statement, 1), &print);
		g_array_append_val(texts->contents, content);
		g_array_append_val(texts->prints, print);
		g_array_append_val(texts->checksums, checksum);
	}
	return row == 0 ? g_steal_pointer(&texts) : NULL;
}

/* ---- linking */

static int compare_checksums(const void *a, const void *b, void *data)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	uint64_t left = dup_text_checksum(data, x), right = dup_text_checksum(data, y);
	return left != right ? (left < right ? -1 : 1) : (x > y) - (x < y);
}

/* Texts with the same words get the same fingerprint: theirs can differ only by the title. */
static void unify_same(DupTexts *texts, uint32_t *order)
{
	g_qsort_with_data(order, texts->prints->len, sizeof *order, compare_checksums, texts);
	for (guint i = 1; i < texts->prints->len; i++)
		if (dup_text_checksum(texts, order[i]) == dup_text_checksum(texts, order[i - 1]))
			g_array_index(texts->prints, NearPrint, order[i]) =
			        g_array_index(texts->prints, NearPrint, order[i - 1]);
}

static int dups_texts_compare_groups(const void *a, const void *b, void *data)
{
	const DupTexts *texts = data;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	if (texts->groups[x] != texts->groups[y])
		return texts->groups[x] < texts->groups[y] ? -1 : 1;
	return (x > y) - (x < y);
}

/* Returns the end of the group that begins at i. */
static guint group_end(const DupTexts *texts, guint i, guint n)
{
	guint end = i + 1;
	while (end < n && texts->groups[texts->order[end]] == texts->groups[texts->order[i]])
		end++;
	return end;
}

guint dup_texts_link(DupTexts *texts, NearProgress progress, void *data)
{
	guint n = texts->prints->len;
	texts->groups = g_new(uint32_t, MAX(n, 1));
	texts->order = g_new(uint32_t, MAX(n, 1));
	for (guint i = 0; i < n; i++)
		texts->order[i] = i;
	unify_same(texts, texts->order);
	near_group(
	        (const NearPrint *)(void *)texts->prints->data, n, texts->groups, progress, data);
	g_qsort_with_data(texts->order, n, sizeof *texts->order, dups_texts_compare_groups, texts);
	for (guint i = 0, end; i < n; i = end) {
		end = group_end(texts, i, n);
		if (end - i < 2)
			continue;
		memmove(texts->order + texts->linked, texts->order + i,
		        (end - i) * sizeof *texts->order);
		texts->linked += end - i;
	}
	return texts->linked;
}

/* ---- groups */

static bool dups_belongs(const DupTexts *texts, uint32_t a, uint32_t b)
{
	return near_is(dup_text_print(texts, a), dup_text_print(texts, b));
}

static uint32_t centre_of(const DupTexts *texts, const uint32_t *list, guint n)
{
	guint best = 0, most = 0;
	for (guint i = 0; i < MIN(n, CENTRES); i++) {
		guint near = 0;
		for (guint k = 0; k < MIN(n, SAMPLE); k++)
			near += dups_belongs(texts, list[i], list[k]);
		if (near > most) {
			most = near;
			best = i;
		}
	}
	return list[best];
}

/* Moves the members of one group to the front and returns their number. Both parts keep their
 * order. */
static guint part_group(const DupTexts *texts, uint32_t *list, guint n)
{
	g_autofree uint32_t *rest = g_new(uint32_t, n);
	uint32_t centre = centre_of(texts, list, n);
	guint taken = 0, left = 0;
	for (guint i = 0; i < n; i++) {
		if (dups_belongs(texts, centre, list[i]))
			list[taken++] = list[i];
		else
			rest[left++] = list[i];
	}
	memcpy(list + taken, rest, left * sizeof *list);
	return taken;
}

bool dup_texts_groups(const DupTexts *texts, DupTextsFunc f, void *data, GError **error)
{
	for (guint i = 0, end; i < texts->linked; i = end) {
		end = group_end(texts, i, texts->linked);
		for (guint from = i, taken; from + 1 < end; from += taken) {
			taken = part_group(texts, texts->order + from, end - from);
			if (taken > 1 && !f(texts, texts->order + from, taken, data, error))
				return false;
		}
	}
	return true;
}
