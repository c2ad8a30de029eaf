/* SPDX-License-Identifier: GPL-3.0-or-later */
/* opensearch-rows.h - which documents the server has, without their texts */
#pragma once
#include "ui-cli/cmd/export/opensearch-document.h"

enum { OS_ID_BYTES = 100 };

typedef struct {
	char id[OS_ID_BYTES];
	bool strange; /* somebody else wrote it, or changed its number: it must go */
	int64_t number, content;
	int64_t bytes; /* of the text, about */
	unsigned class;
	uint8_t hash[OS_HASH_BYTES]; /* of its permissions and places */
} OsRow;

typedef struct OsRows OsRows;

/* index, instance: borrowed. contents: a JSON array of their numbers, which is taken; NULL: all of
 * the instance. Only what was there at the last refresh is seen. */
OsRows *os_rows_new(OsClient *client, const char *index, const char *instance, json_t *contents);
void os_rows_free(OsRows *rows);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(OsRows, os_rows_free)
/* 1: *row is the next one by content, number and class, which stays the next until it is skipped;
 * 0: there is none; -1: error, also if a part of the index did not answer, because what it has
 * would seem to be gone. */
int os_rows_look(OsRows *rows, OsRow *row, GError **error);
void os_rows_skip(OsRows *rows);

/* Is this the answer to a search of all shards? Else sets an error. */
bool os_rows_check_answer(const json_t *answer, GError **error);
/* Makes what was sent before visible to searches. */
bool os_rows_refresh(OsClient *client, const char *index, GError **error);
