/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/web/trace-line.h"
#include "common/base/i18n.h"
#include <string.h>

typedef struct {
	char *name, *text; /* text: NULL if it is not a string */
	double number; /* true is 1 */
	bool is_number;
	GArray *numbers;
	GPtrArray *texts;
} TraceField;

struct TraceLine {
	GArray *fields; /* of TraceField */
};

typedef struct {
	const char *at, *end;
} TraceText;

static void clear_field(gpointer data)
{
	TraceField *field = data;
	g_free(field->name);
	g_free(field->text);
	g_clear_pointer(&field->numbers, g_array_unref);
	g_clear_pointer(&field->texts, g_ptr_array_unref);
}

static bool trace_take(TraceText *t, char wanted)
{
	while (t->at < t->end && strchr(" \t\r\n", *t->at) && *t->at)
		t->at++;
	if (t->at == t->end || *t->at != wanted)
		return false;
	t->at++;
	return true;
}

static bool trace_take_word(TraceText *t, const char *word)
{
	size_t n = strlen(word);
	if ((size_t)(t->end - t->at) < n || strncmp(t->at, word, n) != 0)
		return false;
	t->at += n;
	return true;
}

/* Four digits; pairs of surrogates are not part of any URL here and are refused. */
static bool trace_take_code(TraceText *t, GString *out)
{
	gunichar code = 0;
	if (t->end - t->at < 4)
		return false;
	for (unsigned i = 0; i < 4; i++) {
		int digit = g_ascii_xdigit_value(*t->at++);
		if (digit < 0)
			return false;
		code = code << 4 | (gunichar)digit;
	}
	if (code == 0 || !g_unichar_validate(code))
		return false;
	g_string_append_unichar(out, code);
	return true;
}

static bool trace_take_escape(TraceText *t, GString *out)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
	if (t->at == t->end)
		return false;
	char letter = *t->at++;
	const char *known = letter ? strchr(from, letter) : NULL;
	if (known)
		g_string_append_c(out, to[known - from]);
	return known || (letter == 'u' && trace_take_code(t, out));
}

static char *trace_take_string(TraceText *t)
{
	g_autoptr(GString) out = g_string_new(NULL);
	if (!trace_take(t, '"'))
		return NULL;
	while (t->at < t->end && *t->at != '"') {
		char c = *t->at++;
		if ((unsigned char)c < ' ' || (c == '\\' && !trace_take_escape(t, out)))
			return NULL;
		if (c != '\\')
			g_string_append_c(out, c);
	}
	if (t->at == t->end)
		return NULL;
	t->at++;
	return g_string_free(g_steal_pointer(&out), FALSE);
}

static bool trace_take_number(TraceText *t, double *number_r)
{
	char text[64], *end;
	size_t n = 0;
	while (t->at + n < t->end && n < sizeof text - 1 && t->at[n] &&
	        strchr("+-.0123456789eE", t->at[n]))
		n++;
	memcpy(text, t->at, n);
	text[n] = '\0';
	*number_r = g_ascii_strtod(text, &end);
	t->at += n;
	return n > 0 && *end == '\0';
}

static bool trace_take_list(TraceText *t, TraceField *field)
{
	field->numbers = g_array_new(FALSE, FALSE, sizeof(double));
	field->texts = g_ptr_array_new_with_free_func(g_free);
	if (trace_take(t, ']'))
		return true;
	do {
		double number;
		bool is_text = trace_take(t, '"');
		if (is_text)
			t->at--;
		char *text = is_text ? trace_take_string(t) : NULL;
		if (is_text && !text)
			return false;
		if (text)
			g_ptr_array_add(field->texts, text);
		else if (trace_take_number(t, &number))
			g_array_append_val(field->numbers, number);
		else
			return false;
	} while (trace_take(t, ','));
	return trace_take(t, ']');
}

static bool trace_take_value(TraceText *t, TraceField *field)
{
	if (trace_take(t, '['))
		return trace_take_list(t, field);
	if (trace_take(t, '"')) {
		t->at--;
		return (field->text = trace_take_string(t)) != NULL;
	}
	field->is_number = true;
	if (trace_take_word(t, "true")) {
		field->number = 1;
		return true;
	}
	return trace_take_word(t, "false") || trace_take_number(t, &field->number);
}

static bool trace_take_fields(TraceText *t, GArray *fields)
{
	if (!trace_take(t, '{'))
		return false;
	if (trace_take(t, '}'))
		return true;
	do {
		TraceField field = {.name = trace_take_string(t)};
		bool ok = field.name && trace_take(t, ':');
		while (ok && t->at < t->end && *t->at == ' ')
			t->at++;
		ok = ok && trace_take_value(t, &field);
		g_array_append_val(fields, field);
		if (!ok)
			return false;
	} while (trace_take(t, ','));
	return trace_take(t, '}');
}

TraceLine *trace_line_parse(const char *text, size_t length, const char **reason_r)
{
	TraceText t = {text, text + length};
	g_autoptr(TraceLine) line = g_new0(TraceLine, 1);
	line->fields = g_array_new(FALSE, FALSE, sizeof(TraceField));
	g_array_set_clear_func(line->fields, clear_field);
	*reason_r = N_("it is not valid UTF-8");
	if (!g_utf8_validate(text, length, NULL))
		return NULL;
	*reason_r = N_("it is not a JSON object of strings, numbers and lists of them");
	if (!trace_take_fields(&t, line->fields))
		return NULL;
	while (t.at < t.end && strchr(" \t\r", *t.at) && *t.at)
		t.at++;
	return t.at == t.end ? g_steal_pointer(&line) : NULL;
}

void trace_line_free(TraceLine *line)
{
	g_array_unref(line->fields);
	g_free(line);
}

static const TraceField *trace_find_field(const TraceLine *line, const char *name)
{
	for (guint i = 0; i < line->fields->len; i++) {
		const TraceField *field = &g_array_index(line->fields, TraceField, i);
		if (strcmp(field->name, name) == 0)
			return field;
	}
	return NULL;
}

bool trace_line_has(const TraceLine *line, const char *name)
{
	return trace_find_field(line, name) != NULL;
}

const char *trace_line_text(const TraceLine *line, const char *name)
{
	const TraceField *field = trace_find_field(line, name);
	return field ? field->text : NULL;
}

double trace_line_number(const TraceLine *line, const char *name, double preset)
{
	const TraceField *field = trace_find_field(line, name);
	return field && field->is_number ? field->number : preset;
}

bool trace_line_flag(const TraceLine *line, const char *name)
{
	return trace_line_number(line, name, 0) != 0;
}

const GArray *trace_line_numbers(const TraceLine *line, const char *name)
{
	const TraceField *field = trace_find_field(line, name);
	return field ? field->numbers : NULL;
}

const GPtrArray *trace_line_texts(const TraceLine *line, const char *name)
{
	const TraceField *field = trace_find_field(line, name);
	return field ? field->texts : NULL;
}
