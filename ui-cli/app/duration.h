/* SPDX-License-Identifier: GPL-3.0-or-later */
/* duration.h - "90s", "10min", "2h", "1d" */
#pragma once
#include <stdbool.h>
#include <stdint.h>

/* At least 1 s, at most 10 years. A number needs its unit: "5" and "5m" could mean several things.
 */
bool duration_parse(const char *text, int64_t *seconds_r);
