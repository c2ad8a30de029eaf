/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fieldequation.h - text that Word and RTF write in the instruction of a field: EQ
 * \f(distance,time)
 *
 * The field has no result. Before there were other means, Word wrote formulas and the readings of
 * East Asian characters (ruby) in this form: EQ \o\ad(\s\up 11(reading),base). */
#pragma once

typedef struct {
	char *text; /* NULL: the field is of another kind */
	char *reading; /* of the text, or NULL */
} FieldEquation;

/* instruction: UTF-8. The caller frees both texts. */
FieldEquation field_equation(const char *instruction);
void field_equation_clear(FieldEquation *equation);
