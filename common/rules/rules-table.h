/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rules-table.h - the names that are left out by default, and why
 *
 * A generic name (build, target) counts only with a witness: an entry beside it or inside it. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

/* The words of the key "skip", in its order. */
typedef enum {
	SKIP_VERSION_CONTROL,
	SKIP_BUILDS,
	SKIP_CACHES,
	SKIP_TRASH,
	SKIP_SNAPSHOTS,
	SKIP_SECRETS,
	SKIP_BROWSERS,
	N_SKIPS
} SkipGroup;

typedef enum { SKIP_DIRS = 1, SKIP_FILES = 2, SKIP_ANY = 3 } SkipWhat;

/* How a name is compared with the table's. */
typedef enum { NAME_IS, NAME_BEGINS, NAME_ENDS } SkipMatch;

typedef struct {
	const char *name;
	SkipGroup group;
	SkipWhat what;
	SkipMatch match;
	/* Paths with "|" between, one of which must exist; NULL: none is needed. Only for
	 * directories. */
	const char *beside, *inside;
} SkipRule;

extern const SkipRule skip_rules[]; /* ended by a NULL name */

const char *skip_group_name(SkipGroup group); /* "version-control" */
const char *skip_group_text(SkipGroup group); /* translated, for a person */
