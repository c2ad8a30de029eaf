/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/fts-leaf.h"
#include <string.h>

/* A leaf: two numbers of 16 bits (where the first document of those that go on stands, where the list of terms begins), terms
 * with their documents, then how far each term stands from the one before it. */
enum { HEADER = 4 };

static size_t number_16(const FtsLeaf *leaf, size_t at)
{
	return (size_t)leaf->bytes[at] << 8 | leaf->bytes[at + 1];
}

/* A number of one to nine bytes, seven bits each, the highest first. False: it does not end. */
static bool read_number(const FtsLeaf *leaf, size_t end, size_t *at, uint64_t *out)
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

bool fts_leaf_has_terms(const FtsLeaf *leaf)
{
	return leaf->content < leaf->length;
}

bool fts_leaf_is_last(const FtsLeaf *leaf)
{
	return leaf->next >= leaf->length;
}

/* Where the term stands that the list names next; behind the last: where the terms end. */
static bool read_place(const FtsLeaf *leaf, size_t *next, size_t *at_r)
{
	uint64_t step = leaf->content - leaf->at;
	if (*next < leaf->length &&
	        (!read_number(leaf, leaf->length, next, &step) || step > leaf->content - leaf->at))
		return false;
	*at_r = leaf->at + step;
	return *at_r >= HEADER;
}

bool fts_leaf_open(FtsLeaf *leaf, const void *bytes, size_t length)
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
static bool read_term(FtsLeaf *leaf, bool first)
{
	uint64_t kept = 0, added;
	size_t at = leaf->at;
	if (!first && !read_number(leaf, leaf->content, &at, &kept))
		return false;
	if (!read_number(leaf, leaf->content, &at, &added) || kept > leaf->term_length ||
	        added > leaf->content - at || kept + added > FTS_TERM_MAX)
		return false;
	memcpy(leaf->term + kept, leaf->bytes + at, added);
	leaf->term_length = kept + added;
	leaf->term[leaf->term_length] = '\0';
	leaf->documents = at + added;
	return true;
}

int fts_leaf_next(FtsLeaf *leaf)
{
	bool first = leaf->at == 0;
	if (fts_leaf_is_last(leaf))
		return 0;
	if (!read_place(leaf, &leaf->next, &leaf->at) || !read_term(leaf, first))
		return -1;
	size_t list = leaf->next;
	if (!read_place(leaf, &list, &leaf->end) || leaf->end < leaf->documents)
		return -1;
	return 1;
}

/* A document: its number (of the first on a page, else how much it is more than the one before), twice the size of its places
 * and whether it was deleted, the places, which may go on behind the page. */
int fts_leaf_document(FtsLeaf *leaf, int64_t *document)
{
	uint64_t number, size;
	if (leaf->documents >= leaf->end)
		return 0;
	if (!read_number(leaf, leaf->end, &leaf->documents, &number) ||
	        !read_number(leaf, leaf->end, &leaf->documents, &size))
		return -1;
	*document = (int64_t)((uint64_t)*document + number);
	size >>= 1;
	leaf->documents = size < leaf->end - leaf->documents ? leaf->documents + size : leaf->end;
	return 1;
}
