/* SPDX-License-Identifier: GPL-3.0-or-later */
/* snippet.c - chooses passages, cuts them and marks the words */
#include <config.h>
#include "index/search/snippet.h"
#include "index/search/passages.h"
#include "index/search/sections.h"
#include <string.h>

#define ELLIPSIS "\xe2\x80\xa6"

void snippet_free(Snippet *snippet)
{
	if (!snippet)
		return;
	g_free(snippet->text);
	g_free(snippet->heading);
	g_array_unref(snippet->marks);
	g_free(snippet);
}

/* Text with block boundaries: a document or one field. */
typedef struct {
	const char *text;
	size_t length;
	const GArray *runs; /* of DocRun; NULL: the text is one block */
} Source;

/* ---- cutting */

typedef struct {
	uint32_t from, to;
	bool begins, ends; /* the text is not cut there */
} Cut;

static bool is_block_start(const Source *source, uint32_t at)
{
	if (at == 0 || !source->runs)
		return at == 0;
	guint low = 0, high = source->runs->len;
	while (low < high) {
		guint middle = (low + high) / 2;
		if (g_array_index(source->runs, DocRun, middle).offset < at)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == source->runs->len)
		return false;
	const DocRun *run = &g_array_index(source->runs, DocRun, low);
	return run->offset == at && (run->flags & DOC_RUN_BLOCK);
}

static bool is_space_at(const Source *source, uint32_t at)
{
	return g_unichar_isspace(g_utf8_get_char(source->text + at));
}

/* A sentence begins after a full stop and a blank. */
static bool is_sentence_start(const Source *source, uint32_t at)
{
	return at >= 2 && g_ascii_isspace(source->text[at - 1]) && !is_space_at(source, at) &&
	       strchr(".!?", source->text[at - 2]) != NULL;
}

static uint32_t step_back(const Source *source, uint32_t at)
{
	return g_utf8_prev_char(source->text + at) - source->text;
}

static uint32_t step_on(const Source *source, uint32_t at)
{
	return g_utf8_next_char(source->text + at) - source->text;
}

/* Moves back from the first match by at most max characters: to the start of the block, else of a
 * sentence, else of a word. */
static void cut_before(const Source *source, unsigned max, Cut *cut)
{
	uint32_t at = cut->from, word = at, sentence = 0;
	bool has_sentence = false;
	for (unsigned i = 0; !(cut->begins = is_block_start(source, at)) && i < max && at > 0;
	        i++) {
		if (is_sentence_start(source, at)) {
			sentence = at;
			has_sentence = true;
		}
		uint32_t before = step_back(source, at);
		if (is_space_at(source, before) && !is_space_at(source, at))
			word = at;
		at = before;
	}
	if (cut->begins)
		cut->from = at;
	else if (has_sentence)
		cut->from = sentence;
	else
		cut->from = word < cut->from ? word : at;
	cut->begins |= has_sentence;
}

/* Moves on from the last match up to max characters in all: to the end of the block if it is near,
 * else of a sentence, else of the last whole word. */
static void cut_after(const Source *source, unsigned max, Cut *cut)
{
	uint32_t at = cut->to, word = at, sentence = 0;
	unsigned used = g_utf8_strlen(source->text + cut->from, cut->to - cut->from);
	for (; used < max && at < source->length; used++) {
		uint32_t next = step_on(source, at);
		if (is_space_at(source, at)) {
			word = at;
			if (used * 2 > max && strchr(".!?", source->text[at - 1]))
				sentence = at;
		}
		at = next;
		if (at < source->length && is_block_start(source, at) && used * 2 > max)
			break;
	}
	cut->ends = at >= source->length || is_block_start(source, at);
	if (cut->ends)
		cut->to = at;
	else
		cut->to = sentence > cut->to ? sentence : word > cut->to ? word : at;
	cut->ends |= cut->to == sentence;
}

/* ---- output */

typedef struct {
	GString *out;
	GArray *marks;
	bool blank; /* a blank is due before the next character */
	bool marked;
	uint32_t mark_end; /* offset in the source */
} Output;

static void mark_begin(Output *o)
{
	uint32_t at = o->out->len;
	g_array_append_val(o->marks, at);
	o->marked = true;
}

static void mark_finish(Output *o)
{
	uint32_t at = o->out->len;
	g_array_append_val(o->marks, at);
	o->marked = false;
}

static void put_character(Output *o, const char *at, size_t length)
{
	if (o->blank && o->out->len > 0)
		g_string_append_c(o->out, ' ');
	o->blank = false;
	g_string_append_len(o->out, at, length);
}

/* Appends the text with white space folded and without controls and invisible formatting. Adjacent
 * and overlapping matches become one mark. */
static void snippet_put_text(const Source *source, const GArray *matches, const Passage *passage,
        const Cut *cut, Output *o)
{
	guint next = passage->first;
	while (next > 0 && g_array_index(matches, WordMatch, next - 1).start >= cut->from)
		next--;
	for (uint32_t at = cut->from; at < cut->to;) {
		uint32_t after = step_on(source, at);
		gunichar c = g_utf8_get_char(source->text + at);
		bool hidden = g_unichar_iscntrl(c) || g_unichar_type(c) == G_UNICODE_FORMAT;
		if (o->marked && at >= o->mark_end)
			mark_finish(o);
		if (at > cut->from && is_block_start(source, at))
			o->blank = true;
		for (; next < matches->len && g_array_index(matches, WordMatch, next).start <= at;
		        next++) {
			uint32_t end = g_array_index(matches, WordMatch, next).end;
			if (!o->marked && end > at) {
				put_character(o, "", 0);
				mark_begin(o);
				o->mark_end = end;
			} else if (o->marked) {
				o->mark_end = MAX(o->mark_end, end);
			}
		}
		if (g_unichar_isspace(c))
			o->blank = true;
		else if (!hidden)
			put_character(o, source->text + at, after - at);
		at = after;
	}
	if (o->marked)
		mark_finish(o);
}

static const char *field_of_tag(uint8_t tag)
{
	if (tag >= TAG_HEADING1 && tag <= TAG_HEADING6)
		return "heading";
	return tag == TAG_NOISE ? "noise" : "body";
}

static Snippet *cut_snippet(
        const Source *source, const GArray *matches, const Passage *passage, unsigned max_chars)
{
	Cut cut = {passage->from, passage->to, false, false};
	Snippet *snippet = g_new0(Snippet, 1);
	Output o = {
	        .out = g_string_new(NULL), .marks = g_array_new(FALSE, FALSE, sizeof(uint32_t))};
	unsigned used = g_utf8_strlen(source->text + cut.from, cut.to - cut.from);

	cut_before(source, used < max_chars ? (max_chars - used) / 2 : 0, &cut);
	cut_after(source, max_chars, &cut);
	if (!cut.begins)
		g_string_append(o.out, ELLIPSIS);
	snippet_put_text(source, matches, passage, &cut, &o);
	if (!cut.ends)
		g_string_append(o.out, ELLIPSIS);
	snippet->tag = g_array_index(matches, WordMatch, passage->first).tag;
	snippet->field = field_of_tag(snippet->tag);
	snippet->text = g_string_free(o.out, FALSE);
	snippet->marks = o.marks;
	return snippet;
}

static void set_page(Snippet *snippet, const Document *doc, uint32_t at)
{
	const DocBreak *page = section_page(doc, at);
	if (!page)
		return;
	snippet->page = page->number;
	snippet->break_kind = page->kind;
}

/* Only plain text except Markdown, and JSON, keep the line ends of the file. */
static void set_line(Snippet *snippet, const Document *doc, uint32_t at)
{
	bool plain = g_strcmp0(doc->extractor, "text") == 0 &&
	             g_strcmp0(doc->mime, "text/markdown") != 0;
	if (!plain && g_strcmp0(doc->mime, "application/json") != 0)
		return;
	snippet->line = 1;
	for (const char *c = doc->text->str, *end = c + at; (c = memchr(c, '\n', end - c)); c++)
		snippet->line++;
}

Snippet *snippet_of_passage(
        const Document *doc, const Passages *passages, const Passage *passage, unsigned max_chars)
{
	Source source = {doc->text->str, doc->text->len, doc->runs};
	Snippet *snippet = cut_snippet(&source, passages_matches(passages), passage, max_chars);
	set_page(snippet, doc, passage->from);
	set_line(snippet, doc, passage->from);
	snippet->heading = section_path(doc, passages_sections(passages), passage->section);
	return snippet;
}

static bool snippet_overlaps(const GArray *taken, const Passage *passage)
{
	for (guint i = 0; i < taken->len; i++) {
		const Passage *other = &g_array_index(taken, Passage, i);
		if (passage->from < other->to && other->from < passage->to)
			return true;
	}
	return false;
}

/* The best passage that is not near one that is shown, since it would repeat its text; NULL: there
 * is none. */
static const Passage *best_passage(const GArray *scored, const GArray *taken)
{
	const Passage *best = NULL;
	for (guint i = 0; i < scored->len; i++) {
		const Passage *passage = &g_array_index(scored, Passage, i);
		if ((!best || passage->score > best->score) && !snippet_overlaps(taken, passage))
			best = passage;
	}
	return best;
}

static void add_from_text(const Document *doc, const WordFinder *finder, unsigned n,
        unsigned max_chars, GPtrArray *snippets)
{
	g_autoptr(Passages) passages = passages_new(doc, finder);
	g_autoptr(GArray) taken = g_array_new(FALSE, FALSE, sizeof(Passage));
	PassageCounts counts = {0};
	passages_count(passages, &counts);
	g_autoptr(GArray) scored = passages_score(passages, &counts, max_chars);

	while (snippets->len < n) {
		const Passage *passage = best_passage(scored, taken);
		if (!passage)
			return;
		g_ptr_array_add(snippets, snippet_of_passage(doc, passages, passage, max_chars));
		Passage wide = {.from = passage->from > max_chars ? passage->from - max_chars : 0,
		        .to = passage->to + max_chars};
		g_array_append_val(taken, wide);
	}
}

/* The first stretch of a field with the most distinct words. */
static Passage best_of_field(const GArray *matches, unsigned max_bytes)
{
	Passage best = {0};
	unsigned most = 0;
	for (guint i = 0; i < matches->len; i++) {
		const WordMatch *first = &g_array_index(matches, WordMatch, i), *match = first;
		Passage passage = {0, i, i, first->start, first->end, 0};
		uint64_t terms = 0;
		unsigned distinct = 0;
		do {
			distinct += !(terms >> match->term & 1);
			terms |= UINT64_C(1) << match->term;
			passage.to = MAX(passage.to, match->end);
			match = &g_array_index(matches, WordMatch, ++passage.end);
		} while (passage.end < matches->len && passage.end < i + QUERY_MAX_TERMS &&
		         match->end <= first->start + max_bytes);
		if (distinct > most)
			best = passage;
		most = MAX(most, distinct);
	}
	return best;
}

static void add_from_fields(const Document *doc, const WordFinder *finder, unsigned n,
        unsigned max_chars, GPtrArray *snippets)
{
	static const DocField fields[] = {FIELD_TITLE, FIELD_AUTHOR, FIELD_TO, FIELD_CC,
	        FIELD_KEYWORD, FIELD_COMMENT, FIELD_MESSAGE_ID};
	for (guint i = 0; i < doc->facts->len && snippets->len < n; i++) {
		const DocFact *fact = &g_array_index(doc->facts, DocFact, i);
		bool words = false;
		for (size_t k = 0; k < G_N_ELEMENTS(fields); k++)
			words |= fields[k] == fact->field;
		if (!words)
			continue;
		Source source = {fact->value, strlen(fact->value), NULL};
		g_autoptr(GArray) matches = word_finder_field(finder, fact->field, fact->value);
		if (matches->len == 0)
			continue;
		word_matches_sort(matches);
		Passage passage = best_of_field(matches, max_chars);
		Snippet *snippet = cut_snippet(&source, matches, &passage, max_chars);
		snippet->tag = TAG_BODY;
		snippet->field = document_field_name(fact->field);
		g_ptr_array_add(snippets, snippet);
	}
}

GPtrArray *snippet_make(const Document *doc, const Query *query, unsigned n, unsigned max_chars)
{
	GPtrArray *snippets = g_ptr_array_new_with_free_func((GDestroyNotify)snippet_free);
	g_autoptr(WordFinder) finder = word_finder_new(query, document_fact(doc, FIELD_LANGUAGE));
	add_from_text(doc, finder, n, max_chars, snippets);
	if (snippets->len == 0)
		add_from_fields(doc, finder, n, max_chars, snippets);
	return snippets;
}
