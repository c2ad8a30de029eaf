/* SPDX-License-Identifier: GPL-3.0-or-later */
/* duration.h - "90s", "10min", "2h", "1d", "10 minutes", "2 Stunden" */
#pragma once
#include <stdbool.h>
#include <stdint.h>

/* Parses a duration from 1 s to 10 years. A unit is required, because "5" and "5m" are ambiguous.
 * Its names are English and German ones, in any case, and blanks may stand before them.
 * *seconds_r is set on success only. */
bool duration_parse(const char *text, int64_t *seconds_r);
