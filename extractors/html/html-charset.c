/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/html/html-charset.h"
#include "extractors/html/html-token.h"
#include <glib.h>
#include <string.h>
#include <strings.h>

/* Browsers search 1 KiB; generated pages put much text before the declaration. */
enum { LOOK_AT_BYTES = 16 << 10, MAX_LABEL = 40 };

static char *clean_label(const char *text, size_t length)
{
	size_t used = 0;

	while (length > 0 && strchr("\"' \t\r\n", *text)) {
		text++;
		length--;
	}
	while (used < length && used < MAX_LABEL &&
	        (g_ascii_isalnum(text[used]) || strchr("-_.:", text[used])))
		used++;
	return used > 0 ? g_strndup(text, used) : NULL;
}

/* Returns the value after "name=" in text. */
static char *html_charset_parameter(HtmlSpan text, const char *name)
{
	size_t length = strlen(name);

	for (size_t i = 0; i + length < text.length; i++) {
		if (strncasecmp(text.text + i, name, length) != 0)
			continue;
		size_t at = i + length;
		while (at < text.length && g_ascii_isspace(text.text[at]))
			at++;
		if (at < text.length && text.text[at] == '=')
			return clean_label(text.text + at + 1, text.length - at - 1);
	}
	return NULL;
}

static char *from_meta(const Token *token)
{
	HtmlSpan charset = token_attribute(token, "charset");

	if (charset.text)
		return clean_label(charset.text, charset.length);
	if (!span_is(token_attribute(token, "http-equiv"), "content-type"))
		return NULL;
	HtmlSpan content = token_attribute(token, "content");
	return content.text ? html_charset_parameter(content, "charset") : NULL;
}

static char *find_declaration(const char *text, size_t length)
{
	if (length > 5 && memcmp(text, "<?xml", 5) == 0) {
		const char *end = memchr(text, '>', length);
		char *label = end ? html_charset_parameter((HtmlSpan){text, end - text}, "encoding")
		                  : NULL;
		if (label)
			return label;
	}
	Tokenizer tokenizer;
	Token token;
	token_init(&tokenizer, text, length);
	while (token_next(&tokenizer, &token)) {
		if (token.kind == TOKEN_OPEN && strcmp(token.name, "body") == 0)
			return NULL;
		if (token.kind == TOKEN_OPEN &&
		        (strcmp(token.name, "script") == 0 || strcmp(token.name, "style") == 0 ||
		                strcmp(token.name, "title") == 0))
			token_raw(&tokenizer, token.name);
		char *label = token.kind == TOKEN_OPEN && strcmp(token.name, "meta") == 0
		                      ? from_meta(&token)
		                      : NULL;
		if (label)
			return label;
	}
	return NULL;
}

char *declared_charset(const uint8_t *data, size_t size)
{
	g_autofree char *label = find_declaration((const char *)data, MIN(size, LOOK_AT_BYTES));

	/* the declaration was readable as ASCII, so the page cannot be UTF-16 (HTML standard,
	 * 13.2.3.2) */
	if (label && strncasecmp(label, "utf-16", 6) == 0)
		return g_strdup("utf-8");
	return g_steal_pointer(&label);
}
