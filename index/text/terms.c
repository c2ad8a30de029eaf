/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/text/terms.h"
#include "index/text/tokenizer.h"
#include "common/base/doctype.h"
#include <string.h>

enum { TERM_PART = 0x80 };
G_STATIC_ASSERT((int)TOKEN_MAX_BYTES < (int)TERM_PART);

/* Replays a stream for 'delete': every term at one position, then as many tokens as the count
 * lacks. */
static int replay_delete(const uint8_t *s, const uint8_t *end, void *data, TermFunc function)
{
	if (end - s < 5)
		return SQLITE_CORRUPT;
	uint32_t tokens = s[1] | s[2] << 8 | s[3] << 16 | (uint32_t)s[4] << 24;
	const uint8_t *first = s + 5;
	for (const uint8_t *p = first; p < end; p += 1 + *p) {
		if (*p == 0 || *p >= end - p)
			return SQLITE_CORRUPT;
		int result = function(
		        data, p == first ? 0 : FTS5_TOKEN_COLOCATED, (const char *)p + 1, *p, 0, 0);
		if (result != 0)
			return result;
	}
	for (uint32_t i = 1; i < tokens && first < end; i++) {
		int result = function(data, 0, (const char *)first + 1, *first, 0, 0);
		if (result != 0)
			return result;
	}
	return 0;
}

int terms_replay(const char *stream, int length, void *data, TermFunc function)
{
	const uint8_t *s = (const uint8_t *)stream, *end = s + length;
	if (length > 0 && *s == 0)
		return replay_delete(s, end, data, function);
	while (s < end) {
		int size = *s & ~TERM_PART, flags = *s & TERM_PART ? FTS5_TOKEN_COLOCATED : 0;
		if (size == 0 || size >= end - s)
			return SQLITE_CORRUPT;
		int result = function(data, flags, (const char *)s + 1, size, 0, 0);
		if (result != 0)
			return result;
		s += 1 + size;
	}
	return 0;
}

/* ---- from documents */

typedef struct {
	TermsFunc function;
	void *data;
	TextColumn column;
	bool parts; /* parts are indexed in the text too: identifiers are searched by their parts,
	               prose is not */
	int start, end; /* position of the last term */
} Pass;

static int pass_term(void *data, const char *term, int length, int start, int end)
{
	Pass *pass = data;
	bool part = start == pass->start && end == pass->end;
	pass->start = start;
	pass->end = end;
	if (!part || pass->parts || pass->column != COLUMN_BODY)
		pass->function(pass->data, pass->column, term, length, part);
	return 0;
}

static void tokenize_for(Pass *pass, const char *text, size_t length)
{
	pass->start = pass->end = -1;
	tokenize(text, length, pass_term, pass);
}

static TextColumn column_of_tag(uint8_t tag)
{
	if (tag >= TAG_HEADING1 && tag <= TAG_HEADING6)
		return COLUMN_HEADING;
	return tag == TAG_NOISE ? COLUMN_NOISE : COLUMN_BODY;
}

/* Runs are contiguous, so runs that belong together are one stretch of the text. */
static void each_in_text(const Document *doc, Pass *pass)
{
	const DocRun *runs = (const DocRun *)doc->runs->data;
	for (guint i = 0; i < doc->runs->len;) {
		guint next = i + 1;
		pass->column = column_of_tag(runs[i].tag);
		while (next < doc->runs->len && !(runs[next].flags & DOC_RUN_BLOCK) &&
		        column_of_tag(runs[next].tag) == pass->column)
			next++;
		size_t end = runs[next - 1].offset + (size_t)runs[next - 1].length;
		tokenize_for(pass, doc->text->str + runs[i].offset, end - runs[i].offset);
		i = next;
	}
}

static void each_in_facts(const Document *doc, Pass *pass)
{
	static const uint8_t columns[N_FIELDS] = {
	        [FIELD_TITLE] = COLUMN_TITLE,
	        [FIELD_AUTHOR] = COLUMN_AUTHOR,
	        [FIELD_TO] = COLUMN_RECIPIENT,
	        [FIELD_CC] = COLUMN_CC,
	        [FIELD_KEYWORD] = COLUMN_KEYWORD,
	        [FIELD_COMMENT] = COLUMN_COMMENT,
	        [FIELD_MESSAGE_ID] = COLUMN_NOISE, /* found only by a query for this column, and not
	                                              part of the fingerprint */
	};
	for (guint i = 0; i < doc->facts->len; i++) {
		const DocFact *fact = &g_array_index(doc->facts, DocFact, i);
		pass->column = columns[fact->field];
		if (pass->column != COLUMN_BODY) /* facts that are not words: dates, counts */
			tokenize_for(pass, fact->value, strlen(fact->value));
	}
}

static bool is_code(const Document *doc)
{
	return doc->mime && strcmp(doctype_of(doc->mime), "code") == 0;
}

void terms_each(const Document *doc, TermsFunc function, void *data)
{
	Pass pass = {.function = function, .data = data, .parts = is_code(doc)};
	each_in_text(doc, &pass);
	each_in_facts(doc, &pass);
	if (doc->member) {
		pass.column = COLUMN_MEMBER;
		tokenize_for(&pass, doc->member, strlen(doc->member));
	}
}

typedef struct {
	Terms *terms;
	FingerprintState *state;
	uint32_t of_noise, of_facts; /* words so far */
	bool left_out; /* the last word, and so its parts */
} Collect;

/* Decides about a word. Its parts follow it. */
static void terms_count(Collect *collect, TextColumn column, const char *term, int length)
{
	uint32_t rank = fingerprint_add(collect->state, column, term, length);
	if (column == COLUMN_BODY || column == COLUMN_HEADING)
		collect->left_out = rank >= TERMS_MOST_DIFFERENT;
	else if (column == COLUMN_NOISE)
		collect->left_out = collect->of_noise++ >= TERMS_MOST_DIFFERENT;
	else
		collect->left_out = collect->of_facts++ >= TERMS_MOST_OF_FACTS;
	collect->terms->left_out += collect->left_out;
}

static void terms_collect(void *data, TextColumn column, const char *term, int length, bool part)
{
	Collect *collect = data;
	uint8_t size = part ? length | TERM_PART : length;
	if (!part)
		terms_count(collect, column, term, length);
	if (collect->left_out)
		return;
	g_byte_array_append(collect->terms->columns[column], &size, 1);
	g_byte_array_append(collect->terms->columns[column], (const uint8_t *)term, length);
}

void terms_init(Terms *terms)
{
	for (int i = 0; i < N_COLUMNS; i++)
		terms->columns[i] = g_byte_array_new();
}

void terms_clear(Terms *terms)
{
	for (int i = 0; i < N_COLUMNS; i++)
		g_clear_pointer(&terms->columns[i], g_byte_array_unref);
}

void terms_of_document(
        Terms *terms, const Document *doc, const ChecksumKey *key, Fingerprint *fingerprint)
{
	Collect data = {.terms = terms, .state = fingerprint_begin(key)};
	terms->left_out = 0;
	for (int i = 0; i < N_COLUMNS; i++)
		g_byte_array_set_size(terms->columns[i], 0);
	terms_each(doc, terms_collect, &data);
	fingerprint_end(data.state, fingerprint);
}
