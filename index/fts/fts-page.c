/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/fts/fts-page.h"
#include <glib.h>
#include <string.h>

/* A leaf: two numbers of 16 bits (where the first document of those that go on stands, where the
 * list of terms begins), terms with their documents, then how far each term stands from the one
 * before it. */
enum { HEADER = 4 };

static size_t number_16(const FtsPage *leaf, size_t at)
{
	return (size_t)leaf->bytes[at] << 8 | leaf->bytes[at + 1];
}

/* A number of one to nine bytes, seven bits each, the highest first. False: it does not end. */
static bool fts_page_read_number(const FtsPage *leaf, size_t end, size_t *at, uint64_t *out)
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

bool fts_page_has_terms(const FtsPage *leaf)
{
	return leaf->content < leaf->length;
}

bool fts_page_is_last(const FtsPage *leaf)
{
	return leaf->next >= leaf->length;
}

/* Where the term stands that the list names next; behind the last: where the terms end. */
static bool read_place(const FtsPage *leaf, size_t *next, size_t *at_r)
{
	uint64_t step = leaf->content - leaf->at;
	if (*next < leaf->length && (!fts_page_read_number(leaf, leaf->length, next, &step) ||
	                                    step > leaf->content - leaf->at))
		return false;
	*at_r = leaf->at + step;
	return *at_r >= HEADER;
}

bool fts_page_open(FtsPage *leaf, const void *bytes, size_t length)
{
	leaf->bytes = bytes;
	leaf->length = length;
	leaf->at = leaf->term_length = 0;
	if (!bytes || length < HEADER)
		return false;
	leaf->content = leaf->next = number_16(leaf, 2);
	if (leaf->content < HEADER || leaf->content > length)
		return false;
	size_t list = leaf->next, first = number_16(leaf, 0);
	if (!read_place(leaf, &list, &leaf->end))
		return false;
	leaf->documents = first >= HEADER && first < leaf->end ? first : leaf->end;
	return true;
}

/* The first term of a leaf is whole, the others begin as the one before. */
static bool read_term(FtsPage *leaf, bool first)
{
	uint64_t kept = 0, added;
	size_t at = leaf->at;
	if (!first && !fts_page_read_number(leaf, leaf->content, &at, &kept))
		return false;
	if (!fts_page_read_number(leaf, leaf->content, &at, &added) || kept > leaf->term_length ||
	        added > leaf->content - at || kept + added > FTS_TERM_MAX)
		return false;
	memcpy(leaf->term + kept, leaf->bytes + at, added);
	leaf->term_length = kept + added;
	leaf->term[leaf->term_length] = '\0';
	leaf->documents = at + added;
	return true;
}

int fts_page_next(FtsPage *leaf)
{
	bool first = leaf->at == 0;
	if (fts_page_is_last(leaf))
		return 0;
	if (!read_place(leaf, &leaf->next, &leaf->at) || !read_term(leaf, first))
		return -1;
	size_t list = leaf->next;
	if (!read_place(leaf, &list, &leaf->end) || leaf->end < leaf->documents)
		return -1;
	return 1;
}

static void set_positions(FtsPage *leaf, size_t from, size_t to, uint64_t size)
{
	size_t here = MIN(size, to - from);
	leaf->positions = from;
	leaf->positions_end = from + here;
	leaf->positions_left = size - here;
}

/* A document: its number (of the first on a page, else how much it is more than the one before),
 * twice the size of its places and whether it was deleted, the places, which may go on behind the
 * page. */
int fts_page_document(FtsPage *leaf, int64_t *document)
{
	uint64_t number, size;
	if (leaf->documents >= leaf->end)
		return 0;
	if (!fts_page_read_number(leaf, leaf->end, &leaf->documents, &number) ||
	        !fts_page_read_number(leaf, leaf->end, &leaf->documents, &size))
		return -1;
	*document = (int64_t)((uint64_t)*document + number);
	set_positions(leaf, leaf->documents, leaf->end, size >> 1);
	leaf->documents = leaf->positions_end;
	return 1;
}

void fts_page_go_on(FtsPage *leaf, uint64_t left)
{
	set_positions(leaf, HEADER, leaf->documents, left);
}

/* The number of documents, then of tokens for each column. */
bool fts_totals(const void *bytes, size_t length, uint64_t *documents_r, uint64_t *tokens_r)
{
	FtsPage row = {.bytes = bytes, .length = length};
	size_t at = 0;
	uint64_t tokens;
	*tokens_r = 0;
	if (!bytes || !fts_page_read_number(&row, length, &at, documents_r))
		return false;
	while (at < length) {
		if (!fts_page_read_number(&row, length, &at, &tokens))
			return false;
		*tokens_r += tokens;
	}
	return true;
}

/* ---- places: for each, how far it is from the one before and 2; a 1 and the number of a column
 * before those of a column but the first */

enum { COLUMN_MARK = 1 };

static bool ends_number(uint8_t byte)
{
	return !(byte & 0x80);
}

/* Up to the mark of the next column. Behind what was read; *n_r is how many there were. */
static size_t read_positions(
        FtsPositions *positions, const uint8_t *bytes, size_t length, unsigned *n_r)
{
	bool begun = positions->begun;
	unsigned n = 0;
	size_t i;
	for (i = 0; i < length && (begun || bytes[i] != COLUMN_MARK); i++) {
		begun = !ends_number(bytes[i]);
		n += ends_number(bytes[i]);
	}
	positions->begun = begun;
	positions->column_follows = i < length;
	*n_r = n;
	return i < length ? i + 1 : i;
}

static size_t read_column(
        FtsPositions *positions, const uint8_t *bytes, size_t length, unsigned columns)
{
	size_t i = 0;
	positions->column = !positions->begun && ends_number(bytes[0]) ? bytes[0] : columns;
	while (i < length && !ends_number(bytes[i]))
		i++;
	positions->begun = positions->column_follows = i == length;
	return MIN(i + 1, length);
}

void fts_positions_count(
        FtsPositions *positions, const uint8_t *bytes, size_t length, unsigned *n, unsigned columns)
{
	for (size_t i = 0; i < length;) {
		unsigned added = 0;
		if (positions->column_follows) {
			i += read_column(positions, bytes + i, length - i, columns);
			continue;
		}
		i += read_positions(positions, bytes + i, length - i, &added);
		if (positions->column < columns)
			n[positions->column] += added;
	}
}
