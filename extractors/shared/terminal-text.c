/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/shared/terminal-text.h"
#include <stdbool.h>
#include <string.h>

enum { COLOUR = 3, ESCAPE = 0x1b, BELL = 7, MAX_STRING = 4096 };

static bool is_between(const char *at, const char *end, int first, int last)
{
	return at < end && *at >= first && *at <= last;
}

/* Skips the string after "ESC ]", up to a bell or "ESC \\". A string that does not end in its line
 * is none. */
static const char *skip_string(const char *at, const char *end)
{
	const char *from = at;
	for (; at < end && at - from < MAX_STRING && *at != '\n'; at++) {
		if (*at == BELL)
			return at + 1;
		if (*at == ESCAPE && is_between(at + 1, end, '\\', '\\'))
			return at + 2;
	}
	return from;
}

/* Skips the sequence after an escape. */
static const char *skip_sequence(const char *at, const char *end)
{
	if (is_between(at, end, ']', ']'))
		return skip_string(at + 1, end);
	bool control = is_between(at, end, '[', '[');
	at += control;
	while (control && is_between(at, end, '0', '?'))
		at++;
	while (is_between(at, end, ' ', '/'))
		at++;
	return is_between(at, end, control ? '@' : '0', '~') ? at + 1 : at;
}

static const char *skip_digits(const char *at, const char *end)
{
	const char *last = at + 2;
	while (at < last && is_between(at, end, '0', '9'))
		at++;
	return at;
}

/* Skips the numbers of the colours of text and ground. */
static const char *skip_colours(const char *at, const char *end)
{
	const char *after = skip_digits(at, end);
	bool ground = after > at && is_between(after, end, ',', ',') &&
	              is_between(after + 1, end, '0', '9');
	return ground ? skip_digits(after + 1, end) : after;
}

/* Removes the last character, unless its line is empty. */
static char *take_back(char *text, char *put)
{
	if (put == text || put[-1] == '\n')
		return put;
	do
		put--;
	while (put > text && (*put & 0xc0) == 0x80);
	return put;
}

size_t terminal_strip(char *text, size_t length)
{
	const char *end = text + length, *at = text;
	if (!memchr(text, ESCAPE, length) && !memchr(text, '\b', length) &&
	        !memchr(text, COLOUR, length))
		return length;
	char *put = text;
	while (at < end) {
		char c = *at++;
		if (c == ESCAPE)
			at = skip_sequence(at, end);
		else if (c == COLOUR)
			at = skip_colours(at, end);
		else if (c == '\b' && is_between(at, end, '_', '_'))
			at++;
		else if (c == '\b')
			put = take_back(text, put);
		else
			*put++ = c;
	}
	*put = '\0';
	return put - text;
}
