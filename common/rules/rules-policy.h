/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rules-policy.h - the keys of section "index" as they apply to one directory and everything below
 * it */
#pragma once
#include "common/rules/ignore.h"
#include "common/settings/settings.h"

/* The allowed words of the key "markers", in its order. */
typedef enum {
	MARKER_TARSIERIGNORE,
	MARKER_CACHEDIR,
	MARKER_NOMEDIA,
	MARKER_TRACKERIGNORE,
	MARKER_NOINDEX
} Marker;

typedef struct {
	char *path; /* path of its "dir:" section; NULL for the policy without one */
	unsigned skip; /* bits by SkipGroup */
	unsigned markers; /* bits by Marker */
	IgnoreList *hidden, *exclude, *include; /* paths are relative to "/" */
} Policy;

typedef struct PolicySet PolicySet;

PolicySet *policy_set_new(const Settings *settings);
void policy_set_free(PolicySet *set);
/* The policy inside a directory. parent: the policy of the parent directory, NULL if unknown.
 * Borrowed. */
const Policy *policy_of_dir(const PolicySet *set, const Policy *parent, const char *path);
/* True if a section is for path or for a directory below it. */
bool policy_set_divides(const PolicySet *set, const char *path);
