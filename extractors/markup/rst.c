/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rst.c - reStructuredText (https://docutils.sourceforge.io/docs/ref/rst/restructuredtext.html):
 * titles by their underlines, the fields at the top */
#include <config.h>
#include "extractors/markup/markup.h"
#include "common/base/text.h"
#include <string.h>

enum { MAX_STYLES = 6 };

typedef struct {
	Markup *m;
	/* underline characters in order of appearance; the index is the level */
	char styles[MAX_STYLES + 1];
	bool in_head; /* fields may still follow */
	bool literal; /* lines that are indented by more than indent are shown as they are */
	size_t indent;
} RstReader;

/* The character that makes up the whole line, at least twice; 0: another line. */
static char rst_sign_of(const char *line, size_t length)
{
	while (length > 0 && g_ascii_isspace(line[length - 1]))
		length--;
	if (length < 2 || !g_ascii_ispunct(line[0]))
		return 0;
	for (size_t i = 1; i < length; i++)
		if (line[i] != line[0])
			return 0;
	return line[0];
}

static unsigned level_of(RstReader *r, char sign)
{
	char *known = strchr(r->styles, sign);
	size_t n = strlen(r->styles);
	if (known)
		return known - r->styles + 1;
	if (n < MAX_STYLES)
		r->styles[n] = sign;
	return MIN(n + 1, MAX_STYLES);
}

/* Is it a line of a literal block? One follows a line that ends with "::", or a directive of code.
 */
static bool rst_take_literal(RstReader *r, const char *line, size_t length)
{
	static const char *const directives[] = {
	        ".. code::", ".. code-block::", ".. sourcecode::", ".. math::", ".. raw::"};
	size_t indent = 0;
	while (indent < length && g_ascii_isspace(line[indent]))
		indent++;
	if (r->literal && indent > r->indent)
		return true;
	while (length > indent && g_ascii_isspace(line[length - 1]))
		length--;
	r->indent = indent;
	r->literal = length >= indent + 2 && memcmp(line + length - 2, "::", 2) == 0;
	for (size_t i = 0; i < G_N_ELEMENTS(directives) && !r->literal; i++)
		r->literal = length - indent > strlen(directives[i]) &&
		             memcmp(line + indent, directives[i], strlen(directives[i])) == 0;
	return false;
}

/* The length of "``text``", in which nothing is markup; 0: there is none. */
static size_t rst_inline_literal(const char *at, const char *end)
{
	const char *close = end - at > 4 && memcmp(at, "``", 2) == 0
	                            ? memmem(at + 3, end - at - 3, "``", 2)
	                            : NULL;
	return close ? close + 2 - at : 0;
}

/* The signs of markup that may begin at at, with a role: "*", ":sub:`". */
static const char *rst_after_signs(const char *at, const char *end)
{
	const char *role = at;
	if (at < end && *at == ':')
		for (role++; role < end && (g_ascii_isalnum(*role) || strchr(":-_.+", *role));)
			role++;
	if (role > at && role < end && *role == '`')
		return role + 1;
	while (at < end && strchr("*`", *at))
		at++;
	return at;
}

/* "re\ *struct*\ ured": an escaped space is not seen, nor are the signs beside it. The caller
 * frees the result. */
static GString *rst_joined(const char *text, size_t length)
{
	GString *out = g_string_sized_new(length);
	for (const char *at = text, *end = text + length; at < end;) {
		size_t literal = *at == '`' ? rst_inline_literal(at, end) : 0;
		if (*at == '\\' && end - at > 1 && g_ascii_isspace(at[1])) {
			while (out->len > 0 && strchr("*`_", out->str[out->len - 1]))
				g_string_truncate(out, out->len - 1);
			at = rst_after_signs(at + 2, end);
		} else {
			g_string_append_len(out, at, MAX(literal, 1));
			at += MAX(literal, 1);
		}
	}
	return out;
}

/* Ends the current block. */
static void rst_flush(RstReader *r, bool literal)
{
	GString *block = r->m->block;
	if (!literal && memchr(block->str, '\\', block->len)) {
		r->m->block = rst_joined(block->str, block->len);
		g_string_free(block, TRUE);
	}
	markup_flush(r->m, TAG_BODY);
}

/* A line of text with an underline of about the same length. */
static bool rst_take_title(RstReader *r, const char *line, size_t length)
{
	const char *below;
	size_t n = markup_peek(r->m, &below);
	char sign = n > 0 ? rst_sign_of(below, n) : 0;
	if (!sign || text_is_blank(line, length) || (glong)n + 1 < g_utf8_strlen(line, length))
		return false;
	markup_line(r->m, &below, &n);
	g_autoptr(GString) text = rst_joined(line, length);
	markup_heading(r->m, level_of(r, sign), text->str, text->len);
	return true;
}

/* ":Author: Somebody". */
static bool take_field(RstReader *r, const char *line, size_t length)
{
	static const struct {
		const char *name;
		DocField field;
	} fields[] = {{":author:", FIELD_AUTHOR}, {":authors:", FIELD_AUTHOR},
	        {":keywords:", FIELD_KEYWORD}, {":abstract:", FIELD_COMMENT},
	        {":description:", FIELD_COMMENT}, {":title:", FIELD_TITLE}};
	if (length == 0 || line[0] != ':')
		return false;
	for (size_t i = 0; i < G_N_ELEMENTS(fields); i++) {
		size_t n = strlen(fields[i].name);
		if (length > n && g_ascii_strncasecmp(line, fields[i].name, n) == 0) {
			markup_fact(r->m, fields[i].field, line + n, length - n);
			return true;
		}
	}
	return false;
}

void rst_read(Markup *m)
{
	RstReader reader = {.m = m, .in_head = true};
	const char *line;
	size_t length;
	bool literal = false; /* the current block is */
	while (markup_line(m, &line, &length)) {
		if (text_is_blank(line, length)) {
			rst_flush(&reader, literal);
			continue;
		}
		bool title = m->block->len == 0 && rst_take_title(&reader, line, length);
		bool field = !title && reader.in_head && take_field(&reader, line, length);
		if (title || field || rst_sign_of(line, length))
			continue;
		reader.in_head = reader.in_head && line[0] == ':';
		literal = rst_take_literal(&reader, line, length);
		markup_add(m, line, length);
		markup_add(m, "\n", 1);
	}
	rst_flush(&reader, literal);
}
