/* SPDX-License-Identifier: GPL-3.0-or-later */
/* asciidoc.c - AsciiDoc (https://docs.asciidoctor.org/asciidoc/latest/): titles, document
 * attributes, code blocks, texts of links; their addresses are noise */
#include <config.h>
#include "extractors/markup/markup.h"
#include "common/base/text.h"
#include <string.h>

enum { LINK_BYTES = 2000 };

typedef struct {
	Markup *m;
	bool in_head; /* before the first empty line */
	const char *fence; /* the line that ends the open code block, in the text; NULL: none */
	size_t fence_length;
} AsciidocReader;

/* The character that makes up the whole line, at least four times; 0: another line. */
static char asciidoc_sign_of(const char *line, size_t length)
{
	size_t i = 0;
	while (length > 0 && g_ascii_isspace(line[length - 1]))
		length--;
	while (i < length && line[i] == line[0])
		i++;
	return length >= 4 && i == length && strchr("=-~^+./_*", line[0]) ? line[0] : 0;
}

static bool take_attribute(AsciidocReader *r, const char *line, size_t length)
{
	static const struct {
		const char *name;
		DocField field;
	} names[] = {{":author:", FIELD_AUTHOR}, {":keywords:", FIELD_KEYWORD},
	        {":description:", FIELD_COMMENT}, {":lang:", FIELD_LANGUAGE},
	        {":doctitle:", FIELD_TITLE}, {":title:", FIELD_TITLE}};
	const char *end = length > 2 && *line == ':' ? memchr(line + 1, ':', length - 1) : NULL;
	if (!end || memchr(line, ' ', end - line))
		return false;
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		size_t n = strlen(names[i].name);
		if (length > n && g_ascii_strncasecmp(line, names[i].name, n) == 0) {
			markup_fact(r->m, names[i].field, line + n, length - n);
			return true;
		}
	}
	markup_flush(r->m, TAG_NOISE);
	markup_add(r->m, line, length);
	markup_flush(r->m, TAG_BODY);
	return true;
}

/* Returns the text of a line as its words are seen. The caller frees it. */
static GString *asciidoc_joined(const char *line, size_t length)
{
	static const char *const signs[] = {"**", "__", "##", "``"};
	static const char *const tight[] = {"++", "~", "^"};
	GString *text = g_string_new_len(line, length);
	for (size_t i = 0; i < G_N_ELEMENTS(signs); i++)
		markup_join_word(text, signs[i], signs[i], true);
	for (size_t i = 0; i < G_N_ELEMENTS(tight); i++)
		markup_join_word(text, tight[i], tight[i], false);
	return text;
}

static void asciidoc_put_heading(Markup *m, unsigned level, const char *line, size_t length)
{
	g_autoptr(GString) text = asciidoc_joined(line, length);
	markup_heading(m, level, text->str, text->len);
}

/* "== Title"; the line below the document title names the author. */
static bool asciidoc_take_title(AsciidocReader *r, const char *line, size_t length)
{
	size_t level = 0;
	while (level < length && line[level] == *line)
		level++;
	if (length == 0 || !strchr("=#", *line) || level > 6 || level + 1 >= length ||
	        line[level] != ' ')
		return false;
	const char *next;
	bool first = !r->m->titled;
	asciidoc_put_heading(r->m, level, line + level + 1, length - level - 1);
	size_t n = markup_peek(r->m, &next);
	if (first && level == 1 && n > 0 && g_unichar_isalpha(g_utf8_get_char(next)))
		markup_fact(r->m, FIELD_AUTHOR, next, n);
	return true;
}

/* A title with an underline of about the same length. */
static bool take_underlined(AsciidocReader *r, const char *line, size_t length)
{
	static const char signs[] = "=-~^+";
	const char *below;
	size_t n = markup_peek(r->m, &below);
	char sign = n > 0 ? asciidoc_sign_of(below, n) : 0;
	const char *level = sign ? strchr(signs, sign) : NULL;
	glong letters = g_utf8_strlen(line, length);
	if (!level || !g_unichar_isalnum(g_utf8_get_char(line)) || ABS((glong)n - letters) > 3)
		return false;
	markup_line(r->m, &below, &n);
	asciidoc_put_heading(r->m, level - signs + 1, line, length);
	return true;
}

static bool asciidoc_take_fence(AsciidocReader *r, const char *line, size_t length)
{
	char sign = asciidoc_sign_of(line, length);
	if (r->fence) {
		if (length != r->fence_length || memcmp(line, r->fence, length) != 0)
			return false;
		r->fence = NULL;
		markup_flush(r->m, TAG_BODY);
		return true;
	}
	if (!sign || !strchr("-./+", sign))
		return sign != 0; /* delimiters of other blocks */
	r->fence = line;
	r->fence_length = length;
	markup_flush(r->m, sign == '/' ? TAG_NOISE : TAG_CODE);
	return true;
}

/* "https://example.org/x[" or "link:file[": returns where the link text begins; NULL: no link. */
static const char *asciidoc_text_of_link(const char *at, const char *end)
{
	static const char *const schemes[] = {
	        "http://", "https://", "ftp://", "link:", "mailto:", "xref:", "image:", "irc://"};
	for (size_t i = 0; i < G_N_ELEMENTS(schemes); i++) {
		size_t n = strlen(schemes[i]);
		if ((size_t)(end - at) <= n || strncmp(at, schemes[i], n) != 0)
			continue;
		end = MIN(end, at + LINK_BYTES);
		for (at += n; at < end && !g_ascii_isspace(*at); at++)
			if (*at == '[')
				return at + 1 == end || at[1] == ']' ? NULL : at + 1;
		return NULL;
	}
	return NULL;
}

/* "footnote:[" or "footnote:name[", right behind a word: returns where the note begins; NULL: no
 * note. */
static const char *text_of_note(const char *at, const char *end)
{
	static const char macro[] = "footnote:";
	size_t n = sizeof macro - 1;
	if ((size_t)(end - at) <= n || memcmp(at, macro, n) != 0)
		return NULL;
	for (at += n; at < end && (g_ascii_isalnum(*at) || *at == '-' || *at == '_');)
		at++;
	return at < end && *at == '[' ? at + 1 : NULL;
}

/* "{cpp}": appends the characters. Returns the length; 0: an attribute of the author. */
static size_t asciidoc_add_character(GString *out, const char *at, const char *end)
{
	static const struct {
		const char *name, *text;
	} names[] = {{"{amp}", "&"}, {"{apos}", "'"}, {"{asterisk}", "*"}, {"{cpp}", "C++"},
	        {"{empty}", ""}, {"{gt}", ">"}, {"{lt}", "<"}, {"{nbsp}", " "}, {"{plus}", "+"},
	        {"{sp}", " "}, {"{tilde}", "~"}, {"{wj}", ""}};
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		size_t n = strlen(names[i].name);
		if ((size_t)(end - at) < n || memcmp(at, names[i].name, n) != 0)
			continue;
		g_string_append(out, names[i].text);
		return n;
	}
	return 0;
}

static void asciidoc_add_text(Markup *m, const char *original, size_t n)
{
	bool literal = n > 0 && g_ascii_isspace(*original);
	g_autoptr(GString) joined = literal ? NULL : asciidoc_joined(original, n);
	const char *line = literal ? original : joined->str;
	size_t length = literal ? n : joined->len;
	bool in_link = false;
	for (const char *at = line, *end = line + length; at < end;) {
		bool begins = at == line || !g_ascii_isalnum(at[-1]);
		const char *text = begins ? asciidoc_text_of_link(at, end) : NULL;
		const char *note = text_of_note(at, end);
		size_t character =
		        *at == '{' && !literal ? asciidoc_add_character(m->block, at, end) : 0;
		if (text)
			markup_address(m, at, text - 1 - at);
		if (character > 0) {
			at += character;
		} else if (in_link && *at == ']') {
			in_link = false;
			markup_add(m, at,
			        !markup_word_before(line, at) || !markup_word_after(at + 1, end));
			at++;
		} else if (text || note) {
			in_link = text != NULL;
			markup_add(m, note ? " [" : "[", note ? 2 : 1);
			at = note ? note : text;
		} else {
			markup_add(m, at++, 1);
		}
	}
	markup_add(m, "\n", 1);
}

/* A comment, or attributes of a block. */
static bool asciidoc_take_comment(AsciidocReader *r, const char *line, size_t length)
{
	bool comment = length > 2 && line[0] == '/' && line[1] == '/';
	if (!comment && !(length > 2 && line[0] == '[' && line[length - 1] == ']'))
		return false;
	markup_flush(r->m, TAG_NOISE);
	markup_add(r->m, line, length);
	markup_flush(r->m, TAG_BODY);
	return true;
}

void asciidoc_read(Markup *m)
{
	AsciidocReader r = {m, true, NULL, 0};
	const char *line;
	size_t length;
	while (markup_line(m, &line, &length)) {
		bool blank = text_is_blank(line, length);
		if (blank && !r.fence) {
			r.in_head = r.in_head && !m->titled;
			markup_flush(m, TAG_BODY);
		} else if (asciidoc_take_fence(&r, line, length) ||
		           (!r.fence && ((r.in_head && take_attribute(&r, line, length)) ||
		                                asciidoc_take_comment(&r, line, length) ||
		                                asciidoc_take_title(&r, line, length) ||
		                                take_underlined(&r, line, length)))) {
			continue;
		} else if (r.fence) {
			markup_add(m, line, length);
			markup_add(m, "\n", 1);
		} else {
			asciidoc_add_text(m, line, length);
		}
	}
}
