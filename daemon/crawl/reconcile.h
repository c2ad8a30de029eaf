/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reconcile.h - one entry: make its row say what the file system says (part of crawl.h) */
#pragma once
#include "daemon/crawl/place.h"

typedef enum {
	RECONCILE_PRESENT, /* the entry exists and has a row */
	RECONCILE_ABSENT, /* a rule keeps it out: it has no row */
	RECONCILE_UNKNOWN, /* it cannot be looked at now, for a reason that may pass: try again */
	RECONCILE_GONE, /* nothing there; its row was left as it is: call reconcile_gone() */
	RECONCILE_FAILED /* the index failed; error is set */
} ReconcileResult;

/* what: hints, 0 for a visit. deep: a directory is to be visited with all below it. */
ReconcileResult reconcile_entry(Crawl *crawl, const Place *place, const char *name, unsigned what,
        bool deep, GError **error);
/* Looks once more; if the entry is gone its row becomes an orphan or goes. Called after all entries
 * that exist have been reconciled, so that a rename is seen as one. */
bool reconcile_gone(
        Crawl *crawl, const Place *place, const char *name, int64_t now_us, GError **error);
/* The row and all below it, at once. */
bool reconcile_remove(Crawl *crawl, const Entry *row, GError **error);
