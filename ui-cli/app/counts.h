/* SPDX-License-Identifier: GPL-3.0-or-later */
/* counts.h - "1 file", "3 files": counts in the user's language */
#pragma once
#include <stdint.h>

/* The caller frees the results. */
char *count_files(uint64_t n);
char *count_documents(uint64_t n);
char *count_directories(uint64_t n);
char *count_changes(uint64_t n); /* "1 change to check" */
char *count_conversions(uint64_t n);
char *count_overflows(uint64_t n); /* of the event queue */
/* "5 s", "3 min", "2 h 10 min", without more precision than an estimate has. The caller frees
 * it. */
char *count_time(int64_t seconds);
/* The same of milliseconds, with fractions of seconds: "1.5 s". The caller frees it. */
char *count_pause(int64_t ms);
