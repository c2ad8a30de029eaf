/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/shared/fieldtext.h"
#include "extractors/shared/symbolfont.h"
#include <glib.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const char *equation_skip_blanks(const char *c)
{
	return c + strspn(c, " \t");
}

/* Skips the argument of a general switch: \* jc2, \* "Font:Mincho". */
static const char *equation_skip_argument(const char *c)
{
	c = equation_skip_blanks(c);
	if (*c != '"')
		return c + strcspn(c, " \t\\");
	const char *end = strchr(c + 1, '"');
	return end ? end + 1 : c + 1;
}

/* Skips a switch with its number: \up 11. It has a letter or an asterisk behind the backslash. */
static const char *equation_skip_switch(const char *c)
{
	if (c[1] == '*')
		return equation_skip_argument(c + 2);
	c++;
	while (g_ascii_isalpha(*c))
		c++;
	const char *number = equation_skip_blanks(c);
	size_t digits = strspn(number, "0123456789");
	return digits > 0 ? number + digits : c;
}

/* Appends text up to end without switches; separators become spaces. \( is a bracket. */
static void equation_append(GString *out, const char *c, const char *end)
{
	while (c < end) {
		if (*c == '\\' && (g_ascii_isalpha(c[1]) || c[1] == '*')) {
			c = equation_skip_switch(c);
			continue;
		}
		bool escaped = *c == '\\' && c[1];
		c += escaped;
		g_string_append_c(out, !escaped && strchr("(),;", *c) ? ' ' : *c);
		c++;
	}
}

static char *equation_text(const char *from, const char *end)
{
	GString *text = g_string_new(NULL);
	equation_append(text, from, end);
	return g_strstrip(g_string_free(text, FALSE));
}

/* Finds the reading in \o(\s\up 11(reading),base). *base: what follows the separator. */
static bool equation_find_reading(
        const char *c, const char **reading, const char **end, const char **base)
{
	const char *over = strstr(c, "\\o"), *raised = over ? strstr(over, "\\s\\up") : NULL;
	const char *open = raised ? strchr(raised, '(') : NULL;
	*reading = open ? open + 1 : NULL;
	*end = open ? strchr(open, ')') : NULL;
	if (!*end || !strchr(",;", (*end)[1]) || !(*end)[1])
		return false;
	*base = *end + 2;
	return true;
}

/* Returns the text behind the name of the macro or place. NULL: the field is no button. */
static char *button_text(const char *c)
{
	static const char *const names[] = {"MACROBUTTON", "GOTOBUTTON"};
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		size_t length = strlen(names[i]);
		if (g_ascii_strncasecmp(c, names[i], length) != 0 || !g_ascii_isspace(c[length]))
			continue;
		c = equation_skip_blanks(c + length);
		c += strcspn(c, " \t");
		const char *options = strstr(c, "\\*");
		size_t bytes = options ? (size_t)(options - c) : strlen(c);
		return g_strstrip(g_strndup(c, bytes));
	}
	return NULL;
}

/* Returns the character of SYMBOL 109 \f "Symbol". NULL: the field is of another kind or font. */
static char *symbol_text(const char *c)
{
	static const char name[] = "SYMBOL ";
	if (g_ascii_strncasecmp(c, name, strlen(name)) != 0 || !strstr(c, "\"" SYMBOL_FONT "\""))
		return NULL;
	gunichar symbol = symbol_font_char(strtoul(c + strlen(name), NULL, 0));
	return g_ucs4_to_utf8(&symbol, 1, NULL, NULL, NULL);
}

static FieldText equation_of(const char *c)
{
	const char *end = c + strlen(c), *reading, *reading_end, *base = c;
	FieldText equation = {0};
	if (equation_find_reading(c, &reading, &reading_end, &base))
		equation.reading = equation_text(reading, reading_end);
	equation.text = equation_text(base, end);
	return equation;
}

FieldText field_text(const char *instruction)
{
	const char *c = equation_skip_blanks(instruction);
	if (g_ascii_strncasecmp(c, "EQ", 2) == 0 && strchr(" \t\\", c[2]))
		return equation_of(c + 2);
	char *symbol = symbol_text(c);
	return (FieldText){.text = symbol ? symbol : button_text(c)};
}

bool field_is_silent(const char *instruction)
{
	const char *c = equation_skip_blanks(instruction);
	return (g_ascii_strncasecmp(c, "SET", 3) == 0 || g_ascii_strncasecmp(c, "ASK", 3) == 0) &&
	       g_ascii_isspace(c[3]);
}

void field_text_clear(FieldText *shown)
{
	g_free(shown->text);
	g_free(shown->reading);
}
