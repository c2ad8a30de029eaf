/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reader-changes.h - the log of changes and its consumers (index/store/change-types.h), for those
 * who copy the index elsewhere. Not within a transaction. */
#pragma once
#include "index/read/reader.h"
#include "index/store/change-types.h"

/* Reads the changes after the one with the number after, oldest first, up to most of them.
 * *changes_r: a GArray of Change, which the caller frees. *kept_r false: the log does not reach so
 * far back, or not so far forward, or there is none; compare everything. */
bool reader_changes(
        Reader *r, int64_t after, unsigned most, GArray **changes_r, bool *kept_r, GError **error);
/* The contents of all files below a directory, which is an inode, in ascending order. *contents_r:
 * a GArray of int64_t, which the caller frees. */
bool reader_contents_below(Reader *r, int64_t inode, GArray **contents_r, GError **error);

typedef struct {
	char *name, *failure; /* failure: NULL: its target does not fail */
	uint64_t behind; /* changes that it does not have yet */
	bool lapsed; /* it compares everything when it comes back */
	int64_t heard_s, failed_s; /* seconds since 1970; failed_s 0: it does not fail */
	int64_t exposure_ms; /* -1: not known */
} ConsumerStats;
/* *consumers_r: a GPtrArray of ConsumerStats by name, which the caller frees. */
bool reader_consumers(Reader *r, GPtrArray **consumers_r, GError **error);
