/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests that an inflected form matches only documents in its language, and documents whose language
 * is unknown. */
#include <config.h>
#include "common/base/text.h"
#include "tests/index/search-test.h"
#include <string.h>
#include <unistd.h>

static void put_text(Tree *t, const char *path, const char *language, const char *text)
{
	Entry entry = tree_make(t, path, path);
	Document *doc = document_of(text);
	if (language)
		document_add_fact(doc, FIELD_LANGUAGE, language, strlen(language));
	tree_convert(t, &entry, path, doc, NULL);
}

/* "the" is a form of "thes" in French only. */
static void make_teas(Tree *t)
{
	put_text(t, "fr1", "fr", "verts thes");
	put_text(t, "fr2", "fr-ca", "vert the");
	put_text(t, "en1", "en", "green the");
	put_text(t, "en2", "en-gb", "green thes");
	put_text(t, "none", NULL, "green the");
	put_text(t, "rare", "tlh", "green the");
	tree_open(t);
}

static void finds(Tree *t, const char *query, const char *wanted)
{
	g_autofree char *names = found(t, query);
	g_auto(GStrv) words = g_strsplit(names, " ", -1);
	qsort(words, g_strv_length(words), sizeof *words, text_compare_elements);
	g_autofree char *got = g_strjoinv(" ", words);
	if (strcmp(got, wanted) != 0)
		g_error("%s: %s, not %s", query, got, wanted);
}

static void test_forms_by_language(Tree *t, gconstpointer data)
{
	make_teas(t);
	finds(t, "thes", "en2 fr1 fr2 none rare");
	finds(t, "body:thes", "en2 fr1 fr2 none rare");
	finds(t, "thes green", "en2 none rare");
	finds(t, "thes OR green", "en1 en2 fr1 fr2 none rare");
	finds(t, "green -thes", "en1");
	finds(t, "-thes size:1..", "en1");
	finds(t, "thes size:1..", "en2 fr1 fr2 none rare");
	finds(t, "green (thes OR size:0)", "en2 none rare");
	finds(t, "\"thes\"", "en2 fr1");
	finds(t, "the", "en1 fr1 fr2 none rare");
}

/* ---- random texts and queries compared with a judge that reads each text */

enum { TEXTS = 150, QUERIES = 500 };

static const char *const vocabulary[] = {"the", "thes", "chat", "chats", "cat", "cats", "maison",
        "maisons", "run", "running", "hunde", "hund", "hundes"};
static const char *const languages[] = {"en", "fr", "de", NULL};

typedef struct {
	const char *language;
	char *path, *text;
} Text;

static void free_text(void *data)
{
	Text *text = data;
	g_free(text->path);
	g_free(text->text);
	g_free(text);
}

static const char *pick(GRand *rand)
{
	return vocabulary[g_rand_int_range(rand, 0, G_N_ELEMENTS(vocabulary))];
}

static GPtrArray *make_texts(Tree *t, GRand *rand)
{
	GPtrArray *texts = g_ptr_array_new_with_free_func(free_text);
	for (int i = 0; i < TEXTS; i++) {
		Text *text = g_new0(Text, 1);
		GString *words = g_string_new(pick(rand));
		for (int n = g_rand_int_range(rand, 0, 5); n > 0; n--)
			g_string_append_printf(words, " %s", pick(rand));
		text->language = languages[g_rand_int_range(rand, 0, G_N_ELEMENTS(languages))];
		text->path = g_strdup_printf("%d.%c", i, "xy"[i % 2]);
		text->text = g_string_free(words, FALSE);
		put_text(t, text->path, text->language, text->text);
		g_ptr_array_add(texts, text);
	}
	tree_open(t);
	return texts;
}

static char *random_query(GRand *rand, unsigned depth)
{
	static const char *const filters[] = {"ext:x", "-ext:x", "size:1.."};
	int kind = g_rand_int_range(rand, 0, depth == 0 ? 3 : 7);
	if (kind == 0)
		return g_strdup(filters[g_rand_int_range(rand, 0, G_N_ELEMENTS(filters))]);
	if (kind < 3)
		return g_strdup(pick(rand));
	g_autofree char *a = random_query(rand, depth - 1), *b = random_query(rand, depth - 1);
	if (kind == 3)
		return g_strdup_printf("-(%s)", a);
	return g_strdup_printf(kind == 4 ? "(%s OR %s)" : "(%s %s)", a, b);
}

static bool has_word(const Text *text, const char *word)
{
	g_auto(GStrv) words = g_strsplit(text->text, " ", -1);
	return g_strv_contains((const char *const *)words, word);
}

static bool has_form(const Query *query, const QueryNode *node, const Text *text)
{
	uint32_t spoken = query_languages(query, text->language);
	for (guint k = 0; node->forms[0] && node->forms[0][k]; k++)
		if (query_form_counts(node, 0, k, spoken) && has_word(text, node->forms[0][k]))
			return true;
	return has_word(text, node->tokens[0]);
}

static bool judge(const Query *query, const QueryNode *node, const Text *text)
{
	if (node->op == QUERY_WORDS)
		return has_form(query, node, text);
	if (node->op == QUERY_FILTER)
		return node->filter != FILTER_EXT || g_str_has_suffix(text->path, ".x");
	if (node->op == QUERY_NOT)
		return !judge(query, node->children->pdata[0], text);
	for (guint i = 0; i < node->children->len; i++)
		if (judge(query, node->children->pdata[i], text) == (node->op == QUERY_OR))
			return node->op == QUERY_OR;
	return node->op == QUERY_AND;
}

static GHashTable *paths_found(Tree *t, Query *query, SortOrder sort)
{
	const SearchOptions options = {.limit = TEXTS * 2,
	        .sort = sort,
	        .dups = DUPS_SHOW,
	        .near_separate = true,
	        .uid = geteuid()};
	g_autoptr(SearchResult) result = NULL;
	GHashTable *paths = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	OK((result = search_run(t->r, query, &options, error)) != NULL);
	for (guint i = 0; i < result->hits->len; i++)
		g_hash_table_add(
		        paths, g_path_get_basename(((Hit *)result->hits->pdata[i])->info.path));
	g_assert_cmpuint(g_hash_table_size(paths), ==, result->hits->len);
	return paths;
}

/* The root's own entry has no text and is not a hit of a query for a file. */
static void test_random_trees(Tree *t, gconstpointer data)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(g_test_rand_int());
	g_autoptr(GPtrArray) texts = make_texts(t, rand);
	guint partial = 0;
	for (int i = 0; i < QUERIES; i++) {
		g_autofree char *tree = random_query(rand, 3),
		                *text = g_strdup_printf("is:file (%s)", tree);
		g_autoptr(Query) query = parse(text, NULL);
		g_autoptr(GHashTable) paths =
		        paths_found(t, query, i % 2 ? SORT_RELEVANCE : SORT_DATE);
		for (guint k = 0; k < texts->len; k++) {
			const Text *at = texts->pdata[k];
			bool wanted = judge(query, query->root, at);
			if (g_hash_table_contains(paths, at->path) != wanted)
				g_error("%s: %s (%s, \"%s\") is %s", text, at->path,
				        at->language ? at->language : "no language", at->text,
				        wanted ? "missed" : "found");
		}
		partial += g_hash_table_size(paths) > 0 && g_hash_table_size(paths) < TEXTS;
	}
	g_assert_cmpuint(partial, >, QUERIES / 4);
}

#define ADD(name, function)                                                                        \
	g_test_add("/index/other-language/" name, Tree, NULL, tree_up, function, tree_down)

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	ADD("forms-match-documents-of-their-language", test_forms_by_language);
	ADD("random-collections-agree-with-the-plain-evaluator", test_random_trees);
	return g_test_run();
}
