/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/search/spellings.h"
#include "common/base/paths.h"
#include "index/search/search.h"
#include "index/text/tokenizer.h"
#include <string.h>

enum { TEXT_BYTES = 64 << 10 };

struct Spellings {
	GHashTable *typed; /* folded words */
	GHashTable *counts; /* folded word -> GHashTable: spelling -> how often it was met */
	unsigned texts_left;
};

typedef struct {
	Spellings *spellings;
	const char *text;
} SpellingScan;

static int spellings_take_typed(void *data, const char *token, int length, int start, int end)
{
	g_hash_table_add(data, g_strndup(token, length));
	return 0;
}

Spellings *spellings_new(const char *typed)
{
	Spellings *spellings = g_new0(Spellings, 1);
	spellings->typed = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	spellings->counts = g_hash_table_new_full(
	        g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_hash_table_unref);
	spellings->texts_left = SPELLINGS_TEXTS;
	tokenize_phrase(typed, strlen(typed), spellings_take_typed, spellings->typed);
	return spellings;
}

void spellings_free(Spellings *spellings)
{
	if (!spellings)
		return;
	g_hash_table_unref(spellings->typed);
	g_hash_table_unref(spellings->counts);
	g_free(spellings);
}

static int spellings_take_word(void *data, const char *token, int length, int start, int end)
{
	const SpellingScan *scan = data;
	GHashTable *counts = scan->spellings->counts;
	g_autofree char *folded = g_strndup(token, length);
	g_autofree char *raw = g_strndup(scan->text + start, end - start);
	g_autofree char *word = g_utf8_normalize(raw, -1, G_NORMALIZE_DEFAULT_COMPOSE);
	g_autofree char *capitals = word ? g_utf8_strup(word, -1) : NULL;
	if (!word || strcmp(word, capitals) == 0 ||
	        g_hash_table_contains(scan->spellings->typed, folded))
		return 0;
	GHashTable *of_word = g_hash_table_lookup(counts, folded);
	if (!of_word) {
		of_word = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
		g_hash_table_insert(counts, g_steal_pointer(&folded), of_word);
	}
	unsigned n = GPOINTER_TO_UINT(g_hash_table_lookup(of_word, word));
	g_hash_table_insert(of_word, g_steal_pointer(&word), GUINT_TO_POINTER(n + 1));
	return 0;
}

static void spellings_add_text(Spellings *spellings, const char *text)
{
	SpellingScan scan = {spellings, text};
	if (text)
		tokenize_phrase(text, strnlen(text, TEXT_BYTES), spellings_take_word, &scan);
}

/* A cache that cannot be read is none. */
static void spellings_add_cached(Spellings *spellings, Reader *r, int64_t id)
{
	bool wanted = spellings->texts_left > 0 && id != 0;
	Document *document = wanted ? reader_cached_text(r, id, NULL) : NULL;
	if (!document)
		return;
	spellings->texts_left--;
	spellings_add_text(spellings, document->text->str);
	document_free(document);
}

void spellings_add_hits(Spellings *spellings, Reader *r, const GPtrArray *hits)
{
	for (guint i = 0; i < hits->len; i++) {
		const Info *info = &((const Hit *)hits->pdata[i])->info;
		spellings_add_text(spellings, path_base_name(info->path));
		spellings_add_text(spellings, info->member);
		spellings_add_text(spellings, info->title);
		spellings_add_cached(spellings, r, info->document);
	}
}

/* ß has small letters only, and g_utf8_casefold() makes it ss. */
static bool spelling_has_marks(const char *word, const char *folded)
{
	g_autofree char *small = g_utf8_strdown(word, -1);
	return strcmp(small, folded) != 0;
}

/* The most frequent spelling of a folded word, the first one in the order of bytes of equally
 * frequent ones. NULL: none is known, or it has no marks. */
static const char *spellings_best(const Spellings *spellings, const char *folded)
{
	GHashTable *of_word = g_hash_table_lookup(spellings->counts, folded);
	GHashTableIter each;
	gpointer word, count;
	const char *best = NULL;
	unsigned most = 0;
	if (!of_word)
		return NULL;
	g_hash_table_iter_init(&each, of_word);
	while (g_hash_table_iter_next(&each, &word, &count)) {
		unsigned n = GPOINTER_TO_UINT(count);
		if (n > most || (n == most && strcmp(word, best) < 0)) {
			best = word;
			most = n;
		}
	}
	return best && spelling_has_marks(best, folded) ? best : NULL;
}

typedef struct {
	const Spellings *spellings;
	const char *text;
	GString *out;
	int copied; /* bytes of text */
} SpellingOutput;

static int spellings_put_word(void *data, const char *token, int length, int start, int end)
{
	SpellingOutput *output = data;
	g_autofree char *folded = g_strndup(token, length);
	bool typed = g_hash_table_contains(output->spellings->typed, folded);
	const char *best = typed ? NULL : spellings_best(output->spellings, folded);
	if (!best || start < output->copied)
		return 0;
	g_string_append_len(output->out, output->text + output->copied, start - output->copied);
	g_string_append(output->out, best);
	output->copied = end;
	return 0;
}

char *spellings_apply(const Spellings *spellings, const char *text)
{
	SpellingOutput output = {spellings, text, g_string_new(NULL), 0};
	tokenize_phrase(text, strlen(text), spellings_put_word, &output);
	g_string_append(output.out, text + output.copied);
	return g_string_free(output.out, FALSE);
}
