/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ps-token.h - splits a PostScript program into tokens (PostScript Language Reference, 3rd edition,
 * 3.2)
 *
 * The braces of procedures and arrays are tokens, not the procedures and arrays themselves. Every
 * byte is read once. */
#pragma once
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum {
	PS_END,
	PS_NUMBER,
	PS_STRING, /* its bytes are in Tokens.string */
	PS_NAME, /* an executable name */
	PS_LITERAL, /* "/name" */
	PS_OPEN, /* { */
	PS_CLOSE,
	PS_ARRAY, /* [ */
	PS_ARRAY_END,
	PS_COMMENT, /* a comment that begins with %%, %! or %D, without these signs and the line
	               end */
	PS_OTHER,
} PsKind;

typedef struct {
	const uint8_t *at, *end;
	GString *string;
	const char *text; /* text of a name or comment, not NUL-terminated */
	size_t length;
	double number;
	bool endless; /* no string in base 85 ends in the rest */
} Tokens;

PsKind ps_next(Tokens *tokens);
/* Is the name or comment equal to this one? */
bool ps_is(const Tokens *tokens, const char *name);
/* Skips to the end of the next line that begins with this. False: there is none, and everything is
 * skipped. */
bool ps_skip_to(Tokens *tokens, const char *line);
