/* SPDX-License-Identifier: GPL-3.0-or-later */
/* writer-changes.h - who follows the log of changes (index/store/change-types.h)
 *
 * The log is kept while there is a consumer that has not lapsed. It is bounded: a consumer that
 * stays behind by more changes than there are files (but at least CHANGES_MOST) lapses, and
 * compares everything when it comes back. Each function leaves the commit to the caller. A name
 * that is not valid, or too many consumers: INDEX_ERROR_OTHER, and nothing is rolled back. */
#pragma once
#include "index/write/writer.h"

typedef struct {
	const char *name; /* consumer_name_is_valid() */
	int64_t seq; /* has all changes up to this one; -1: has nothing yet */
	bool rereads; /* may go back as far as the log reaches, because its target is not a copy */
	int64_t exposure_ms; /* 95th percentile, from a change of permissions to the target; -1: not
	                        known */
	const char *failure; /* why the target fails, a clause; NULL: it does not */
} Consumer;

/* Notes how far a consumer has come. *seq_r: where it goes on. If that is another number than it
 * told, changes are missing between the two: after the commit it compares everything, and follows
 * from *seq_r. */
bool writer_consume(Writer *w, const Consumer *consumer, int64_t *seq_r, GError **error);
/* Notes that the target of a known consumer fails. */
bool writer_note_failure(Writer *w, const char *name, const char *failure, GError **error);
/* Keeps nothing for it any more. */
bool writer_forget_consumer(Writer *w, const char *name, bool *known_r, GError **error);
