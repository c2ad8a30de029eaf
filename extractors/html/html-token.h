/* SPDX-License-Identifier: GPL-3.0-or-later */
/* html-token.h - splits HTML into texts and tags in linear time
 *
 * It follows the tokenization of the HTML standard (section 13.2.5) without building the tree.
 * Every byte is read a bounded number of times, nothing is nested and nothing is allocated. Input
 * is UTF-8; spans point into it.
 *
 * Some elements separate words though their names say nothing to a reader of HTML: texts and titles
 * of SVG, cells and long names of MathML, links and labels side by side. Where one of them follows
 * a word, the token is "<br>".
 *
 * The readings in <ruby> would part a word of the text. They follow the block that they are in,
 * those of each <ruby> as a block of their own, which begins and ends with "</optgroup>". */
#pragma once
#include <stdbool.h>
#include <stddef.h>

typedef struct {
	const char *text;
	size_t length;
} HtmlSpan;

typedef enum { TOKEN_END, TOKEN_TEXT, TOKEN_RAW, TOKEN_OPEN, TOKEN_CLOSE } TokenKind;

enum { TOKEN_MAX_NAME = 16, TOKEN_MAX_ATTRIBUTES = 32 };

typedef struct {
	HtmlSpan name, value; /* raw: the value without quotes, entities not resolved */
} Attribute;

typedef struct {
	TokenKind kind;
	HtmlSpan text; /* TEXT: with entities; RAW: literal (a CDATA section, text of <script>) */
	/* OPEN, CLOSE: lower case, without namespace prefix; longer names are cut */
	char name[TOKEN_MAX_NAME];
	bool closed; /* <br/> */
	unsigned n_attributes; /* attributes beyond the maximum are dropped */
	Attribute attributes[TOKEN_MAX_ATTRIBUTES];
} Token;

typedef struct {
	const char *at, *end;
	bool no_title_end; /* no title has an end tag from here on */
	/* the element whose raw text is next, up to its end tag; "": none */
	char raw[TOKEN_MAX_NAME];
	bool no_comment_end; /* no comment has an end from here on */
	bool doctype; /* a document type was read */
	bool word; /* the text ends with a word, which the next text would continue */
	bool foreign; /* inside SVG or MathML */
	bool pre; /* inside <pre> */
	bool wide; /* the open element of MathML has more than a letter */
	bool link_text; /* the last link or label has text */
	char link_end[TOKEN_MAX_NAME]; /* the link or label that ended right before; "": none */
	bool plain; /* set it to get the tokens of <ruby> where they are */
	const char *ruby; /* the first <ruby> of the block; NULL: none */
	enum { RUBY_BASE, RUBY_READING, RUBY_OTHER } ruby_part;
	/* while the readings are read: where the block ends, and the text; NULL: not now */
	const char *block_end, *text_end;
} Tokenizer;

void token_init(Tokenizer *tokenizer, const char *text, size_t length);
/* False at the end. Comments, declarations and processing instructions are skipped. */
bool token_next(Tokenizer *tokenizer, Token *token);
/* Call it after an OPEN token: everything up to the end tag of this name becomes one TOKEN_RAW. */
void token_raw(Tokenizer *tokenizer, const char *name);
/* Returns the value of an attribute by its lower-case name; text NULL: there is none. */
HtmlSpan token_attribute(const Token *token, const char *name);
bool span_is(HtmlSpan span, const char *text); /* ignores ASCII case */
