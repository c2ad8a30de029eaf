/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/shared/fieldlink.h"
#include <string.h>

void field_link_add(GString *instruction, const char *text, size_t length)
{
	if (length <= FIELD_LINK_BYTES && instruction->len <= FIELD_LINK_BYTES - length)
		g_string_append_len(instruction, text, length);
}

/* Reads the next argument: a word, or a quoted text in which a backslash escapes the next
 * character. False at the end. */
static bool next_argument(const char **at, GString *argument, bool *is_switch)
{
	const char *c = *at;
	g_string_truncate(argument, 0);
	while (g_ascii_isspace(*c))
		c++;
	bool quoted = *c == '"';
	*is_switch = *c == '\\';
	c += quoted;
	const char *from = c;
	while (*c && (quoted ? *c != '"' : !g_ascii_isspace(*c))) {
		if (*c == '\\' && c[1] && (quoted || c > from))
			c++;
		g_string_append_c(argument, *c++);
	}
	*at = quoted && *c == '"' ? c + 1 : c;
	return c > from || quoted;
}

/* The switches \l, \o and \t take an argument. */
static bool has_argument(const GString *option)
{
	return option->len == 2 && strchr("lLoOtT", option->str[1]) != NULL;
}

static char *read_target(const char *at, GString *argument)
{
	g_autoptr(GString) address = g_string_new(NULL);
	g_autoptr(GString) place = g_string_new(NULL);
	bool is_switch;
	while (next_argument(&at, argument, &is_switch)) {
		if (!is_switch && address->len == 0)
			g_string_assign(address, argument->str);
		if (!is_switch || !has_argument(argument))
			continue;
		bool is_place = g_ascii_tolower(argument->str[1]) == 'l';
		if (next_argument(&at, argument, &is_switch) && is_place)
			g_string_assign(place, argument->str);
	}
	if (address->len == 0)
		return NULL;
	if (place->len > 0)
		g_string_append_printf(address, "#%s", place->str);
	return g_string_free(g_steal_pointer(&address), FALSE);
}

char *field_link(const char *instruction)
{
	g_autoptr(GString) argument = g_string_new(NULL);
	bool is_switch;
	if (!next_argument(&instruction, argument, &is_switch) ||
	        g_ascii_strcasecmp(argument->str, "HYPERLINK") != 0)
		return NULL;
	return read_target(instruction, argument);
}

void fields_init(Fields *fields)
{
	*fields = (Fields){
	        .open = g_array_new(FALSE, FALSE, sizeof(bool)), .instruction = g_string_new(NULL)};
}

void fields_clear(Fields *fields)
{
	g_array_unref(fields->open);
	g_string_free(fields->instruction, TRUE);
}

void fields_begin(Fields *fields)
{
	bool inside = true;
	g_array_append_val(fields->open, inside);
	if (fields->hidden++ == 0)
		g_string_truncate(fields->instruction, 0);
}

void fields_add(Fields *fields, const char *text, size_t length)
{
	if (fields->hidden == 1)
		field_link_add(fields->instruction, text, length);
}

FieldText fields_text(const Fields *fields)
{
	guint count = fields->open->len;
	bool ends = count > 0 && g_array_index(fields->open, bool, count - 1);
	return ends && fields->hidden == 1 ? field_text(fields->instruction->str) : (FieldText){0};
}

char *fields_separate(Fields *fields)
{
	guint count = fields->open->len;
	bool *inside = count > 0 ? &g_array_index(fields->open, bool, count - 1) : NULL;
	if (!inside || !*inside || fields->silent == count)
		return NULL;
	if (fields->hidden == 1 && field_is_silent(fields->instruction->str)) {
		fields->silent = count;
		return NULL;
	}
	*inside = false;
	if (--fields->hidden > 0 || fields->link > 0)
		return NULL;
	char *href = field_link(fields->instruction->str);
	fields->link = href ? count : 0;
	return href;
}

bool fields_end(Fields *fields)
{
	guint count = fields->open->len;
	if (count == 0)
		return false;
	fields->hidden -= g_array_index(fields->open, bool, count - 1);
	g_array_set_size(fields->open, count - 1);
	if (fields->silent == count)
		fields->silent = 0;
	bool is_link = fields->link == count;
	if (is_link)
		fields->link = 0;
	return is_link;
}
