/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/html/html-token.h"
#include "extractors/html/html-element.h"
#include <glib.h>
#include <string.h>
#include <strings.h>

static bool html_is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}

bool span_is(HtmlSpan span, const char *text)
{
	return span.text && strlen(text) == span.length &&
	       strncasecmp(span.text, text, span.length) == 0;
}

void token_init(Tokenizer *tokenizer, const char *text, size_t length)
{
	*tokenizer = (Tokenizer){.at = text, .end = text + length};
}

void token_raw(Tokenizer *tokenizer, const char *name)
{
	g_strlcpy(tokenizer->raw, name, sizeof(tokenizer->raw));
}

static const char *html_find(const char *at, const char *end, char c)
{
	const char *found = at < end ? memchr(at, c, end - at) : NULL;
	return found ? found : end;
}

/* Returns the start of "</name", or end. */
static const char *find_end_tag(const char *at, const char *end, const char *name)
{
	size_t length = strlen(name);

	for (at = html_find(at, end, '<'); at < end; at = html_find(at + 1, end, '<')) {
		if ((size_t)(end - at) < length + 2 || at[1] != '/' ||
		        strncasecmp(at + 2, name, length) != 0)
			continue;
		char next = at + 2 + length < end ? at[2 + length] : '>';
		if (html_is_space(next) || next == '>' || next == '/')
			return at;
	}
	return end;
}

static bool next_raw(Tokenizer *tokenizer, Token *token)
{
	const char *begin = tokenizer->at;

	bool title = strcmp(tokenizer->raw, "title") == 0;
	if (!title || !tokenizer->no_title_end)
		tokenizer->at = find_end_tag(begin, tokenizer->end, tokenizer->raw);
	/* without an end tag, the title would swallow the rest of the page */
	tokenizer->no_title_end |= title && tokenizer->at == tokenizer->end;
	if (title && tokenizer->no_title_end)
		tokenizer->at = html_find(begin, tokenizer->end, '<');
	tokenizer->raw[0] = '\0';
	token->kind = TOKEN_RAW;
	token->text = (HtmlSpan){begin, tokenizer->at - begin};
	return true;
}

static const char *find_text(const char *at, const char *end, const char *text)
{
	return at < end ? memmem(at, end - at, text, strlen(text)) : NULL;
}

/* at: after "<!--". An unterminated comment hides only one tag, not the rest of the document. */
static void html_skip_comment(Tokenizer *tokenizer)
{
	const char *end = NULL;

	if (!tokenizer->no_comment_end)
		end = find_text(tokenizer->at, tokenizer->end, "-->");
	if (end) {
		tokenizer->at = end + 3;
		return;
	}
	tokenizer->no_comment_end = true;
	end = html_find(tokenizer->at, tokenizer->end, '>');
	tokenizer->at = end < tokenizer->end ? end + 1 : end;
}

static bool html_begins(const Tokenizer *tokenizer, const char *text)
{
	size_t length = strlen(text);
	return (size_t)(tokenizer->end - tokenizer->at) >= length &&
	       memcmp(tokenizer->at, text, length) == 0;
}

static void skip_past(Tokenizer *tokenizer, char c)
{
	const char *found = html_find(tokenizer->at, tokenizer->end, c);
	tokenizer->at = found < tokenizer->end ? found + 1 : found;
}

/* An XML document type may contain declarations in brackets; only the first document type is read
 * this way. */
static void skip_doctype(Tokenizer *tokenizer)
{
	const char *end = html_find(tokenizer->at, tokenizer->end, '>');
	const char *bracket = html_find(tokenizer->at, end, '[');

	if (bracket < end && !tokenizer->doctype) {
		const char *close = html_find(bracket, tokenizer->end, ']');
		if (close < tokenizer->end)
			tokenizer->at = close;
	}
	tokenizer->doctype = true;
	skip_past(tokenizer, '>');
}

/* at: at "<!" or "<?". True if this produced a token. */
static bool next_declaration(Tokenizer *tokenizer, Token *token)
{
	if (html_begins(tokenizer, "<!--")) {
		tokenizer->at += 4;
		/* "<!-->" and "<!--->" are complete comments */
		if (html_begins(tokenizer, ">") || html_begins(tokenizer, "->"))
			skip_past(tokenizer, '>');
		else
			html_skip_comment(tokenizer);
		return false;
	}
	if (html_begins(tokenizer, "<![CDATA[")) {
		const char *begin = tokenizer->at + 9;
		const char *end = find_text(begin, tokenizer->end, "]]>");
		token->kind = TOKEN_RAW;
		token->text = (HtmlSpan){begin, (end ? end : tokenizer->end) - begin};
		tokenizer->at = end ? end + 3 : tokenizer->end;
		return true;
	}
	if (tokenizer->end - tokenizer->at > 9 && strncasecmp(tokenizer->at, "<!doctype", 9) == 0)
		skip_doctype(tokenizer);
	else
		skip_past(tokenizer, '>');
	return false;
}

static void html_token_read_name(Tokenizer *tokenizer, Token *token)
{
	size_t used = 0;

	for (; tokenizer->at < tokenizer->end; tokenizer->at++) {
		char c = *tokenizer->at;
		if (html_is_space(c) || c == '>' || c == '/')
			break;
		if (c == ':')
			used = 0;
		else if (used + 1 < sizeof(token->name))
			token->name[used++] = g_ascii_tolower(c);
	}
	token->name[used] = '\0';
}

static HtmlSpan html_read_value(Tokenizer *tokenizer)
{
	const char *at = tokenizer->at, *end = tokenizer->end;

	if (at < end && (*at == '"' || *at == '\'')) {
		const char *close = html_find(at + 1, end, *at);
		tokenizer->at = close < end ? close + 1 : end;
		return (HtmlSpan){at + 1, close - at - 1};
	}
	while (at < end && !html_is_space(*at) && *at != '>')
		at++;
	HtmlSpan value = {tokenizer->at, at - tokenizer->at};
	tokenizer->at = at;
	return value;
}

static void html_skip_space(Tokenizer *tokenizer)
{
	while (tokenizer->at < tokenizer->end && html_is_space(*tokenizer->at))
		tokenizer->at++;
}

/* at: at the first byte of a name. */
static Attribute read_attribute(Tokenizer *tokenizer)
{
	const char *begin = tokenizer->at++;

	while (tokenizer->at < tokenizer->end && !html_is_space(*tokenizer->at) &&
	        !strchr("=>/", *tokenizer->at))
		tokenizer->at++;
	Attribute attribute = {{begin, tokenizer->at - begin}, {"", 0}};
	html_skip_space(tokenizer);
	if (html_begins(tokenizer, "=")) {
		tokenizer->at++;
		html_skip_space(tokenizer);
		attribute.value = html_read_value(tokenizer);
	}
	return attribute;
}

static void read_attributes(Tokenizer *tokenizer, Token *token)
{
	token->n_attributes = 0;
	token->closed = false;
	while (tokenizer->at < tokenizer->end) {
		char c = *tokenizer->at;
		if (c == '>') {
			tokenizer->at++;
			return;
		}
		token->closed = c == '/' || (token->closed && html_is_space(c));
		if (c == '/' || html_is_space(c)) {
			tokenizer->at++;
			continue;
		}
		Attribute attribute = read_attribute(tokenizer);
		if (token->n_attributes < TOKEN_MAX_ATTRIBUTES)
			token->attributes[token->n_attributes++] = attribute;
	}
}

static void read_tag(Tokenizer *tokenizer, Token *token)
{
	tokenizer->at++;
	token->kind = TOKEN_OPEN;
	if (*tokenizer->at == '/') {
		token->kind = TOKEN_CLOSE;
		tokenizer->at++;
	}
	html_token_read_name(tokenizer, token);
	read_attributes(tokenizer, token);
}

static bool is_tag(const Tokenizer *tokenizer)
{
	const char *at = tokenizer->at + 1;

	if (at < tokenizer->end && *at == '/')
		at++;
	return at < tokenizer->end && g_ascii_isalpha(*at);
}

static bool is_declaration(const Tokenizer *tokenizer)
{
	return html_begins(tokenizer, "<!") || html_begins(tokenizer, "<?") ||
	       html_begins(tokenizer, "</");
}

/* A '<' that begins no tag counts as text. */
static void html_read_text(Tokenizer *tokenizer, Token *token)
{
	const char *begin = tokenizer->at;

	tokenizer->at = html_find(begin + 1, tokenizer->end, '<');
	token->kind = TOKEN_TEXT;
	token->text = (HtmlSpan){begin, tokenizer->at - begin};
}

/* ---- words side by side */

static bool token_is(const Token *token, const char *const *names)
{
	return g_strv_contains(names, token->name);
}

/* Does the content of an element of MathML have more than one character? */
static bool mathml_is_wide(const Tokenizer *tokenizer)
{
	const char *end = html_find(tokenizer->at, tokenizer->end, '<'), *at = tokenizer->at;
	const char *entity = at < end && *at == '&' ? html_find(at, end, ';') : NULL;
	if (at >= end)
		return false;
	return entity ? entity + 1 < end : g_utf8_next_char(at) < end;
}

/* Does the tag separate words of SVG or MathML? */
static bool ends_foreign_word(Tokenizer *tokenizer, const Token *token)
{
	static const char *const always[] = {
	        "title", "desc", "text", "annotation", "annotation-xml", "mtd", NULL};
	static const char *const names[] = {"mi", "mn", "mtext", NULL};
	bool open = token->kind == TOKEN_OPEN;
	if (!tokenizer->foreign)
		return false;
	if (token_is(token, names)) {
		bool wide = tokenizer->wide;
		tokenizer->wide = open && mathml_is_wide(tokenizer);
		return open ? tokenizer->wide : wide;
	}
	if (strcmp(token->name, "tspan") == 0)
		return open &&
		       (token_attribute(token, "x").text || token_attribute(token, "y").text);
	return token_is(token, always);
}

static bool begins_other_link(const Tokenizer *tokenizer, const Token *token)
{
	return token->kind == TOKEN_OPEN && !tokenizer->pre && *tokenizer->link_end &&
	       strcmp(tokenizer->link_end, token->name) == 0 &&
	       (*token->name == 'l' || token_attribute(token, "href").text);
}

static void note_tag(Tokenizer *tokenizer, const Token *token)
{
	static const char *const links[] = {"a", "label", NULL};
	static const char *const foreign[] = {"svg", "math", NULL};
	bool open = token->kind == TOKEN_OPEN, link = token_is(token, links);
	if (link)
		g_strlcpy(tokenizer->link_end, !open && tokenizer->link_text ? token->name : "",
		        sizeof tokenizer->link_end);
	if (link)
		tokenizer->link_text = false;
	if (token_is(token, foreign))
		tokenizer->foreign = open && !token->closed;
	if (strcmp(token->name, "pre") == 0)
		tokenizer->pre = open;
	tokenizer->word &= strcmp(token->name, "br") != 0;
}

static void read_separating_tag(Tokenizer *tokenizer, Token *token)
{
	const char *begin = tokenizer->at;
	read_tag(tokenizer, token);
	bool other_link = begins_other_link(tokenizer, token);
	bool separates = ends_foreign_word(tokenizer, token) || other_link;
	if (!separates || !tokenizer->word) {
		note_tag(tokenizer, token);
		return;
	}
	if (other_link)
		tokenizer->at = begin; /* it is the next token */
	tokenizer->word = token->closed = false;
	token->kind = TOKEN_OPEN;
	token->n_attributes = 0;
	g_strlcpy(token->name, "br", sizeof token->name);
}

static void note_text(Tokenizer *tokenizer, HtmlSpan text)
{
	tokenizer->word = text.length > 0 && !html_is_space(text.text[text.length - 1]);
	tokenizer->link_text |= tokenizer->word;
	tokenizer->link_end[0] = '\0';
}

static bool token_next_in_place(Tokenizer *tokenizer, Token *token)
{
	if (tokenizer->raw[0])
		return next_raw(tokenizer, token);
	while (tokenizer->at < tokenizer->end) {
		if (*tokenizer->at == '<' && is_tag(tokenizer)) {
			read_separating_tag(tokenizer, token);
			return true;
		}
		if (!is_declaration(tokenizer)) {
			html_read_text(tokenizer, token);
			note_text(tokenizer, token->text);
			return true;
		}
		if (next_declaration(tokenizer, token))
			return true;
	}
	token->kind = TOKEN_END;
	return false;
}

/* ---- ruby */

static bool is_tag_token(const Token *token)
{
	return token->kind == TOKEN_OPEN || token->kind == TOKEN_CLOSE;
}

static bool ends_block(const Token *token)
{
	if (!is_tag_token(token))
		return token->kind == TOKEN_END;
	switch (element_find(token->name)->kind) {
	case ELEMENT_BLOCK:
	case ELEMENT_PARAGRAPH:
	case ELEMENT_HEADING:
	case ELEMENT_PRE:
	case ELEMENT_CELL:
	case ELEMENT_CAPTION:
	case ELEMENT_ARTICLE:
	case ELEMENT_HEADER:
	case ELEMENT_FOOTER:
	case ELEMENT_NOISE:
		return true;
	default:
		return false;
	}
}

static void make_block_token(Token *token)
{
	token->kind = TOKEN_CLOSE;
	token->n_attributes = 0;
	g_strlcpy(token->name, "optgroup", sizeof token->name);
}

/* Reads the block once more, for its readings. */
static void ruby_begin_readings(Tokenizer *tokenizer, const char *block_end)
{
	tokenizer->block_end = block_end;
	tokenizer->text_end = tokenizer->end;
	tokenizer->end = block_end;
	tokenizer->at = tokenizer->ruby;
	tokenizer->ruby = NULL;
	tokenizer->ruby_part = RUBY_BASE;
}

static void ruby_end_readings(Tokenizer *tokenizer, Token *token)
{
	tokenizer->at = tokenizer->block_end;
	tokenizer->end = tokenizer->text_end;
	tokenizer->block_end = tokenizer->text_end = NULL;
	tokenizer->ruby_part = RUBY_BASE;
	tokenizer->word = false;
	make_block_token(token);
}

/* Follows the parts of <ruby>; end tags may be missing. */
static void ruby_note_tag(Tokenizer *tokenizer, const Token *token)
{
	static const char *const readings[] = {"rt", "rtc", NULL};
	static const char *const others[] = {"ruby", "rb", "rbc", NULL};
	bool open = token->kind == TOKEN_OPEN;
	if (token_is(token, readings))
		tokenizer->ruby_part = open ? RUBY_READING : RUBY_BASE;
	else if (strcmp(token->name, "rp") == 0)
		tokenizer->ruby_part = open ? RUBY_OTHER : RUBY_BASE;
	else if (token_is(token, others))
		tokenizer->ruby_part = RUBY_BASE;
}

/* begin: where the token begins. False: it has no place here. */
static bool ruby_takes(Tokenizer *tokenizer, Token *token, const char *begin)
{
	bool again = tokenizer->block_end != NULL;
	bool ruby = token->kind == TOKEN_OPEN && strcmp(token->name, "ruby") == 0;
	if (ruby && !again && !tokenizer->ruby)
		tokenizer->ruby = begin;
	if (!tokenizer->ruby && !again)
		return true;
	if (is_tag_token(token)) {
		ruby_note_tag(tokenizer, token);
		if (ruby && again)
			make_block_token(token);
		return ruby || !again;
	}
	return tokenizer->ruby_part == (again ? RUBY_READING : RUBY_BASE);
}

bool token_next(Tokenizer *tokenizer, Token *token)
{
	if (tokenizer->plain)
		return token_next_in_place(tokenizer, token);
	for (;;) {
		const char *begin = tokenizer->at;
		bool more = token_next_in_place(tokenizer, token);
		if (!more && tokenizer->block_end) {
			ruby_end_readings(tokenizer, token);
			return true;
		}
		if (tokenizer->ruby && ends_block(token))
			ruby_begin_readings(tokenizer, more ? begin : tokenizer->end);
		else if (!more || ruby_takes(tokenizer, token, begin))
			return more;
	}
}

HtmlSpan token_attribute(const Token *token, const char *name)
{
	for (unsigned i = 0; i < token->n_attributes; i++) {
		if (span_is(token->attributes[i].name, name))
			return token->attributes[i].value;
	}
	return (HtmlSpan){NULL, 0};
}
