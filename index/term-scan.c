/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/term-scan.h"
#include "common/i18n.h"
#include <stdint.h>
#include <string.h>

/* A leaf: two numbers of 16 bits (where its first document stands, where its list of terms begins),
 * terms with their documents, then how far each term stands from the one before it. Terms of the
 * table itself begin with '0'; others belong to prefix indexes. */
enum { LEAF_HEADER = 4, TERM_MAX = 4096, MAIN_INDEX = '0' };
#define SEGMENT_SHIFT 37

typedef struct {
	const uint8_t *bytes;
	size_t length, terms; /* terms: where their list begins */
	char term[TERM_MAX + 1];
	size_t term_length;
} Leaf;

/* A number of one to nine bytes, seven bits each, the highest first. False: it does not end. */
static bool read_number(const Leaf *leaf, size_t end, size_t *at, uint64_t *out)
{
	enum { LONGEST = 9 };
	*out = 0;
	for (int i = 0; i < LONGEST && *at < end; i++) {
		uint8_t byte = leaf->bytes[(*at)++];
		if (i == LONGEST - 1) {
			*out = *out << 8 | byte;
			return true;
		}
		*out = *out << 7 | (byte & 0x7f);
		if (!(byte & 0x80))
			return true;
	}
	return false;
}

/* The first term of a leaf is whole, the others begin as the one before. */
static bool read_term(Leaf *leaf, size_t at, bool first)
{
	uint64_t kept = 0, added;
	if (!first && !read_number(leaf, leaf->terms, &at, &kept))
		return false;
	if (!read_number(leaf, leaf->terms, &at, &added) || kept > leaf->term_length ||
	        added > leaf->terms - at || kept + added > TERM_MAX)
		return false;
	memcpy(leaf->term + kept, leaf->bytes + at, added);
	leaf->term_length = kept + added;
	return true;
}

typedef struct {
	const char *start;
	size_t start_length;
	TermScanFunc f;
	void *data;
	bool stopped;
} Scan;

static void give(Scan *scan, Leaf *leaf)
{
	if (leaf->term_length == 0 || leaf->term[0] != MAIN_INDEX ||
	        leaf->term_length - 1 < scan->start_length ||
	        memcmp(leaf->term + 1, scan->start, scan->start_length) != 0)
		return;
	leaf->term[leaf->term_length] = '\0';
	scan->stopped = !scan->f(scan->data, leaf->term + 1);
}

/* False: it is damaged. */
static bool scan_leaf(Scan *scan, Leaf *leaf)
{
	if (leaf->length < LEAF_HEADER)
		return false;
	leaf->terms = leaf->bytes[2] << 8 | leaf->bytes[3];
	leaf->term_length = 0;
	if (leaf->terms < LEAF_HEADER || leaf->terms > leaf->length)
		return false;
	size_t at = 0;
	bool first = true;
	for (size_t list = leaf->terms; list < leaf->length && !scan->stopped; first = false) {
		uint64_t step;
		if (!read_number(leaf, leaf->length, &list, &step) || step > leaf->terms - at)
			return false;
		at += step;
		if (at < LEAF_HEADER || !read_term(leaf, at, first))
			return false;
		give(scan, leaf);
	}
	return true;
}

/* The leaves that begin a term are listed with the beginning of the first; the wanted ones start
 * with the last that does not stand behind the start. */
#define LEAVES(table)                                                                              \
	"SELECT d.block FROM (SELECT DISTINCT segid FROM " table "_idx) s CROSS JOIN " table       \
	"_idx i ON i.segid = s.segid AND i.term >= coalesce((SELECT max(j.term) FROM " table       \
	"_idx j WHERE j.segid = s.segid AND j.term <= ?1), x'') AND i.term < ?2 CROSS JOIN " table \
	"_data d ON d.id = (i.segid << " G_STRINGIFY(SEGMENT_SHIFT) ") + (i.pgno >> 1)"

static const char *const leaves_sql[] = {
        [TERMS_OF_TEXT] = LEAVES("text"),
        [TERMS_OF_NAMES] = LEAVES("name"),
};

static void bind_range(sqlite3_stmt *statement, const char *start)
{
	g_autofree char *low = g_strdup_printf("%c%s", MAIN_INDEX, start);
	g_autofree char *high = g_strconcat(low, "\xff", NULL);
	sqlite3_bind_blob(statement, 1, low, (int)strlen(low), SQLITE_TRANSIENT);
	sqlite3_bind_blob(statement, 2, high, (int)strlen(high), SQLITE_TRANSIENT);
}

bool term_scan(
        Reader *r, TermTable table, const char *start, TermScanFunc f, void *data, GError **error)
{
	Scan scan = {.start = start, .start_length = strlen(start), .f = f, .data = data};
	sqlite3_stmt *statement = reader_statement(r, leaves_sql[table], error);
	g_autofree Leaf *leaf = g_new(Leaf, 1);
	bool sound = true;
	int row;

	if (!statement)
		return false;
	bind_range(statement, start);
	while ((row = reader_step(r, statement, error)) > 0 && sound && !scan.stopped) {
		leaf->bytes = sqlite3_column_blob(statement, 0);
		leaf->length = sqlite3_column_bytes(statement, 0);
		sound = leaf->bytes && scan_leaf(&scan, leaf);
	}
	if (row > 0)
		sqlite3_reset(statement);
	if (!sound)
		g_set_error_literal(error, INDEX_ERROR, INDEX_ERROR_DAMAGED,
		        _("a page of the text index is damaged"));
	return row >= 0 && sound;
}
