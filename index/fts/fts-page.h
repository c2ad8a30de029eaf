/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fts-page.h - the terms of one page of a full-text table, and where the documents of each stand
 *
 * The format that SQLite has kept since FTS5 was published ("FTS5 Data Structures" in
 * sqlite.org/fts5.html, version 4). Nothing that a page says is trusted: what leads out of it is
 * damage. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FTS_TERM_MAX = 4096, FTS_MAIN_INDEX = '0' };
/* Page of a segment to its number in the table's _data. */
#define FTS_SEGMENT_SHIFT 37
/* SQL that lists the segments of a table, each by one look into the key of its _idx, which lists
 * the pages. */
#define FTS_SEGMENTS(table)                                                                        \
	"segments(id) AS (SELECT min(segid) FROM " table "_idx UNION ALL SELECT "                  \
	"(SELECT min(segid) FROM " table                                                           \
	"_idx WHERE segid > id) FROM segments WHERE id IS NOT NULL)"

typedef struct {
	/* Of the term that was found; of documents that go on from the page before, if none was
	 * yet. */
	size_t documents, end; /* from, to; equal: none begins here */
	char term[FTS_TERM_MAX + 1]; /* ends with NUL, may hold others; begins with the index it
	                                belongs to, FTS_MAIN_INDEX or a prefix's */
	size_t term_length;
	/* Of the document that was found: where it has the term, as far as this page tells, and how
	 * many bytes of that stand on the pages behind. */
	size_t positions, positions_end;
	uint64_t positions_left;
	/* The page's own. */
	const uint8_t *bytes;
	size_t length, content, next; /* content: where the list of terms begins; next: in it */
	size_t at; /* of the term */
} FtsPage;

/* bytes must outlive the leaf. False: it is damaged. */
bool fts_page_open(FtsPage *leaf, const void *bytes, size_t length);
/* Goes to the next term: 1, 0 behind the last, -1 damaged. */
int fts_page_next(FtsPage *leaf);
/* Does any term begin here? Was it the last that does? */
bool fts_page_has_terms(const FtsPage *leaf);
bool fts_page_is_last(const FtsPage *leaf);

/* Number of the next document between documents and end, which moves: 1, 0 behind the last that
 * begins here, -1 damaged. *document is the one before, 0 for the first. */
int fts_page_document(FtsPage *leaf, int64_t *document);
/* Places of a document of a page before, of which so many bytes are left: sets what of them stands
 * here. Right after opening. */
void fts_page_go_on(FtsPage *leaf, uint64_t left);
/* How many documents and tokens a table has, by the row of its _data that tells it. False: it is
 * damaged. */
bool fts_totals(const void *bytes, size_t length, uint64_t *documents_r, uint64_t *tokens_r);
/* The row. */
enum { FTS_TOTALS = 1 };

/* Places as they are written: counts those of each column. What is written may come in pieces. */
typedef struct {
	bool begun, column_follows; /* in the middle of a number; the next one is a column */
	unsigned column;
} FtsPositions;
/* Adds to n of each column; those behind the last column count for none. A new document begins with
 * an empty FtsPositions. */
void fts_positions_count(FtsPositions *positions, const uint8_t *bytes, size_t length, unsigned *n,
        unsigned columns);
