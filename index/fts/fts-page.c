/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/fts/fts-page.h"
#include "index/fts/fts-varint.h"
#include <glib.h>
#include <string.h>

/* A leaf page has a header of two 16-bit numbers (the offset of the first document number that
 * continues a posting list of the page before, the offset of the term index), terms with their
 * posting lists, and the term index: varints, each the distance of a term from the one before. */
enum { HEADER = 4 };

static size_t fts_page_read_16(const FtsPage *page, size_t at)
{
	return (size_t)page->bytes[at] << 8 | page->bytes[at + 1];
}

static bool fts_page_read_varint(const FtsPage *page, size_t end, size_t *at, uint64_t *out)
{
	return fts_varint_read(page->bytes, end, at, out);
}

bool fts_page_has_terms(const FtsPage *page)
{
	return page->content < page->length;
}

bool fts_page_is_last(const FtsPage *page)
{
	return page->next >= page->length;
}

/* The offset of the next term of the term index; after the last one, the end of the terms. */
static bool fts_page_read_offset(const FtsPage *page, size_t *next, size_t *at_r)
{
	uint64_t step = page->content - page->at;
	if (*next < page->length && (!fts_page_read_varint(page, page->length, next, &step) ||
	                                    step > page->content - page->at))
		return false;
	*at_r = page->at + step;
	return *at_r >= HEADER;
}

bool fts_page_open(FtsPage *page, const void *bytes, size_t length)
{
	page->bytes = bytes;
	page->length = length;
	page->at = page->term_length = 0;
	if (!bytes || length < HEADER)
		return false;
	page->content = page->next = fts_page_read_16(page, 2);
	if (page->content < HEADER || page->content > length)
		return false;
	size_t next = page->next, first = fts_page_read_16(page, 0);
	if (!fts_page_read_offset(page, &next, &page->end))
		return false;
	page->postings = first >= HEADER && first < page->end ? first : page->end;
	return true;
}

/* The first term of a page is stored whole, the others without the bytes they share with the term
 * before. */
static bool fts_page_read_term(FtsPage *page, bool first)
{
	uint64_t shared = 0, added;
	size_t at = page->at;
	if (!first && !fts_page_read_varint(page, page->content, &at, &shared))
		return false;
	if (!fts_page_read_varint(page, page->content, &at, &added) || shared > page->term_length ||
	        added > page->content - at || shared + added > FTS_TERM_MAX)
		return false;
	memcpy(page->term + shared, page->bytes + at, added);
	page->term_length = shared + added;
	page->term[page->term_length] = '\0';
	page->postings = page->list = at + added;
	return true;
}

int fts_page_next(FtsPage *page)
{
	bool first = page->at == 0;
	if (fts_page_is_last(page))
		return 0;
	if (!fts_page_read_offset(page, &page->next, &page->at) || !fts_page_read_term(page, first))
		return -1;
	size_t next = page->next;
	if (!fts_page_read_offset(page, &next, &page->end) || page->end < page->postings)
		return -1;
	return 1;
}

static void fts_page_set_positions(FtsPage *page, size_t from, size_t to, uint64_t size)
{
	size_t here = MIN(size, to - from);
	page->positions = from;
	page->positions_end = from + here;
	page->positions_left = size - here;
}

/* A posting: the document as a varint (the first of a page whole, others as the distance from the
 * one before), a varint with the size of the position list in its upper bits and the delete flag in
 * the lowest, the position list, which may continue on the next page. */
int fts_page_posting(FtsPage *page, int64_t *document)
{
	uint64_t distance, size;
	if (page->postings >= page->end)
		return 0;
	if (!fts_page_read_varint(page, page->end, &page->postings, &distance) ||
	        !fts_page_read_varint(page, page->end, &page->postings, &size))
		return -1;
	*document = (int64_t)((uint64_t)*document + distance);
	page->deleted = size & 1;
	fts_page_set_positions(page, page->postings, page->end, size >> 1);
	page->postings = page->positions_end;
	return 1;
}

void fts_page_continue(FtsPage *page, uint64_t left)
{
	fts_page_set_positions(page, HEADER, page->postings, left);
}

void fts_page_cut(const FtsPage *page, GByteArray *out)
{
	size_t list = page->list;
	uint8_t header[HEADER] = {0};
	g_byte_array_set_size(out, 0);
	g_byte_array_append(out, header, sizeof header);
	fts_varint_append(out, page->term_length);
	g_byte_array_append(out, (const uint8_t *)page->term, page->term_length);
	size_t shift = list - out->len; /* of what follows; may wrap, as it is only subtracted */
	g_byte_array_append(out, page->bytes + list, page->content - list);
	out->data[2] = out->len >> 8;
	out->data[3] = out->len;

	fts_varint_append(out, HEADER);
	if (fts_page_is_last(page))
		return;
	size_t next = page->next, at;
	if (!fts_page_read_offset(page, &next, &at))
		return;
	fts_varint_append(out, at - shift - HEADER);
	g_byte_array_append(out, page->bytes + next, page->length - next);
}

/* ---- position lists: a varint for each position, its distance from the one before plus 2; before
 * the positions of each column but the first, a 1 and the number of the column */

enum { COLUMN_MARK = 1 };

static bool fts_page_ends_varint(uint8_t byte)
{
	return !(byte & 0x80);
}

/* Returns how many bytes were read, up to and with the next column mark; *n_r receives how many
 * positions ended in them. */
static size_t fts_page_read_positions(
        FtsPositions *positions, const uint8_t *bytes, size_t length, unsigned *n_r)
{
	bool in_varint = positions->in_varint;
	unsigned n = 0;
	size_t i;
	for (i = 0; i < length && (in_varint || bytes[i] != COLUMN_MARK); i++) {
		in_varint = !fts_page_ends_varint(bytes[i]);
		n += fts_page_ends_varint(bytes[i]);
	}
	positions->in_varint = in_varint;
	positions->column_follows = i < length;
	*n_r = n;
	return i < length ? i + 1 : i;
}

/* A column number of more than one byte is beyond those that count. */
static size_t fts_page_read_column(
        FtsPositions *positions, const uint8_t *bytes, size_t length, unsigned columns)
{
	size_t i = 0;
	positions->column =
	        !positions->in_varint && fts_page_ends_varint(bytes[0]) ? bytes[0] : columns;
	while (i < length && !fts_page_ends_varint(bytes[i]))
		i++;
	positions->in_varint = positions->column_follows = i == length;
	return MIN(i + 1, length);
}

void fts_positions_count(
        FtsPositions *positions, const uint8_t *bytes, size_t length, unsigned *n, unsigned columns)
{
	for (size_t i = 0; i < length;) {
		unsigned added = 0;
		if (positions->column_follows) {
			i += fts_page_read_column(positions, bytes + i, length - i, columns);
			continue;
		}
		i += fts_page_read_positions(positions, bytes + i, length - i, &added);
		if (positions->column < columns)
			n[positions->column] += added;
	}
}
