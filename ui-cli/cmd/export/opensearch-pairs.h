/* SPDX-License-Identifier: GPL-3.0-or-later */
/* opensearch-pairs.h - the documents that should be on the server beside those that are there */
#pragma once
#include "ui-cli/cmd/export/opensearch-rows.h"

/* A document as it should be there. */
typedef struct {
	int64_t content, number;
	unsigned class;
	uint8_t hash[OS_HASH_BYTES];
} OsExpected;

/* Appends the documents of a line of see(), for each of its classes. */
void os_expect(GArray *expected, const json_t *line);
/* Sorts by content, number and class, and leaves out what is there twice. */
void os_expected_sort(GArray *expected);

/* The documents of one number, as they are and as they should be. Those that are wanted have the
 * classes from 0. */
typedef struct {
	const OsExpected *wanted;
	const OsRow *there;
	guint n_wanted, n_there;
} OsPair;

/* Is the document of this class not there, or with other permissions? */
bool os_pair_differs(const OsPair *pair, guint class);
static inline bool os_pair_wants(const OsPair *pair, unsigned class)
{
	return class < pair->n_wanted;
}

/* Calls f for each number that is on either side, in the order of contents, and takes the rows up
 * to the content last. expected: sorted, none of a later content. False with the error of f or of
 * the server. */
typedef bool (*OsPairFunc)(const OsPair *pair, void *data, GError **error);
bool os_pairs(const GArray *expected, OsRows *rows, int64_t last, OsPairFunc f, void *data,
        GError **error);
