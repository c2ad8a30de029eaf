/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ps-token.h - cuts a PostScript program into tokens (PostScript Language Reference, 3rd
 * edition, 3.2)
 *
 * Procedures and arrays are no tokens of their own: their braces are. Every byte is
 * looked at once. */
#pragma once
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum {
	PS_END,
	PS_NUMBER,
	PS_STRING, /* bytes in Tokens.string */
	PS_NAME, /* executable */
	PS_LITERAL, /* "/name" */
	PS_OPEN, /* { */
	PS_CLOSE,
	PS_ARRAY, /* [ */
	PS_ARRAY_END,
	PS_COMMENT, /* one that begins with %%, %! or %D; without its signs and the line's end */
	PS_OTHER,
} PsKind;

typedef struct {
	const uint8_t *at, *end;
	GString *string;
	const char *text; /* of a name or comment; not NUL-terminated */
	size_t length;
	double number;
} Tokens;

PsKind ps_next(Tokens *tokens);
/* Is the name or comment this? */
bool ps_is(const Tokens *tokens, const char *name);
/* Goes behind the next line that begins with this. False: there is none, and all is passed over. */
bool ps_skip_to(Tokens *tokens, const char *line);
