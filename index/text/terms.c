/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/text/terms.h"
#include "index/text/real-title.h"
#include "index/text/encoded.h"
#include "index/text/tokenizer.h"
#include "index/text/word-signs.h"
#include "common/base/doctype.h"
#include <string.h>
#include <sys/random.h>
#include <xxhash.h>

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

/* A document is read in pieces: its stretches of text, its facts and its name as a member. */
typedef struct {
	const Document *doc;
	TermsFunc function;
	void *data;
	uint32_t left; /* words until the pass pauses */
	guint next; /* the piece to read, and where its rest begins */
	size_t from;
	const char *text; /* of the piece */
	size_t length, encoded_end; /* encoded_end: of the last encoded data in it */
	bool encoded; /* the last word, and so its parts */
	TextColumn column;
	RealTitle title;
	bool code;
	int start, end; /* position of the last term */
} Pass;

static bool pass_is_encoded(Pass *pass, size_t at, size_t length)
{
	if (at < pass->encoded_end)
		return true;
	if (length < ENCODED_MIN_WORD || pass->next >= pass->doc->runs->len)
		return false;
	pass->encoded_end = encoded_end(pass->text, pass->length, at);
	return at < pass->encoded_end;
}

static void pass_word(Pass *pass, const char *term, int length, int start, int end)
{
	pass->left--;
	pass->encoded = pass_is_encoded(pass, pass->from + start, end - start);
	pass->function(pass->data, pass->column, term, length,
	        pass->encoded ? TERM_IS_ENCODED : TERM_IS_WORD);
}

/* In prose only words with signs, or hyphens, are searched by other words than themselves; in code
 * identifiers are searched by their parts, and a hyphen is a minus. */
static bool pass_wants_part(const Pass *pass, const char *term, int length, bool hyphened)
{
	if (hyphened)
		return !pass->code;
	return pass->code || pass->column != COLUMN_BODY || word_is_signed(term, length);
}

/* Pauses before a word, never between a word and its parts. */
static int pass_term(void *data, const char *term, int length, int start, int end)
{
	Pass *pass = data;
	bool part = start == pass->start, hyphened = part && end != pass->end;
	if (!part && pass->left == 0) {
		pass->from += start;
		return 1;
	}
	if (!part) {
		pass->start = start;
		pass->end = end;
		pass_word(pass, term, length, start, end);
	} else if (!pass->encoded && pass_wants_part(pass, term, length, hyphened)) {
		pass->function(pass->data, pass->column, term, length, TERM_IS_PART);
	}
	return 0;
}

/* Returns false if the pass paused. */
static bool pass_piece(Pass *pass, const char *text, size_t length)
{
	pass->start = pass->end = -1;
	pass->text = text;
	pass->length = length;
	return tokenize(text + pass->from, length - pass->from, pass_term, pass) == 0;
}

static void pass_go_on(Pass *pass, guint next)
{
	pass->next = next;
	pass->from = pass->encoded_end = 0;
}

static TextColumn column_of_tag(uint8_t tag)
{
	if (tag >= TAG_HEADING1 && tag <= TAG_HEADING6)
		return COLUMN_HEADING;
	return tag == TAG_NOISE ? COLUMN_NOISE : COLUMN_BODY;
}

/* Runs are contiguous, so runs that belong together are one stretch of the text. */
static bool pass_text(Pass *pass)
{
	const Document *doc = pass->doc;
	const DocRun *runs = (const DocRun *)doc->runs->data;
	while (pass->next < doc->runs->len) {
		guint first = pass->next, next = first + 1;
		pass->column = column_of_tag(runs[first].tag);
		while (next < doc->runs->len && !(runs[next].flags & DOC_RUN_BLOCK) &&
		        column_of_tag(runs[next].tag) == pass->column)
			next++;
		size_t end = runs[next - 1].offset + (size_t)runs[next - 1].length;
		if (!pass_piece(
		            pass, doc->text->str + runs[first].offset, end - runs[first].offset))
			return false;
		pass_go_on(pass, next);
	}
	return true;
}

static TextColumn column_of_fact(const Document *doc, const DocFact *fact)
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
	        [FIELD_THREAD] = COLUMN_NOISE,
	};
	bool no_title = fact->field == FIELD_TITLE && title_says_nothing(fact->value, doc->mime);
	return no_title ? COLUMN_COMMENT : columns[fact->field];
}

static bool pass_facts(Pass *pass)
{
	const Document *doc = pass->doc;
	const guint n_runs = doc->runs->len;
	for (; pass->next < n_runs + doc->facts->len; pass_go_on(pass, pass->next + 1)) {
		const DocFact *fact = &g_array_index(doc->facts, DocFact, pass->next - n_runs);
		pass->column = column_of_fact(doc, fact);
		if (pass->column != COLUMN_BODY && /* facts that are not words: dates, counts */
		        !pass_piece(pass, fact->value, strlen(fact->value)))
			return false;
	}
	return true;
}

/* A title that is not a fact. */
static bool pass_title(Pass *pass)
{
	const guint at = pass->doc->runs->len + pass->doc->facts->len;
	pass->column = COLUMN_TITLE;
	if (pass->next > at || pass->title.length == 0 || pass->title.whole_fact)
		return true;
	if (!pass_piece(pass, pass->title.text, pass->title.length))
		return false;
	pass_go_on(pass, at + 1);
	return true;
}

static bool pass_member(Pass *pass)
{
	pass->column = COLUMN_MEMBER;
	return !pass->doc->member || pass_piece(pass, pass->doc->member, strlen(pass->doc->member));
}

static bool is_code(const Document *doc)
{
	return doc->mime && strcmp(doctype_of(doc->mime), "code") == 0;
}

static Pass pass_open(const Document *doc, TermsFunc function, void *data)
{
	return (Pass){.doc = doc,
	        .function = function,
	        .data = data,
	        .title = real_title_of(doc),
	        .code = is_code(doc)};
}

/* Returns false if the pass paused after that many words. */
static bool pass_continue(Pass *pass, uint32_t words)
{
	pass->left = words;
	return pass_text(pass) && pass_facts(pass) && pass_title(pass) && pass_member(pass);
}

void terms_each(const Document *doc, TermsFunc function, void *data)
{
	Pass pass = pass_open(doc, function, data);
	pass_continue(&pass, UINT32_MAX);
}

/* ---- streams */

enum { SEEN_BITS = 1 << 20, BUDGET_BITS = 1 << 24 };

struct TermBudget {
	uint32_t different; /* bits set in seen, one for each hash of a word */
	uint8_t seen[BUDGET_BITS / 8];
};

struct TermsWork {
	Pass pass;
	Terms *terms;
	FingerprintState *state;
	uint32_t of_noise, of_facts; /* words so far */
	uint32_t ranks; /* different words of the text so far */
	bool left_out; /* the last word, and so its parts */
	bool known; /* the last word occurred before */
	uint8_t *seen; /* a bit for each hash of a term; NULL: nobody asks for slices */
	uint32_t different; /* bits set in seen */
};

/* The same for the life of the process, so that nobody can write words that share a slice. */
static uint64_t terms_hash(const char *term, int length)
{
	static gsize seed;
	if (g_once_init_enter(&seed)) {
		uint64_t bits = 0;
		if (getrandom(&bits, sizeof bits, 0) != sizeof bits)
			bits = (uint64_t)g_random_int() << 32 | g_random_int();
		g_once_init_leave(&seed, bits | 1);
	}
	return XXH3_64bits_withSeed(term, length, seed);
}

/* Sets the bit. Returns whether it was clear. */
static bool terms_set_bit(uint8_t *bits, uint32_t bit)
{
	uint8_t *byte = &bits[bit / 8], mask = 1 << bit % 8;
	bool clear = !(*byte & mask);
	*byte |= mask;
	return clear;
}

TermBudget *terms_budget_new(void)
{
	return g_new0(TermBudget, 1);
}

static bool terms_budget_allows(TermBudget *budget, const char *term, int length)
{
	uint32_t bit = terms_hash(term, length) % BUDGET_BITS;
	if (budget->different >= TERMS_MOST_OF_CONTAINER)
		return budget->seen[bit / 8] & 1 << bit % 8;
	budget->different += terms_set_bit(budget->seen, bit);
	return true;
}

static void terms_note_seen(TermsWork *work, const char *term, int length)
{
	if (!work->seen)
		return;
	work->different += terms_set_bit(work->seen, terms_hash(term, length) % SEEN_BITS);
}

/* The next different word of the text has the next rank. */
static void terms_note_rank(TermsWork *work, uint32_t rank)
{
	work->known = rank < work->ranks;
	work->ranks += rank == work->ranks;
	work->left_out = rank >= TERMS_MOST_DIFFERENT;
}

/* Decides about a word. Its parts follow it. */
static void terms_count(TermsWork *work, TextColumn column, const char *term, int length)
{
	uint32_t rank = fingerprint_add(work->state, column, term, length);
	work->known = false;
	if (column == COLUMN_BODY || column == COLUMN_HEADING)
		terms_note_rank(work, rank);
	else if (column == COLUMN_NOISE)
		work->left_out = work->of_noise++ >= TERMS_MOST_DIFFERENT;
	else
		work->left_out = work->of_facts++ >= TERMS_MOST_OF_FACTS;
	if (!work->left_out && work->terms->budget && column != COLUMN_MEMBER)
		work->left_out = !terms_budget_allows(work->terms->budget, term, length);
	work->terms->left_out += work->left_out;
}

static void terms_append(Terms *terms, TextColumn column, const char *term, int length, bool part)
{
	uint8_t size = part ? length | TERM_PART : length;
	terms->tokens[column] += !part;
	g_byte_array_append(terms->columns[column], &size, 1);
	g_byte_array_append(terms->columns[column], (const uint8_t *)term, length);
}

static void terms_collect(
        void *data, TextColumn column, const char *term, int length, TermKind kind)
{
	TermsWork *work = data;
	if (kind == TERM_IS_ENCODED) {
		fingerprint_add_encoded(work->state, column, term, length);
		return;
	}
	if (kind == TERM_IS_WORD)
		terms_count(work, column, term, length);
	if (work->left_out)
		return;
	if (work->terms->count && !work->known)
		word_count_add(work->terms->count, terms_hash(term, length));
	terms_note_seen(work, term, length);
	terms_append(work->terms, column, term, length, kind == TERM_IS_PART);
}

void terms_init(Terms *terms)
{
	*terms = (Terms){0};
	for (int i = 0; i < N_COLUMNS; i++)
		terms->columns[i] = g_byte_array_new();
}

void terms_clear(Terms *terms)
{
	for (int i = 0; i < N_COLUMNS; i++)
		g_clear_pointer(&terms->columns[i], g_byte_array_unref);
}

static void terms_empty(Terms *terms)
{
	terms->left_out = 0;
	for (int i = 0; i < N_COLUMNS; i++) {
		terms->tokens[i] = 0;
		g_byte_array_set_size(terms->columns[i], 0);
	}
}

static void terms_open(TermsWork *work, Terms *terms, const Document *doc, const ChecksumKey *key)
{
	*work = (TermsWork){.pass = pass_open(doc, terms_collect, work),
	        .terms = terms,
	        .state = fingerprint_begin(key)};
	terms_empty(terms);
}

TermsWork *terms_begin(Terms *terms, const Document *doc, const ChecksumKey *key)
{
	TermsWork *work = g_new(TermsWork, 1);
	terms_open(work, terms, doc, key);
	work->seen = g_malloc0(SEEN_BITS / 8);
	return work;
}

bool terms_continue(TermsWork *work, uint32_t words)
{
	return !pass_continue(&work->pass, words);
}

void terms_end(TermsWork *work, Fingerprint *fingerprint, unsigned *slices_r)
{
	fingerprint_end(work->state, fingerprint);
	*slices_r = 1 + work->different / TERMS_OF_SLICE;
	g_free(work->seen);
	g_free(work);
}

void terms_of_document(
        Terms *terms, const Document *doc, const ChecksumKey *key, Fingerprint *fingerprint)
{
	TermsWork work;
	terms_open(&work, terms, doc, key);
	pass_continue(&work.pass, UINT32_MAX);
	fingerprint_end(work.state, fingerprint);
}

/* ---- slices */

static void terms_slice_column(
        const Terms *all, TextColumn column, unsigned slice, unsigned n, Terms *out)
{
	const uint8_t *s = all->columns[column]->data, *end = s + all->columns[column]->len;
	for (int size; s < end; s += 1 + size) {
		bool part = *s & TERM_PART;
		const char *term = (const char *)s + 1;
		size = *s & ~TERM_PART;
		if (terms_hash(term, size) % n == slice)
			terms_append(out, column, term, size, part);
		else if (!part)
			terms_append(out, column, TERMS_FILLER, 1, false);
	}
}

void terms_slice(const Terms *all, unsigned slice, unsigned n, Terms *out)
{
	terms_empty(out);
	for (int i = 0; i < N_COLUMNS; i++)
		terms_slice_column(all, i, slice, n, out);
}

static bool terms_column_with_signs(const Terms *all, TextColumn column, Terms *out)
{
	const uint8_t *s = all->columns[column]->data, *end = s + all->columns[column]->len;
	guint needed = 0;
	uint32_t tokens = 0;
	for (int size; s < end; s += 1 + size) {
		bool part = *s & TERM_PART;
		const char *term = (const char *)s + 1;
		size = *s & ~TERM_PART;
		if (!part)
			terms_append(out, column, TERMS_FILLER, 1, false);
		if (!part || !word_is_signed(term, size))
			continue;
		terms_append(out, column, term, size, true);
		needed = out->columns[column]->len;
		tokens = out->tokens[column];
	}
	g_byte_array_set_size(out->columns[column], needed);
	out->tokens[column] = tokens;
	return needed > 0;
}

bool terms_with_signs(const Terms *all, Terms *out)
{
	bool any = false;
	terms_empty(out);
	for (int i = 0; i < N_COLUMNS; i++)
		any |= terms_column_with_signs(all, i, out);
	return any;
}

void terms_unslice(const Terms *slice, Terms *out)
{
	terms_empty(out);
	for (int i = 0; i < N_COLUMNS; i++) {
		uint32_t tokens = slice->tokens[i];
		const uint8_t stream[] = {
		        0, tokens, tokens >> 8, tokens >> 16, tokens >> 24, 1, *TERMS_FILLER};
		if (tokens > 0)
			g_byte_array_append(out->columns[i], stream, sizeof stream);
	}
}
