/* SPDX-License-Identifier: GPL-3.0-or-later */
/* snippet-match.c - finds all words and phrases in one pass: shift-and (Baeza-Yates, Gonnet: "A new
 * approach to text searching", 1992) with tokens instead of letters and one machine word for each
 * phrase */
#include <config.h>
#include "index/search/snippet-match.h"
#include "index/text/tokenizer.h"
#include <string.h>

enum { MAX_WORDS = 64 }; /* QUERY_MAX_TERMS: bits of a state */

G_STATIC_ASSERT((int)QUERY_MAX_TERMS <= (int)MAX_WORDS);

/* The kinds of text that the index separates: a phrase does not continue from one to the other. */
typedef enum { PART_BODY, PART_HEADING, PART_NOISE, PART_FIELD, N_PARTS } SnippetPart;

/* A word, a phrase, or one of the words of a NEAR group. */
typedef struct {
	const QueryNode *node;
	unsigned first, words; /* of the tokens of the node */
	size_t forms; /* of a pattern, whose only token has so many, ascending; else 0 */
} SnippetTerm;

struct WordFinder {
	GArray *terms; /* SnippetTerm */
	bool first[256]; /* first bytes of all wanted tokens */
	uint32_t languages; /* languages whose forms count */
};

static void note_first(WordFinder *finder, const char *token)
{
	finder->first[(uint8_t)token[0]] = true;
}

/* Notes the first bytes of everything that counts as token i. */
static void note_token(WordFinder *finder, const QueryNode *node, guint i)
{
	note_first(finder, node->tokens[i]);
	for (guint k = 0; node->forms && node->forms[i] && node->forms[i][k]; k++)
		if (query_form_counts(node, i, k, finder->languages))
			note_first(finder, node->forms[i][k]);
}

static void snippet_add_words(WordFinder *finder, const QueryNode *node)
{
	for (guint i = 0, end; node->tokens[i]; i = end) {
		end = query_part_end(node, i);
		bool many = query_may_have_many_forms(node) && node->forms && node->forms[i];
		SnippetTerm term = {node, i, end - i, many ? g_strv_length(node->forms[i]) : 0};
		g_array_append_val(finder->terms, term);
	}
	for (guint i = 0; node->tokens[i]; i++)
		note_token(finder, node, i);
	for (char **form = node->joined_forms; form && *form; form++)
		note_first(finder, *form);
}

static void add_term_nodes(WordFinder *finder, const QueryNode *node)
{
	if (node->op == QUERY_WORDS)
		snippet_add_words(finder, node);
	/* Excluded words are in no hit. */
	for (guint i = 0; node->op != QUERY_NOT && node->children && i < node->children->len; i++)
		add_term_nodes(finder, node->children->pdata[i]);
}

WordFinder *word_finder_new(const Query *query, const char *language)
{
	WordFinder *finder = g_new0(WordFinder, 1);
	finder->languages = query_languages(query, language);
	finder->terms = g_array_new(FALSE, FALSE, sizeof(SnippetTerm));
	add_term_nodes(finder, query->root);
	return finder;
}

void word_finder_free(WordFinder *finder)
{
	if (!finder)
		return;
	g_array_unref(finder->terms);
	g_free(finder);
}

unsigned word_finder_term_nodes(const WordFinder *finder)
{
	return finder->terms->len;
}

typedef struct {
	uint64_t state; /* bit i: the last i + 1 tokens are the first of the phrase */
	uint64_t before; /* the state before the last token: the parts of a compound have its
	                    position */
	uint32_t starts[MAX_WORDS]; /* where the last tokens start: a ring buffer */
	unsigned next;
} SnippetProgress;

typedef struct {
	const WordFinder *finder;
	GArray *matches;
	guint most; /* matches */
	SnippetProgress *progress; /* at term * N_PARTS + part */
	bool open[N_PARTS]; /* a term node may have begun: some progress is not 0 */
	SnippetPart part;
	DocField field;
	const char *stretch; /* text of the current stretch */
	uint32_t base; /* where the stretch begins in the text */
	uint8_t tag;
	int start; /* of the last token in the stretch */
} SnippetPass;

static bool scope_matches(const SnippetPass *pass, QueryScope scope)
{
	static const QueryScope of_field[N_FIELDS] = {[FIELD_TITLE] = SCOPE_TITLE,
	        [FIELD_AUTHOR] = SCOPE_AUTHOR,
	        [FIELD_TO] = SCOPE_TO,
	        [FIELD_CC] = SCOPE_CC,
	        [FIELD_KEYWORD] = SCOPE_KEYWORD,
	        [FIELD_COMMENT] = SCOPE_COMMENT};
	if (scope == SCOPE_ANY)
		return true;
	if (pass->part == PART_FIELD)
		return scope == of_field[pass->field];
	return (scope == SCOPE_BODY && pass->part == PART_BODY) ||
	       (scope == SCOPE_HEADING && pass->part == PART_HEADING);
}

static int snippet_compare(const char *token, int length, const char *form)
{
	int order = strncmp(token, form, length);
	return order == 0 && form[length] != '\0' ? -1 : order;
}

static bool is_listed_form(const SnippetTerm *term, const char *token, int length)
{
	size_t low = 0, high = term->forms;
	while (low < high) {
		size_t middle = (low + high) / 2;
		int order = snippet_compare(token, length, term->node->forms[term->first][middle]);
		if (order == 0)
			return true;
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return false;
}

/* Is the token a form of token i that counts in the language? */
static bool is_form(
        const WordFinder *finder, const QueryNode *node, guint i, const char *token, int length)
{
	char **forms = node->forms ? node->forms[i] : NULL;
	for (guint k = 0; forms && forms[k]; k++)
		if (strncmp(forms[k], token, length) == 0 && forms[k][length] == '\0')
			return query_form_counts(node, i, k, finder->languages);
	return false;
}

static bool same_token(const WordFinder *finder, const SnippetTerm *term, unsigned i,
        const char *token, int length)
{
	const QueryNode *node = term->node;
	const char *wanted = node->tokens[term->first + i];
	size_t size = strlen(wanted);
	bool prefix = node->prefix && !node->tokens[term->first + i + 1];
	if ((prefix ? (size_t)length >= size : (size_t)length == size) &&
	        memcmp(wanted, token, size) == 0)
		return true;
	return term->forms > 0 ? is_listed_form(term, token, length)
	                       : is_form(finder, node, term->first + i, token, length);
}

/* Returns the bits of the positions in the phrase that the token matches. */
static uint64_t positions_of(
        const WordFinder *finder, const SnippetTerm *term, const char *token, int length)
{
	uint64_t positions = 0;
	for (unsigned i = 0; i < term->words; i++)
		if (same_token(finder, term, i, token, length))
			positions |= UINT64_C(1) << i;
	return positions;
}

/* Is the token all words of the phrase? */
static bool is_joined(const SnippetTerm *term, const char *token, int length)
{
	for (char **form = term->node->joined_forms; form && *form; form++)
		if (strncmp(*form, token, length) == 0 && (*form)[length] == '\0')
			return true;
	return false;
}

static void snippet_add_match(SnippetPass *pass, guint index, uint32_t start, uint32_t end)
{
	const SnippetTerm *term = &g_array_index(pass->finder->terms, SnippetTerm, index);
	WordMatch match = {start, end, index, term->words, pass->tag};
	/* A phrase that continues over blocks of another kind would mark all text between. */
	if (match.start < match.end)
		g_array_append_val(pass->matches, match);
}

/* Where the phrase starts whose last word was noted. */
static uint32_t snippet_first(const SnippetTerm *term, const SnippetProgress *progress)
{
	return progress->starts[(progress->next + MAX_WORDS - term->words) % MAX_WORDS];
}

static bool is_prefix_match(const SnippetTerm *term, int length)
{
	const QueryNode *node = term->node;
	guint last = term->first + term->words - 1;
	return node->prefix && !node->tokens[last + 1] &&
	       strlen(node->tokens[last]) < (size_t)length;
}

/* Returns the end of the match. A match of a prefix is marked as a whole word, but of a pair of
 * characters only the first one is marked. */
static int end_of(const SnippetPass *pass, const SnippetTerm *term, int length, int start, int end)
{
	size_t first = is_prefix_match(term, length)
	                       ? tokenize_unspaced(pass->stretch + start, end - start)
	                       : 0;
	return first > 0 ? start + (int)first : end;
}

static int on_token(void *data, const char *token, int length, int start, int end)
{
	SnippetPass *pass = data;
	bool wanted = pass->finder->first[(uint8_t)token[0]];
	bool part = start == pass->start;
	uint64_t open = 0;
	pass->start = start;
	if (!wanted && !pass->open[pass->part])
		return 0;
	for (guint i = 0; i < pass->finder->terms->len; i++) {
		const SnippetTerm *term = &g_array_index(pass->finder->terms, SnippetTerm, i);
		SnippetProgress *progress = &pass->progress[i * N_PARTS + pass->part];
		uint64_t positions = wanted ? positions_of(pass->finder, term, token, length) : 0;
		uint64_t earlier = part ? progress->before : progress->state;
		uint64_t state = (earlier << 1 | 1) & positions;
		bool held = part && progress->state != 0; /* the start is noted */
		progress->before = earlier;
		progress->state = part ? progress->state | state : state;
		open |= progress->before | progress->state;
		if (wanted && is_joined(term, token, length) &&
		        scope_matches(pass, term->node->scope))
			snippet_add_match(pass, i, pass->base + start, pass->base + end);
		if (state == 0)
			continue;
		if (!held) {
			progress->starts[progress->next] = pass->base + start;
			progress->next = (progress->next + 1) % MAX_WORDS;
		}
		if (state >> (term->words - 1) & 1 && scope_matches(pass, term->node->scope))
			snippet_add_match(pass, i, snippet_first(term, progress),
			        pass->base + end_of(pass, term, length, start, end));
	}
	pass->open[pass->part] = open != 0;
	return pass->matches->len >= pass->most;
}

static SnippetPart part_of_tag(uint8_t tag)
{
	if (tag >= TAG_HEADING1 && tag <= TAG_HEADING6)
		return PART_HEADING;
	return tag == TAG_NOISE ? PART_NOISE : PART_BODY;
}

static SnippetPass pass_begin(const WordFinder *finder)
{
	SnippetPass pass = {.finder = finder};
	pass.most = finder->terms->len > 1 ? MATCHES_MAX : MATCHES_MAX_SINGLE;
	pass.matches = g_array_new(FALSE, FALSE, sizeof(WordMatch));
	pass.progress = g_new0(SnippetProgress, MAX(finder->terms->len, 1) * N_PARTS);
	return pass;
}

static GArray *pass_end(SnippetPass *pass)
{
	g_free(pass->progress);
	return pass->matches;
}

GArray *word_finder_text(const WordFinder *finder, const Document *doc)
{
	SnippetPass pass = pass_begin(finder);
	const DocRun *runs = (const DocRun *)(void *)doc->runs->data;
	bool full = finder->terms->len == 0;

	for (guint i = 0; i < doc->runs->len && !full;) {
		guint next = i + 1;
		pass.part = part_of_tag(runs[i].tag);
		pass.tag = runs[i].tag;
		pass.base = runs[i].offset;
		pass.stretch = doc->text->str + pass.base;
		pass.start = -1;
		while (next < doc->runs->len && !(runs[next].flags & DOC_RUN_BLOCK) &&
		        part_of_tag(runs[next].tag) == pass.part)
			next++;
		size_t end = runs[next - 1].offset + (size_t)runs[next - 1].length;
		full = tokenize(pass.stretch, end - pass.base, on_token, &pass) != 0;
		i = next;
	}
	return pass_end(&pass);
}

GArray *word_finder_field(const WordFinder *finder, DocField field, const char *value)
{
	SnippetPass pass = pass_begin(finder);
	pass.part = PART_FIELD;
	pass.field = field;
	pass.stretch = value;
	pass.start = -1;
	if (finder->terms->len > 0)
		tokenize(value, strlen(value), on_token, &pass);
	return pass_end(&pass);
}

static int compare_starts(const void *a, const void *b)
{
	const WordMatch *x = a, *y = b;
	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->end < y->end ? -1 : x->end > y->end;
}

/* Matches come in the order of their ends, so most lists are in order already. */
void word_matches_sort(GArray *matches)
{
	for (guint i = 1; i < matches->len; i++) {
		const WordMatch *match = &g_array_index(matches, WordMatch, i);
		if (compare_starts(match - 1, match) > 0) {
			g_array_sort(matches, compare_starts);
			return;
		}
	}
}
