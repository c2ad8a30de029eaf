/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fieldtext.h - text that Word and RTF write in the instruction of a field: EQ
 * \f(distance,time), MACROBUTTON macro text, GOTOBUTTON place text, SYMBOL code \f "Symbol"
 *
 * The field has no result. Before there were other means, Word wrote formulas and the readings of
 * East Asian characters (ruby) in this form: EQ \o\ad(\s\up 11(reading),base). Templates of letters
 * and forms have buttons whose macro does nothing: "Click here and type the name". */
#pragma once
#include <stdbool.h>

typedef struct {
	char *text; /* NULL: the field is of another kind */
	char *reading; /* of the text, or NULL */
} FieldText;

/* instruction: UTF-8. The caller clears the result. */
FieldText field_text(const char *instruction);
void field_text_clear(FieldText *equation);
/* True if the result is a value that only other fields show: SET place "text", ASK place "prompt".
 */
bool field_is_silent(const char *instruction);
