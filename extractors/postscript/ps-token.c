/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/postscript/ps-token.h"
#include <string.h>

enum { MAX_STRING = 65535, NUMBER_BYTES = 32 };

static bool ps_is_space(uint8_t byte)
{
	return byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t' || byte == '\f' ||
	       byte == '\0';
}

static bool ends_name(uint8_t byte)
{
	return ps_is_space(byte) || strchr("()<>[]{}/%", byte);
}

bool ps_is(const Tokens *tokens, const char *name)
{
	return strlen(name) == tokens->length && memcmp(tokens->text, name, tokens->length) == 0;
}

static void ps_add(Tokens *tokens, uint8_t byte)
{
	if (tokens->string->len < MAX_STRING)
		g_string_append_c(tokens->string, byte);
}

static void read_escape(Tokens *tokens)
{
	static const char letters[] = "nrtbf", meanings[] = "\n\r\t\b\f";
	if (tokens->at >= tokens->end)
		return;
	uint8_t byte = *tokens->at++;
	const char *letter = byte ? strchr(letters, byte) : NULL;
	if (byte >= '0' && byte <= '7') {
		unsigned value = byte - '0';
		for (int i = 0; i < 2 && tokens->at < tokens->end && *tokens->at >= '0' &&
		                *tokens->at <= '7';
		        i++)
			value = value * 8 + (*tokens->at++ - '0');
		ps_add(tokens, value);
	} else if (byte == '\r' || byte == '\n') {
		if (byte == '\r' && tokens->at < tokens->end && *tokens->at == '\n')
			tokens->at++;
	} else {
		ps_add(tokens, letter ? (uint8_t)meanings[letter - letters] : byte);
	}
}

static PsKind ps_read_string(Tokens *tokens)
{
	unsigned depth = 1;
	g_string_truncate(tokens->string, 0);
	while (tokens->at < tokens->end) {
		uint8_t byte = *tokens->at++;
		if (byte == '\\') {
			read_escape(tokens);
			continue;
		}
		depth += byte == '(';
		if (byte == ')' && --depth == 0)
			return PS_STRING;
		ps_add(tokens, byte);
	}
	return PS_END;
}

static PsKind ps_read_hex(Tokens *tokens)
{
	int high = -1;
	g_string_truncate(tokens->string, 0);
	while (tokens->at < tokens->end && *tokens->at != '>') {
		int digit = g_ascii_xdigit_value(*tokens->at++);
		if (digit < 0)
			continue;
		if (high >= 0)
			ps_add(tokens, high << 4 | digit);
		high = high >= 0 ? -1 : digit;
	}
	if (high >= 0)
		ps_add(tokens, high << 4);
	tokens->at += tokens->at < tokens->end;
	return PS_STRING;
}

static PsKind read_angle(Tokens *tokens)
{
	uint8_t next = tokens->at < tokens->end ? *tokens->at : 0;
	if (next != '<' && next != '~')
		return ps_read_hex(tokens);
	const uint8_t *end = NULL;
	if (next == '~' && !tokens->endless) {
		end = memmem(tokens->at, tokens->end - tokens->at, "~>", 2);
		tokens->endless = !end;
	}
	tokens->at = end ? end + 2 : tokens->at + 1;
	return PS_OTHER;
}

static PsKind ps_read_comment(Tokens *tokens)
{
	const uint8_t *begin = tokens->at;
	while (tokens->at < tokens->end && *tokens->at != '\n' && *tokens->at != '\r')
		tokens->at++;
	if (begin == tokens->at || !strchr("%!D", *begin)) /* D: a comment of dvips */
		return PS_OTHER;
	tokens->text = (const char *)begin + 1;
	tokens->length = tokens->at - begin - 1;
	return PS_COMMENT;
}

static bool ps_is_number(Tokens *tokens)
{
	char text[NUMBER_BYTES], *end;
	if (tokens->length == 0 || tokens->length >= NUMBER_BYTES ||
	        !(g_ascii_isdigit(*tokens->text) || strchr("+-.", *tokens->text)))
		return false;
	memcpy(text, tokens->text, tokens->length);
	text[tokens->length] = '\0';
	tokens->number = g_ascii_strtod(text, &end);
	return *end == '\0' && end > text;
}

static PsKind ps_read_name(Tokens *tokens, bool literal)
{
	tokens->text = (const char *)tokens->at;
	while (tokens->at < tokens->end && !ends_name(*tokens->at))
		tokens->at++;
	tokens->length = (const char *)tokens->at - tokens->text;
	if (literal)
		return PS_LITERAL;
	return ps_is_number(tokens) ? PS_NUMBER : PS_NAME;
}

PsKind ps_next(Tokens *tokens)
{
	while (tokens->at < tokens->end && ps_is_space(*tokens->at))
		tokens->at++;
	if (tokens->at >= tokens->end)
		return PS_END;
	switch (*tokens->at) {
	case '(':
		tokens->at++;
		return ps_read_string(tokens);
	case '<':
		tokens->at++;
		return read_angle(tokens);
	case '%':
		tokens->at++;
		return ps_read_comment(tokens);
	case '{':
		tokens->at++;
		return PS_OPEN;
	case '}':
		tokens->at++;
		return PS_CLOSE;
	case '/':
		tokens->at++;
		return ps_read_name(tokens, true);
	case '[':
		tokens->at++;
		return PS_ARRAY;
	case ']':
		tokens->at++;
		return PS_ARRAY_END;
	case '>':
	case ')':
		tokens->at++;
		return PS_OTHER;
	default:
		return ps_read_name(tokens, false);
	}
}

bool ps_skip_to(Tokens *tokens, const char *line)
{
	size_t length = strlen(line);
	while (tokens->at < tokens->end) {
		const uint8_t *found = memmem(tokens->at, tokens->end - tokens->at, line, length);
		if (!found)
			break;
		bool begins = found[-1] == '\n' || found[-1] == '\r';
		tokens->at = found + length;
		if (begins)
			return true;
	}
	tokens->at = tokens->end;
	return false;
}
