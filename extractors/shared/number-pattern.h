/* SPDX-License-Identifier: GPL-3.0-or-later */
/* number-pattern.h - applies the digits, signs and words of an Excel format code to a number
 *
 *   0.0%        12.3%               00000       01067
 *   0" kg"      12 kg               000-0000    555-1234
 *   [$USD] 0.00 USD 99.90           0.0,,"M"    1.2M
 *
 * Digits are not grouped: the sign differs by language, and people type the digits alone. */
#pragma once

/* Returns the end of the item at c: "...", [...], \x, _x, *x, else one byte. c < end. */
const char *number_item_end(const char *c, const char *end);
/* Returns what one section of a code displays. NULL: it displays the number as it is, as a fraction
 * or with an exponent, or the number is too large. value: finite; section: UTF-8. The caller frees
 * it. */
char *number_pattern_text(double value, const char *section, const char *end);
