/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rules-table.h - the names that are skipped by default, and why
 *
 * A generic name (build, target) is skipped only with a witness: a certain entry beside it or
 * inside it. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

/* The allowed words of the key "skip", in its order. */
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

/* How a name is compared with that of the rule. */
typedef enum { NAME_IS, NAME_BEGINS, NAME_ENDS } SkipMatch;

typedef struct {
	const char *name;
	SkipGroup group;
	SkipWhat what;
	SkipMatch match;
	/* Witnesses: paths separated by "|", one of which must exist. NULL: none is needed. For
	 * directories only. */
	const char *beside, *inside;
} SkipRule;

extern const SkipRule skip_rules[]; /* ends with a NULL name */

const char *skip_group_text(SkipGroup group); /* translated, for the user */
