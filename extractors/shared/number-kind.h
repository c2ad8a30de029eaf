/* SPDX-License-Identifier: GPL-3.0-or-later */
/* number-kind.h - how Excel displays the number of a cell
 *
 * Dates are stored as days since 1900 or 1904, times as parts of a day (ISO/IEC
 * 29500-1, 18.17.4.1), percentages as parts of one. Of other codes, only the leading zeros
 * ("00000") and the decimals ("#,##0.00") are applied; grouping and currency are not. */
#pragma once
#include <stdbool.h>

typedef enum {
	NUMBER_PLAIN,
	NUMBER_DATE,
	NUMBER_TIME,
	NUMBER_DURATION, /* hours may be above 24 */
	NUMBER_PERCENT,
	NUMBER_DIGITS, /* plus the least number of digits */
	NUMBER_DECIMALS = NUMBER_DIGITS + 16 /* plus the number of decimals */
} NumberKind;

/* Returns the kind of a number format that no workbook defines (ISO/IEC 29500-1, 18.8.30). */
NumberKind number_kind_of_id(unsigned id);
/* Returns the kind of a format code ("0.00%", "dd/mm/yy;@"), by its first section. */
NumberKind number_kind_of_code(const char *code);
/* Returns roughly what a cell displays: dates as ISO 8601, times as HH:MM:SS, durations as
 * H:MM:SS. value: finite. The caller frees it. */
char *number_text(double value, NumberKind kind, bool from_1904);
