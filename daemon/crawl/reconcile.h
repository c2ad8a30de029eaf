/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reconcile.h - makes the row of one entry say what the file system says (part of crawl.h) */
#pragma once
#include "daemon/crawl/place.h"

typedef enum {
	RECONCILE_PRESENT, /* the entry exists and has a row */
	RECONCILE_ABSENT, /* a rule excludes it: it has no row, or one that goes */
	RECONCILE_UNKNOWN, /* it cannot be looked at now, for a temporary reason: try again */
	RECONCILE_GONE, /* nothing is there; its row is unchanged: call reconcile_gone() */
	RECONCILE_FAILED /* the index failed; error is set */
} ReconcileResult;

/* True if an entry of the directory, with these stat data, does not belong into the index. */
bool reconcile_is_excluded(
        const Crawl *crawl, const Place *place, const char *name, const struct statx *st);
/* what: the hints, 0 for a visit. deep: if it is a directory, visit everything below it too. */
ReconcileResult reconcile_entry(Crawl *crawl, const Place *place, const char *name, unsigned what,
        bool deep, GError **error);
/* The same for a visit that has read the row already; NULL: there is none. */
ReconcileResult reconcile_with_row(Crawl *crawl, const Place *place, const char *name,
        const Entry *row, bool deep, GError **error);
/* Looks once more; if the entry is gone, its row becomes an orphan or is removed. Called after all
 * existing entries have been reconciled, so that a rename is recognised as one change. */
bool reconcile_gone(
        Crawl *crawl, const Place *place, const char *name, int64_t now_us, GError **error);
/* Hides the row of a directory that is not covered any more. The next calls of crawl_visit() remove
 * it, with everything below it. */
bool reconcile_discard(Crawl *crawl, const Entry *row, GError **error);
/* The same in parts: removes as many entries as the budget says, which each of them lowers by one.
 * If it is used up, some are perhaps left, and the row itself still is. */
bool reconcile_remove_part(Crawl *crawl, const Entry *row, unsigned *budget, GError **error);
