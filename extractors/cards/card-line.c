/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/cards/card-line.h"
#include "extractors/shared/extractor.h"
#include <string.h>

enum { LINE_BYTES = 1 << 20 };

void card_lines_init(CardLines *lines, const char *text, size_t length)
{
	*lines = (CardLines){text, text + length, g_string_new(NULL), g_string_new(NULL),
	        g_string_new(NULL), g_string_new(NULL)};
}

void card_lines_clear(CardLines *lines)
{
	g_string_free(lines->line, TRUE);
	g_string_free(lines->name, TRUE);
	g_string_free(lines->parameters, TRUE);
	g_string_free(lines->value, TRUE);
}

void card_take_physical(const char **at, const char *end, GString *line)
{
	size_t left = end - *at;
	const char *newline = memchr(*at, '\n', left);
	size_t length = newline ? (size_t)(newline - *at) : left;
	size_t kept = length > 0 && (*at)[length - 1] == '\r' ? length - 1 : length;
	if (line->len < LINE_BYTES)
		g_string_append_len(line, *at, kept);
	*at += newline ? length + 1 : length;
}

static bool is_quoted_printable(const GString *line)
{
	const char *colon = strchr(line->str, ':');
	g_autofree char *head = colon ? g_ascii_strup(line->str, colon - line->str) : NULL;
	return head && strstr(head, "QUOTED-PRINTABLE");
}

static bool ends_soft(const GString *line)
{
	return line->len > 0 && line->str[line->len - 1] == '=';
}

/* A line that begins with white space continues the previous one; in quoted-printable, a trailing
 * equals sign continues a line. */
static void card_line_unfold(CardLines *lines)
{
	g_string_truncate(lines->line, 0);
	card_take_physical(&lines->at, lines->end, lines->line);
	bool quoted = is_quoted_printable(lines->line);
	while (lines->at < lines->end) {
		if (quoted && ends_soft(lines->line))
			g_string_truncate(lines->line, lines->line->len - 1);
		else if (*lines->at == ' ' || *lines->at == '\t')
			lines->at++;
		else
			return;
		card_take_physical(&lines->at, lines->end, lines->line);
	}
}

/* Finds the colon after name and parameters, outside of quotes. */
static const char *find_colon(const char *line)
{
	bool quoted = false;
	for (; *line; line++) {
		quoted ^= *line == '"';
		if (*line == ':' && !quoted)
			return line;
	}
	return NULL;
}

static void decode_quoted(CardLines *lines, const char *value)
{
	g_autoptr(GString) bytes = g_string_new(NULL);
	for (; *value; value++) {
		int high = value[0] == '=' ? g_ascii_xdigit_value(value[1]) : -1;
		int low = high >= 0 ? g_ascii_xdigit_value(value[2]) : -1;
		g_string_append_c(bytes, low >= 0 ? high << 4 | low : *value);
		value += low >= 0 ? 2 : 0;
	}
	g_autofree char *charset = card_lines_parameter(lines, "CHARSET");
	size_t length;
	g_autofree char *text =
	        decode_text((const uint8_t *)bytes->str, bytes->len, charset, &length, NULL);
	g_string_append_len(lines->value, text, length);
}

/* Resolves backslashes before commas, semicolons and line breaks. */
static void card_line_unescape(GString *value)
{
	gsize to = 0;
	for (gsize i = 0; i < value->len; i++) {
		char c = value->str[i];
		if (c == '\\' && i + 1 < value->len) {
			c = value->str[++i];
			c = c == 'n' || c == 'N' ? '\n' : c;
		}
		value->str[to++] = c;
	}
	g_string_truncate(value, to);
}

static bool card_line_split(CardLines *lines)
{
	const char *line = lines->line->str, *colon = find_colon(line);
	if (!colon || colon == line)
		return false;
	size_t name = strcspn(line, ";:");
	const char *dot = memchr(line, '.', name);
	const char *from = dot ? dot + 1 : line;
	g_string_truncate(lines->name, 0);
	g_string_append_len(lines->name, from, line + name - from);
	g_string_ascii_up(lines->name);
	g_string_truncate(lines->parameters, 0);
	g_string_append_len(lines->parameters, line + name, colon - line - name);
	g_string_truncate(lines->value, 0);
	if (is_quoted_printable(lines->line))
		decode_quoted(lines, colon + 1);
	else
		g_string_append(lines->value, colon + 1);
	card_line_unescape(lines->value);
	return true;
}

bool card_lines_next(CardLines *lines)
{
	while (lines->at < lines->end) {
		card_line_unfold(lines);
		if (card_line_split(lines))
			return true;
	}
	return false;
}

char *card_lines_parameter(const CardLines *lines, const char *name)
{
	size_t length = strlen(name);
	for (const char *at = strchr(lines->parameters->str, ';'); at; at = strchr(at, ';')) {
		at++;
		if (g_ascii_strncasecmp(at, name, length) != 0 || at[length] != '=')
			continue;
		at += length + 1;
		bool quoted = *at == '"';
		at += quoted;
		return g_strndup(at, strcspn(at, quoted ? "\"" : ";"));
	}
	return NULL;
}
