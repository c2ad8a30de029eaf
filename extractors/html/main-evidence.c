/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/html/main-evidence.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
	GRAM = 4, /* words */
	MIN_WORDS = 60, /* a shorter text is a teaser */
	MAX_WORDS = 200000,
};

struct Evidence {
	GHashTable *grams; /* hashes of all runs of GRAM words */
	unsigned words;
};

/* ---- words of JSON strings and of lines */

typedef struct {
	guint hashes[GRAM];
	guint word; /* hash of the open word */
	unsigned length, count;
	bool tag; /* in a tag of HTML or an entity */
} WordGrams;

static guint words_gram(const WordGrams *words)
{
	guint hash = 0;
	for (unsigned i = 0; i < GRAM; i++)
		hash = hash * 1000003 + words->hashes[(words->count + i) % GRAM];
	return hash != 0 ? hash : 1;
}

/* True if the character ended a word. Only the bytes of letters and digits count, so that
 * quotation marks and dashes may differ; signs in UTF-8 (U+2000 to U+2FFF) part words. */
static bool words_add(WordGrams *words, guchar c)
{
	bool letter = g_ascii_isalnum(c) || c >= 0x80;
	if (letter) {
		words->word = words->word * 31 + g_ascii_tolower(c);
		words->length++;
		return false;
	}
	if (words->length == 0)
		return false;
	words->hashes[words->count++ % GRAM] = words->word;
	words->word = words->length = 0;
	return true;
}

/* Replaces what differs between JSON and HTML by spaces: signs of U+2000 to U+2FFF, entities,
 * tags, the no-break space. In place. */
static void plain_words(char *text)
{
	for (guchar *p = (guchar *)text; *p; p++) {
		if (*p == '<' || *p == '&') {
			guchar end = *p == '<' ? '>' : ';';
			unsigned limit = *p == '<' ? 1000 : 10;
			guchar *q = p;
			while (*q && *q != end && limit-- > 0)
				q++;
			if (*q == end)
				memset(p, ' ', q - p + 1);
		} else if (*p == 0xe2 && p[1] && p[2]) {
			memset(p, ' ', 3);
		} else if (*p == 0xc2 && p[1]) {
			memset(p, ' ', 2);
		}
	}
}

/* ---- the declared text */

static unsigned read_unit(const char *digits)
{
	char hex[5] = {digits[0], digits[1], digits[2], digits[3], '\0'};
	return strtoul(hex, NULL, 16);
}

/* Appends the escape at p, after its backslash; returns its last byte. */
static const char *add_escape(GString *out, const char *p, const char *end)
{
	if (*p != 'u' || end - p < 5) {
		g_string_append_c(out, strchr("nrtbf", *p) ? ' ' : *p);
		return p;
	}
	gunichar c = read_unit(p + 1);
	g_string_append_unichar(out, c >= 32 && (c < 0xd800 || c > 0xdfff) ? c : ' ');
	return p + 4;
}

/* The string that begins at p, without escapes. The caller frees it. */
static char *read_string(const char *p, const char *end)
{
	GString *out = g_string_new(NULL);
	for (; p < end && *p != '"'; p++) {
		if (*p == '\\' && p + 1 < end)
			p = add_escape(out, p + 1, end);
		else
			g_string_append_c(out, *p);
	}
	return g_string_free(out, FALSE);
}

static const char *evidence_find_value(const char *script, size_t length)
{
	static const char key[] = "\"articleBody\"";
	const char *end = script + length, *p = memmem(script, length, key, sizeof key - 1);
	if (!p)
		return NULL;
	for (p += sizeof key - 1; p < end && (g_ascii_isspace(*p) || *p == ':'); p++)
		;
	return p < end && *p == '"' ? p + 1 : NULL;
}

Evidence *evidence_read(const char *script, size_t length)
{
	const char *value = evidence_find_value(script, length);
	if (!value)
		return NULL;
	g_autofree char *text = read_string(value, script + length);
	plain_words(text);
	g_autoptr(Evidence) evidence = g_new0(Evidence, 1);
	evidence->grams = g_hash_table_new(NULL, NULL);
	WordGrams words = {0};
	for (const char *p = text; *p && words.count < MAX_WORDS; p++)
		if (words_add(&words, *p) && words.count >= GRAM)
			g_hash_table_add(evidence->grams, GUINT_TO_POINTER(words_gram(&words)));
	evidence->words = words.count;
	return words.count >= MIN_WORDS ? g_steal_pointer(&evidence) : NULL;
}

void evidence_free(Evidence *evidence)
{
	if (!evidence)
		return;
	g_hash_table_unref(evidence->grams);
	g_free(evidence);
}

/* ---- the lines of the page */

typedef enum { LINE_UNKNOWN, LINE_DECLARED, LINE_OTHER } LineKind;

/* A line with too few words cannot be told. */
static LineKind line_kind(const Evidence *evidence, const Node *node)
{
	char line[LINE_BYTES + 1];
	WordGrams words = {0};
	unsigned all = 0, found = 0;
	g_snprintf(line, sizeof line, "%s ", node->line);
	plain_words(line);
	for (const char *p = line; *p; p++) {
		if (!words_add(&words, *p) || words.count < GRAM)
			continue;
		all++;
		found += g_hash_table_contains(
		        evidence->grams, GUINT_TO_POINTER(words_gram(&words)));
	}
	if (all == 0)
		return LINE_UNKNOWN;
	return found * 2 >= all ? LINE_DECLARED : LINE_OTHER;
}

static bool is_body_line(const Node *node)
{
	return node->line_used > 0 && !node->removed && node->kind != ELEMENT_HEADING;
}

/* Do the lines of the page hold most of the declared text, and is most of what was chosen in it? */
static bool is_believed(const Evidence *evidence, const ContentTree *tree, const LineKind *kinds)
{
	uint64_t declared = 0, chosen = 0, agreed = 0;
	for (guint i = 0; i < tree->nodes->len; i++) {
		const Node *node = node_at(tree, i);
		if (!is_body_line(node))
			continue;
		declared += kinds[i] == LINE_DECLARED ? node->line_size : 0;
		chosen += node->chosen ? node->line_size : 0;
		agreed += node->chosen && kinds[i] == LINE_DECLARED ? node->line_size : 0;
	}
	return declared >= evidence->words * 3 && agreed * 2 >= chosen && agreed * 2 >= declared;
}

/* Between the first and the last declared line, lines that are not prose need its word; outside,
 * all do. */
static void correct_lines(ContentTree *tree, const LineKind *kinds)
{
	guint first = tree->nodes->len, last = 0;
	for (guint i = 0; i < tree->nodes->len; i++) {
		if (kinds[i] != LINE_DECLARED)
			continue;
		first = MIN(first, i);
		last = i;
	}
	for (guint i = 0; i < tree->nodes->len; i++) {
		Node *node = node_at(tree, i);
		bool inside = i >= first && i <= last;
		if (is_body_line(node) && kinds[i] == LINE_DECLARED)
			node->chosen = true;
		else if (node->line_used > 0 &&
		         (!inside || (kinds[i] == LINE_OTHER && !node_is_prose(node))))
			node->chosen = false;
	}
}

void evidence_apply(const Evidence *evidence, ContentTree *tree)
{
	g_autofree LineKind *kinds = g_new0(LineKind, tree->nodes->len + 1);
	for (guint i = 0; i < tree->nodes->len; i++)
		if (is_body_line(node_at(tree, i)))
			kinds[i] = line_kind(evidence, node_at(tree, i));
	if (is_believed(evidence, tree, kinds))
		correct_lines(tree, kinds);
}
