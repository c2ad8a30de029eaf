/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nearest-name.h - the verb or option that a misspelt one stands for */
#pragma once
#include <stddef.h>

/* The most that a mistake may cost (index/text/typo.h): one in a short name, two in a longer one.
 * The beginning of a single name costs less than one mistake. */
unsigned nearest_name_limit(const char *typed);
/* Returns the index of the nearest of n names if it costs at most max, the first of equally near
 * ones; -1: there is none, or one of them is equal. Capitals are small letters. */
int nearest_name(const char *typed, const char *const *names, size_t n, unsigned max);
