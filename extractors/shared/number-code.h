/* SPDX-License-Identifier: GPL-3.0-or-later */
/* number-code.h - how Excel displays the number of a cell
 *
 * A cell format has a format code: "0.00%", "dd/mm/yy;@". Dates are stored as days since 1900 or
 * 1904, times as parts of a day (ISO/IEC 29500-1, 18.17.4.1). Their codes only tell the kind: the
 * text is ISO 8601. Other codes are applied as they are, except grouping, whose sign differs by
 * language (extractors/shared/number-pattern.h). */
#pragma once
#include <stdbool.h>

/* Returns the code of a number format that no workbook defines (ISO/IEC 29500-1, 18.8.30), or one
 * that displays the same. NULL: no code, the number is displayed as it is. */
const char *number_code_of_id(unsigned id);
/* Returns roughly what a cell displays: dates as ISO 8601, times as HH:MM:SS, durations as
 * H:MM:SS, or MM:SS if the code counts minutes. value: finite; code: UTF-8 or NULL. The caller
 * frees it. */
char *number_text(double value, const char *code, bool from_1904);
