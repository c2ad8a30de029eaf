/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/text/markdown.h"
#include "extractors/shared/keywords.h"
#include <string.h>

enum { FRONT_BYTES = 16 << 10, TARGET_BYTES = 2000 };

static size_t markdown_line_length(const char *at, const char *end)
{
	const char *newline = at < end ? memchr(at, '\n', end - at) : NULL;
	return newline ? (size_t)(newline - at) : (size_t)(end - at);
}

static bool is_rule(const char *line, size_t length)
{
	while (length > 0 && g_ascii_isspace(line[length - 1]))
		length--;
	return length == 3 && (memcmp(line, "---", 3) == 0 || memcmp(line, "...", 3) == 0);
}

/* Without white space and quotes around it. */
static void send_fact(Sink *sink, DocField field, const char *value, size_t length, bool *titled_r)
{
	while (length > 0 && (g_ascii_isspace(*value) || strchr("\"'[", *value))) {
		value++;
		length--;
	}
	while (length > 0 &&
	        (g_ascii_isspace(value[length - 1]) || strchr("\"']", value[length - 1])))
		length--;
	if (length == 0)
		return;
	g_autofree char *text = g_strndup(value, length);
	*titled_r = *titled_r || field == FIELD_TITLE;
	if (field == FIELD_KEYWORD)
		send_keywords(sink, text);
	else
		sink_field(sink, field, text, -1);
}

static void take_pair(Sink *sink, const char *line, size_t length, bool *titled_r)
{
	static const struct {
		const char *name;
		DocField field;
	} names[] = {{"title:", FIELD_TITLE}, {"author:", FIELD_AUTHOR}, {"lang:", FIELD_LANGUAGE},
	        {"description:", FIELD_COMMENT}, {"summary:", FIELD_COMMENT},
	        {"keywords:", FIELD_KEYWORD}, {"tags:", FIELD_KEYWORD}};
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		size_t n = strlen(names[i].name);
		if (length > n && g_ascii_strncasecmp(line, names[i].name, n) == 0)
			send_fact(sink, names[i].field, line + n, length - n, titled_r);
	}
}

/* A pair on the first line, and a rule behind them all. */
static size_t yaml_length(const char *text, const char *end)
{
	size_t length = markdown_line_length(text, end);
	if (!is_rule(text, length) || *text != '-')
		return 0;
	const char *at = MIN(text + length + 1, end);
	if (!memchr(at, ':', markdown_line_length(at, end)))
		return 0;
	while (at < end && at - text < FRONT_BYTES) {
		length = markdown_line_length(at, end);
		if (is_rule(at, length))
			return MIN(at + length + 1, end) - text;
		at = MIN(at + length + 1, end);
	}
	return 0;
}

static size_t percent_lines(Sink *sink, const char *text, const char *end, bool *titled_r)
{
	static const DocField fields[] = {FIELD_TITLE, FIELD_AUTHOR};
	const char *at = text;
	for (unsigned i = 0; i < 3 && end - at > 1 && at[0] == '%' && at[1] == ' '; i++) {
		size_t length = markdown_line_length(at, end);
		if (i < G_N_ELEMENTS(fields))
			send_fact(sink, fields[i], at + 1, length - 1, titled_r);
		at = MIN(at + length + 1, end);
	}
	return at - text;
}

size_t markdown_front(Sink *sink, const char *text, size_t length, bool *titled_r)
{
	const char *end = text + length;
	size_t front = yaml_length(text, end);
	if (front == 0)
		return percent_lines(sink, text, end, titled_r);
	for (const char *at = text; at < text + front;) {
		size_t n = markdown_line_length(at, end);
		take_pair(sink, at, n, titled_r);
		at += n + 1;
	}
	return front;
}

/* The signs that begin or end a fence, three at least; 0: none. */
static size_t fence_signs(const char *line, size_t length, char *sign_r)
{
	size_t blanks = 0, signs = 0;
	while (blanks < length && blanks < 4 && line[blanks] == ' ')
		blanks++;
	*sign_r = blanks < length ? line[blanks] : 0;
	if (*sign_r != '`' && *sign_r != '~')
		return 0;
	while (blanks + signs < length && line[blanks + signs] == *sign_r)
		signs++;
	return signs >= 3 ? signs : 0;
}

size_t markdown_fence(const char *text, size_t length)
{
	const char *end = text + length, *at = text;
	char sign, other;
	size_t n = markdown_line_length(at, end), signs = fence_signs(at, n, &sign);
	if (signs == 0)
		return 0;
	for (at = MIN(at + n + 1, end); at < end; at = MIN(at + n + 1, end)) {
		n = markdown_line_length(at, end);
		if (fence_signs(at, n, &other) >= signs && other == sign)
			return MIN(at + n + 1, end) - text;
	}
	return 0;
}

/* Behind the bracket that closes the target; NULL: it is none. */
static const char *markdown_target_end(const char *at, const char *end)
{
	unsigned depth = 0;
	end = MIN(end, at + TARGET_BYTES);
	for (; at < end && *at != '\n'; at++) {
		depth += *at == '(';
		if (*at == ')' && --depth == 0)
			return at + 1;
	}
	return NULL;
}

void markdown_plain(const char *text, size_t length, GString *out, GString *aside)
{
	const char *end = text + length, *from = text;
	bool open = false;
	for (const char *at = text; at < end; at++) {
		open = open || *at == '[';
		bool begins = open && *at == ']' && at + 1 < end && at[1] == '(';
		const char *behind = begins ? markdown_target_end(at + 1, end) : NULL;
		if (!behind)
			continue;
		g_string_append_len(out, from, at + 1 - from);
		g_string_append_len(aside, at + 2, behind - at - 3);
		g_string_append_c(aside, '\n');
		from = behind;
		at = behind - 1;
	}
	g_string_append_len(out, from, end - from);
}
