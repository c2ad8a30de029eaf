/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/web/topic.h"
#include "index/text/stem.h"
#include "index/text/terms.h"
#include "index/text/tokenizer.h"
#include <string.h>

enum { TOPIC_WORDS = 16, TITLE_WEIGHT = 8, HEADING_WEIGHT = 4 };

/* The part of BM25 that saturates (S. Robertson, H. Zaragoza, "The probabilistic relevance
 * framework: BM25 and beyond", 2009). Words that are rarer do not count more: in a crawl that made
 * no difference, and a topic has few. */
#define SATURATION 1.2 /* k1: occurrences that give half of a word's score, at the usual length */
#define LENGTH_PART .75 /* b */
#define LENGTH_USUAL 1000.0 /* words of a page */

struct Topic {
	GHashTable *words; /* word or form -> its number + 1 */
	unsigned n;
};

typedef struct {
	const Topic *topic;
	double found[TOPIC_WORDS]; /* weighted occurrences of each word */
	double length; /* words of the text */
} TopicCount;

/* ---- the words */

static void add_word(Topic *topic, const char *word)
{
	g_autoptr(GPtrArray) forms = g_ptr_array_new_with_free_func(g_free);
	if (topic->n == TOPIC_WORDS || g_hash_table_contains(topic->words, word))
		return;
	stem_append_forms(forms, word, "en");
	gpointer number = GUINT_TO_POINTER(++topic->n);
	g_hash_table_insert(topic->words, g_strdup(word), number);
	for (guint i = 0; i < forms->len; i++)
		if (!g_hash_table_contains(topic->words, forms->pdata[i]))
			g_hash_table_insert(topic->words, g_strdup(forms->pdata[i]), number);
}

static int add_token(void *data, const char *token, int length, int start, int end)
{
	g_autofree char *word = g_strndup(token, length);
	add_word(data, word);
	return 0;
}

static bool is_topic_operator(const char *word)
{
	return strcmp(word, "OR") == 0 || strcmp(word, "AND") == 0 || strcmp(word, "NOT") == 0;
}

Topic *topic_new(const char *query)
{
	Topic *topic = g_new0(Topic, 1);
	g_auto(GStrv) parts = g_strsplit_set(query, " \t\n()", -1);
	topic->words = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	for (char **part = parts; *part; part++)
		if (**part != '-' && !is_topic_operator(*part))
			(void)tokenize_query(*part, strlen(*part), add_token, topic);
	return topic;
}

void topic_free(Topic *topic)
{
	if (!topic)
		return;
	g_hash_table_unref(topic->words);
	g_free(topic);
}

/* ---- scores */

static void count_word(TopicCount *count, const char *token, int length, double weight)
{
	char word[TOKEN_MAX_BYTES + 1];
	if (length > TOKEN_MAX_BYTES)
		return;
	memcpy(word, token, length);
	word[length] = '\0';
	guint number = GPOINTER_TO_UINT(g_hash_table_lookup(count->topic->words, word));
	if (number > 0)
		count->found[number - 1] += weight;
}

static void count_term(void *data, TextColumn column, const char *term, int length, TermKind kind)
{
	TopicCount *count = data;
	if (kind == TERM_IS_ENCODED || column == COLUMN_NOISE)
		return;
	count->length += kind == TERM_IS_WORD;
	count_word(count, term, length,
	        column == COLUMN_TITLE     ? TITLE_WEIGHT
	        : column == COLUMN_HEADING ? HEADING_WEIGHT
	                                   : 1);
}

double topic_of_page(const Topic *topic, const Document *doc)
{
	TopicCount count = {.topic = topic};
	double sum = 0;
	terms_each(doc, count_term, &count);
	double half = SATURATION * (1 - LENGTH_PART + LENGTH_PART * count.length / LENGTH_USUAL);
	for (unsigned i = 0; i < topic->n; i++)
		sum += count.found[i] / (count.found[i] + half);
	return topic->n > 0 ? sum / topic->n : 0;
}

static int count_token(void *data, const char *token, int length, int start, int end)
{
	count_word(data, token, length, 1);
	return 0;
}

double topic_of_link(const Topic *topic, const char *anchor, const char *path)
{
	TopicCount count = {.topic = topic};
	unsigned found = 0;
	if (anchor)
		(void)tokenize(anchor, strlen(anchor), count_token, &count);
	(void)tokenize(path, strlen(path), count_token, &count);
	for (unsigned i = 0; i < topic->n; i++)
		found += count.found[i] > 0;
	return topic->n > 0 ? (double)found / topic->n : 0;
}
