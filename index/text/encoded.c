/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/text/encoded.h"
#include <glib.h>
#include <string.h>

enum {
	WINDOW = 256, /* characters on each side that decide about a run */
	CHANGES = 3, /* every third character, or more */
};

typedef enum { NO_PART, SMALL, CAPITAL, DIGIT, SIGN } CharacterKind;

static CharacterKind encoded_kind(char c)
{
	return g_ascii_islower(c)                ? SMALL
	       : g_ascii_isupper(c)              ? CAPITAL
	       : g_ascii_isdigit(c)              ? DIGIT
	       : c != '\0' && strchr("+/=-_", c) ? SIGN
	                                         : NO_PART;
}

static size_t encoded_begin(const char *text, size_t word)
{
	size_t start = word;
	while (start > 0 && word - start < WINDOW && encoded_kind(text[start - 1]) != NO_PART)
		start--;
	return start;
}

/* Returns the end of the run; *changes_r: how often the kind of its characters changes. */
static size_t encoded_read(const char *text, size_t end, size_t at, size_t *changes_r)
{
	*changes_r = 0;
	for (CharacterKind before = NO_PART, kind; at < end; at++, before = kind) {
		kind = encoded_kind(text[at]);
		if (kind == NO_PART)
			break;
		*changes_r += before != NO_PART && kind != before;
	}
	return at;
}

size_t encoded_end(const char *text, size_t length, size_t word)
{
	size_t changes, start = encoded_begin(text, word);
	size_t end = encoded_read(text, MIN(length, word + WINDOW), start, &changes);
	if (end - start < ENCODED_MIN_RUN || changes * CHANGES < end - start)
		return 0;
	return encoded_read(text, length, end, &changes);
}
