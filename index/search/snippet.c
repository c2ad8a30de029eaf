/* SPDX-License-Identifier: GPL-3.0-or-later */
/* snippet.c - chooses passages, cuts them and marks the words */
#include <config.h>
#include "index/search/snippet.h"
#include "index/search/snippet-match.h"
#include <stdlib.h>
#include <string.h>

#define ELLIPSIS "\xe2\x80\xa6"

void snippet_free(Snippet *snippet)
{
	if (!snippet)
		return;
	g_free(snippet->text);
	g_array_unref(snippet->marks);
	g_free(snippet);
}

/* Text with block boundaries: a document or one field. */
typedef struct {
	const char *text;
	size_t length;
	const GArray *runs; /* of DocRun; NULL: the text is one block */
} Source;

/* The matches from first up to, but not including, end. */
typedef struct {
	guint first, end;
	uint32_t from, to; /* bytes */
	double score;
} Window;

static int compare_start(const void *a, const void *b)
{
	const WordMatch *x = a, *y = b;
	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->end < y->end ? -1 : x->end > y->end;
}

/* Distinct words count most, then their closeness. A phrase counts as much as its words. */
static double score_window(const WordMatch *matches, const Window *window, unsigned terms)
{
	bool seen[QUERY_MAX_TERMS] = {false};
	double score = 0, noise = 0;
	for (guint i = window->first; i < window->end; i++) {
		const WordMatch *match = &matches[i];
		if (match->term < MIN(terms, QUERY_MAX_TERMS) && !seen[match->term]) {
			seen[match->term] = true;
			score += 10 + 2 * match->words;
		} else {
			score += 0.5;
		}
		noise += match->tag == TAG_NOISE;
	}
	score -= (window->to - window->from) / 100.0;
	return noise > 0 ? score / 2 : score;
}

static int compare_windows(const void *a, const void *b)
{
	const Window *x = a, *y = b;
	if (x->score != y->score)
		return x->score > y->score ? -1 : 1;
	return x->from < y->from ? -1 : x->from > y->from;
}

/* Returns, for each match, the longest window that begins with it. */
static GArray *all_windows(const GArray *matches, unsigned terms, unsigned max_bytes)
{
	GArray *windows = g_array_new(FALSE, FALSE, sizeof(Window));
	const WordMatch *m = (const WordMatch *)(void *)matches->data;
	for (guint i = 0; i < matches->len; i++) {
		Window window = {i, i + 1, m[i].start, m[i].end, 0};
		while (window.end < matches->len && m[window.end].end <= m[i].start + max_bytes &&
		        window.end - i < 64) {
			window.to = MAX(window.to, m[window.end].end);
			window.end++;
		}
		window.score = score_window(m, &window, terms);
		g_array_append_val(windows, window);
	}
	g_array_sort(windows, compare_windows);
	return windows;
}

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
static void snippet_put_text(const Source *source, const GArray *matches, const Window *window,
        const Cut *cut, Output *o)
{
	guint next = window->first;
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
        const Source *source, const GArray *matches, const Window *window, unsigned max_chars)
{
	Cut cut = {window->from, window->to, false, false};
	Snippet *snippet = g_new0(Snippet, 1);
	Output o = {
	        .out = g_string_new(NULL), .marks = g_array_new(FALSE, FALSE, sizeof(uint32_t))};
	unsigned used = g_utf8_strlen(source->text + cut.from, cut.to - cut.from);

	cut_before(source, used < max_chars ? (max_chars - used) / 2 : 0, &cut);
	cut_after(source, max_chars, &cut);
	if (!cut.begins)
		g_string_append(o.out, ELLIPSIS);
	snippet_put_text(source, matches, window, &cut, &o);
	if (!cut.ends)
		g_string_append(o.out, ELLIPSIS);
	snippet->tag = g_array_index(matches, WordMatch, window->first).tag;
	snippet->field = field_of_tag(snippet->tag);
	snippet->text = g_string_free(o.out, FALSE);
	snippet->marks = o.marks;
	return snippet;
}

/* Finds the last page, slide or sheet that begins at or before the offset. */
static void set_page(Snippet *snippet, const Document *doc, uint32_t at)
{
	guint low = 0, high = doc->breaks->len;
	while (low < high) {
		guint middle = (low + high) / 2;
		if (g_array_index(doc->breaks, DocBreak, middle).offset <= at)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0)
		return;
	const DocBreak *mark = &g_array_index(doc->breaks, DocBreak, low - 1);
	snippet->page = mark->number;
	snippet->break_kind = mark->kind;
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

static bool snippet_overlaps(const GArray *taken, const Window *window)
{
	for (guint i = 0; i < taken->len; i++) {
		const Window *other = &g_array_index(taken, Window, i);
		if (window->from < other->to && other->from < window->to)
			return true;
	}
	return false;
}

/* Skips a window near one that is shown, since it would repeat its text. */
static void add_from_text(const Document *doc, const WordFinder *finder, unsigned n,
        unsigned max_chars, GPtrArray *snippets)
{
	Source source = {doc->text->str, doc->text->len, doc->runs};
	g_autoptr(GArray) matches = word_finder_text(finder, doc);
	g_autoptr(GArray) taken = g_array_new(FALSE, FALSE, sizeof(Window));
	g_array_sort(matches, compare_start);
	g_autoptr(GArray) windows = all_windows(matches, word_finder_term_nodes(finder), max_chars);

	for (guint i = 0; i < windows->len && snippets->len < n; i++) {
		const Window *window = &g_array_index(windows, Window, i);
		if (snippet_overlaps(taken, window))
			continue;
		Snippet *snippet = cut_snippet(&source, matches, window, max_chars);
		set_page(snippet, doc, window->from);
		set_line(snippet, doc, window->from);
		g_ptr_array_add(snippets, snippet);
		Window wide = {.from = window->from > max_chars ? window->from - max_chars : 0,
		        .to = window->to + max_chars};
		g_array_append_val(taken, wide);
	}
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
		g_array_sort(matches, compare_start);
		g_autoptr(GArray) windows =
		        all_windows(matches, word_finder_term_nodes(finder), max_chars);
		if (windows->len == 0)
			continue;
		Snippet *snippet = cut_snippet(
		        &source, matches, &g_array_index(windows, Window, 0), max_chars);
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
