/* SPDX-License-Identifier: GPL-3.0-or-later */
/* html-token.h - cuts HTML into texts and tags, in linear time whatever the input
 *
 * The tokenization of the HTML standard (section 13.2.5) without its tree: every byte is looked at
 * a bounded number of times, nothing is nested, nothing is allocated. Input is UTF-8; spans point
 * into it. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

typedef struct {
	const char *text;
	size_t length;
} Span;

typedef enum { TOKEN_END, TOKEN_TEXT, TOKEN_RAW, TOKEN_OPEN, TOKEN_CLOSE } TokenKind;

enum { TOKEN_MAX_NAME = 16, TOKEN_MAX_ATTRIBUTES = 32 };

typedef struct {
	Span name, value; /* as written: value without its quotes, entities not resolved */
} Attribute;

typedef struct {
	TokenKind kind;
	Span text; /* TEXT: with entities; RAW: to be taken literally (a CDATA section, text of
	              <script>) */
	char name[TOKEN_MAX_NAME]; /* OPEN, CLOSE: lower case, namespace prefix left out; longer
	                              names are cut */
	bool closed; /* <br/> */
	unsigned n_attributes; /* what is beyond the maximum is left out */
	Attribute attributes[TOKEN_MAX_ATTRIBUTES];
} Token;

typedef struct {
	const char *at, *end;
	bool no_title_end; /* the same of titles */
	char raw[TOKEN_MAX_NAME]; /* the element whose text runs to its end tag, or "" */
	bool no_comment_end; /* a comment without end was met: there is none further on */
	bool doctype; /* a document type was met */
} Tokenizer;

void token_init(Tokenizer *tokenizer, const char *text, size_t length);
/* False at the end. Comments, declarations and processing instructions are passed over. */
bool token_next(Tokenizer *tokenizer, Token *token);
/* After an OPEN: everything up to the end tag of this name is one TOKEN_RAW. */
void token_raw(Tokenizer *tokenizer, const char *name);
/* Value of an attribute by its lower-case name; text NULL: not there. */
Span token_attribute(const Token *token, const char *name);
bool span_is(Span span, const char *text); /* without regard to ASCII case */
