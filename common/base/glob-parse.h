/* SPDX-License-Identifier: GPL-3.0-or-later */
/* glob-parse.h - a pattern as the states of an automaton (part of glob.h) */
#pragma once
#include "common/base/glob.h"

/* On which characters a state stays. */
typedef enum { GLOB_LEAVE, GLOB_STAY_IN_COMPONENT, GLOB_STAY } GlobStay;

/* A state and the characters that lead to the next one. */
typedef struct {
	GlobStay stay;
	bool optional; /* what leads here leads to the next state too */
	bool inverted; /* the characters outside the ranges lead on */
	guint first, n; /* ranges of characters */
} GlobState;

typedef struct {
	uint32_t low, high; /* inclusive */
} GlobRange;

/* Appends the states of a pattern to states (GlobState) and their ranges to ranges (GlobRange). The
 * last state accepts, and nothing leads on from it. No two successive states are optional. Returns
 * false, and appends nothing, if the pattern is malformed. */
bool glob_parse(const char *pattern, GlobSyntax syntax, GArray *states, GArray *ranges);
