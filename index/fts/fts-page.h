/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fts-page.h - decodes one b-tree leaf page of an FTS5 table: its terms and their posting lists
 *
 * The format is that of version 4, which the head of SQLite's ext/fts5/fts5_index.c describes and
 * "FTS5 Data Structures" in sqlite.org/fts5.html sums up. A page is not trusted: an offset or a
 * size that leads out of it is reported as damage. */
#pragma once
#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	FTS_VERSION = 4, /* 'version' in the table's _config */
	FTS_TERM_MAX = 4096,
	FTS_MAIN_INDEX = '0' /* first byte of the terms that belong to no prefix index */
};
/* A page is row (segment << FTS_SEGMENT_SHIFT) + page number of the table's _data. */
#define FTS_SEGMENT_SHIFT 37

typedef struct {
	/* The unread part, on this page, of the posting list of the last term that was read. Before
	 * the first term: the rest of the list that began on an earlier page. postings equals end
	 * if the page has none. */
	size_t postings, end;
	char term[FTS_TERM_MAX + 1]; /* with its index byte; ends with NUL, may hold others */
	size_t term_length;
	/* Of the last posting that was read: its position list on this page, and the number of its
	 * bytes on later pages. */
	size_t positions, positions_end;
	uint64_t positions_left;
	bool deleted; /* it deletes the document from older segments */
	/* Private to fts-page.c. */
	const uint8_t *bytes;
	size_t length, content, next; /* content: end of the terms, start of the term index; next:
	                                 place in the term index */
	size_t at, list; /* of the term, of its posting list */
} FtsPage;

/* bytes must outlive the page. False: it is damaged. */
bool fts_page_open(FtsPage *page, const void *bytes, size_t length);
/* Reads the next term: 1, 0 after the last, -1 damaged. */
int fts_page_next(FtsPage *page);
/* Does a term begin on this page? */
bool fts_page_has_terms(const FtsPage *page);
/* Was the last term of the page read? Its posting list may continue on the next page. */
bool fts_page_is_last(const FtsPage *page);

/* Reads the next posting: 1, 0 after the last one that begins on this page, -1 damaged. *document
 * holds the previous document of the page, 0 before the first, and receives the next. */
int fts_page_posting(FtsPage *page, int64_t *document);
/* Call it right after opening: it makes the start of this page the position list of a posting that
 * began on an earlier page and has this many bytes left. */
void fts_page_continue(FtsPage *page, uint64_t left);

/* Writes into out a page that begins with the term that was read last, and has all that follows it
 * on this page, which is copied unread: damage in it stays. */
void fts_page_cut(const FtsPage *page, GByteArray *out);

/* Decodes position lists, which may be cut anywhere. Zero it before each posting. */
typedef struct {
	bool in_varint, column_follows; /* the last piece ended within a varint; before a column */
	unsigned column;
} FtsPositions;
/* Adds the number of positions in each column to n[0 .. columns - 1]; others are not counted. */
void fts_positions_count(FtsPositions *positions, const uint8_t *bytes, size_t length, unsigned *n,
        unsigned columns);
