/* SPDX-License-Identifier: GPL-3.0-or-later */
/* json.c - JSON (RFC 8259): strings with their escapes resolved
 *
 * Nothing is parsed, so invalid or truncated JSON is read too. Long ASCII strings without a space
 * are pictures or keys and are left out, and so are Base64 in other strings, the pictures of a
 * notebook (the values of keys such as "image/png") and the colours of its terminal output. */
#include <config.h>
#include "extractors/markup/json.h"
#include "extractors/shared/encoded-text.h"
#include "extractors/shared/terminal-text.h"
#include <string.h>

/* While a string is read, its escaped line ends are those of its text, and those of the file are
 * vertical tabs. */
enum { BLOCK_BYTES = 4000, WORD_BYTES = 256, ESCAPE = 0x1b, FILE_LINE = '\v' };

/* Reads four hexadecimal digits; -1: there are none. */
static int json_hex4(const char *p, const char *end)
{
	int value = 0;
	if (end - p < 4)
		return -1;
	for (int i = 0; i < 4; i++) {
		int digit = g_ascii_xdigit_value(p[i]);
		if (digit < 0)
			return -1;
		value = value << 4 | digit;
	}
	return value;
}

/* "\u00fc", perhaps half of a surrogate pair; p: after the "u". Returns the number of bytes
 * read. */
static size_t add_unicode(GString *out, const char *p, const char *end)
{
	int high = json_hex4(p, end), low = -1;
	size_t taken = 4;
	if (high < 0)
		return 0;
	if (high >= 0xd800 && high < 0xdc00 && end - p >= 10 && p[4] == '\\' && p[5] == 'u')
		low = json_hex4(p + 6, end);
	if (low >= 0xdc00 && low < 0xe000) {
		high = 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
		taken = 10;
	}
	if ((high < 0x20 && high != ESCAPE) || (high >= 0xd800 && high < 0xe000))
		g_string_append_c(out, ' ');
	else
		g_string_append_unichar(out, high);
	return taken;
}

static const char *json_add_escape(GString *out, const char *p, const char *end)
{
	if (p >= end)
		return p;
	switch (*p) {
	case 'u':
		return p + 1 + add_unicode(out, p + 1, end);
	case 'n':
		g_string_append_c(out, '\n');
		return p + 1;
	case 'r':
	case 't':
	case 'b':
	case 'f':
		g_string_append_c(out, ' ');
		return p + 1;
	default:
		g_string_append_c(out, *p);
		return p + 1;
	}
}

const char *json_read_string(GString *out, const char *p, const char *end)
{
	while (p < end && *p != '"') {
		char c = *p++;
		if (c == '\\')
			p = json_add_escape(out, p, end);
		else
			g_string_append_c(out, c == '\n' ? FILE_LINE : c);
	}
	return MIN(p + 1, end);
}

bool json_names_bytes(const GString *key)
{
	static const char *const families[] = {"image/", "audio/", "video/", "application/pdf"};
	for (size_t i = 0; i < G_N_ELEMENTS(families); i++)
		if (g_str_has_prefix(key->str, families[i]) && !strpbrk(key->str, " ;,"))
			return true;
	return false;
}

bool json_next_is(Markup *m, char c)
{
	for (; m->at < m->end && (g_ascii_isspace(*m->at) || *m->at == ','); m->at++)
		if (*m->at == '\n')
			markup_add(m, "\n", 1);
	return m->at < m->end && *m->at == c;
}

/* Is the string that begins here a line of Base64, or markup? */
static bool json_is_encoded(const Markup *m)
{
	enum { WITHOUT_SPACE = 40 };
	const char *text = m->at + 1;
	size_t left = m->end - m->at - 1;
	if (left > 0 && *text == '<')
		return true;
	return left >= WITHOUT_SPACE && !memchr(text, ' ', WITHOUT_SPACE) &&
	       !memchr(text, '"', WITHOUT_SPACE);
}

void json_skip_string(Markup *m)
{
	for (m->at++; m->at < m->end && *m->at != '"'; m->at++) {
		if (*m->at == '\n')
			markup_add(m, "\n", 1);
		m->at += *m->at == '\\' && m->at + 1 < m->end;
	}
	m->at = MIN(m->at + 1, m->end);
}

void json_skip_value(Markup *m)
{
	if (!json_next_is(m, ':'))
		return;
	m->at++;
	bool list = json_next_is(m, '[');
	m->at += list;
	if (!json_next_is(m, '"') || !json_is_encoded(m))
		return;
	do
		json_skip_string(m);
	while (list && json_next_is(m, '"'));
}

/* Removes Base64 from a text in place: in lines of one length, or in a long run. */
static void json_remove_encoded(GString *string)
{
	const char *at = string->str, *end = at + string->len;
	char *put = string->str;
	bool word = true, line = true; /* a word or a line begins here */
	while (at < end) {
		unsigned lines;
		size_t encoded = line ? encoded_length(at, end - at, &lines) : 0;
		if (encoded == 0 && word)
			encoded = encoded_run(at, end - at);
		if (encoded > 0)
			*put++ = ' ';
		at += encoded;
		if (at == end)
			break;
		line = *at == '\n';
		word = !g_ascii_isalnum(*at) && !strchr("+/=", *at);
		*put++ = *at++;
	}
	g_string_truncate(string, put - string->str);
}

/* The lines of the text stay those of the file. */
void json_put_string(Markup *m, GString *string)
{
	string->len = terminal_strip(string->str, string->len);
	json_remove_encoded(string);
	g_strdelimit(string->str, "\n", ' ');
	size_t length = string->len;
	while (length > 0 && string->str[length - 1] == ' ')
		length--;
	if (length > WORD_BYTES && !memchr(string->str, ' ', length) &&
	        g_str_is_ascii(string->str) && !strchr(string->str, FILE_LINE))
		return;
	for (char *c = string->str; (c = strchr(c, FILE_LINE)); c++)
		*c = '\n';
	markup_add(m, string->str, string->len);
	markup_add(m, " ", 1);
	if (m->block->len > BLOCK_BYTES)
		markup_flush(m, TAG_BODY);
}

/* Adds a run without strings: signs, numbers, white space. */
static void json_put_run(Markup *m, GString *string)
{
	size_t n = strcspn(m->at, "\"");
	n = MIN(n, (size_t)(m->end - m->at));
	g_string_set_size(string, 0);
	g_string_append_len(string, m->at, n);
	g_strdelimit(string->str, "{}[],:", ' ');
	markup_add(m, string->str, string->len);
	m->at += n;
}

bool json_is_key(const Markup *m)
{
	const char *at = m->at;
	while (at < m->end && g_ascii_isspace(*at))
		at++;
	return at < m->end && *at == ':';
}

void json_skip_any(Markup *m)
{
	unsigned depth = 0;
	if (!json_next_is(m, ':'))
		return;
	m->at++;
	json_next_is(m, '"');
	while (m->at < m->end) {
		if (*m->at == '"') {
			json_skip_string(m);
		} else if (depth == 0 && strchr(",]}\n", *m->at)) {
			return;
		} else {
			depth += strchr("[{", *m->at) != NULL;
			depth -= strchr("]}", *m->at) != NULL;
			m->at++;
		}
		if (depth == 0)
			return;
	}
}

void json_read(Markup *m)
{
	g_autoptr(GString) string = g_string_new(NULL);
	while (m->at < m->end && !m->full) {
		if (*m->at != '"') {
			json_put_run(m, string);
			continue;
		}
		g_string_set_size(string, 0);
		m->at = json_read_string(string, m->at + 1, m->end);
		json_put_string(m, string);
		if (json_names_bytes(string))
			json_skip_value(m);
	}
}
