/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/search/correct.h"
#include "index/search/typo-candidates.h"
#include "index/text/typo.h"
#include "tests/index/search-test.h"
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static Query *parse_again(const char *text, void *data)
{
	QueryFault fault = {0};
	Query *query = query_parse(text, data, &fault, NULL);
	g_free(fault.hint);
	return query;
}

/* Returns the correction, or NULL. */
static char *corrected_with(Tree *t, const char *text, QueryOptions *reading)
{
	const SearchOptions options = {.limit = 10, .dups = DUPS_SHOW, .uid = geteuid()};
	g_autoptr(Query) query = parse(text, reading);
	g_autoptr(GError) error = NULL;
	g_autoptr(SearchResult) result = search_run(t->r, query, &options, &error);
	g_assert_no_error(error);
	const CorrectionRequest request = {parse_again, reading, &options, result->total};
	char *corrected;
	reader_correct(t->r, query, &request, &corrected, &error);
	g_assert_no_error(error);
	return corrected;
}

#define assert_corrected(t, text, expected)                                                        \
	G_STMT_START                                                                               \
	{                                                                                          \
		QueryOptions reading = {0};                                                        \
		g_autofree char *corrected = corrected_with(t, text, &reading);                    \
		g_assert_cmpstr(corrected, ==, expected);                                          \
	}                                                                                          \
	G_STMT_END

static void several(Tree *t, const char *name, unsigned n, const char *text)
{
	for (unsigned i = 0; i < n; i++) {
		g_autofree char *path = g_strdup_printf("%s%u.txt", name, i);
		g_autofree char *whole = g_strdup_printf("%s %s%u", text, name, i);
		tree_text(t, path, whole);
	}
}

static void test_company(Tree *t, gconstpointer data)
{
	several(t, "list", 4, "a shopping list");
	several(t, "show", 9, "showing things");
	several(t, "drop", 9, "dropping stoping things");
	tree_open(t);
	assert_corrected(t, "shoping list", "shopping list");
	assert_corrected(t, "shopping lsit", "shopping list");
	assert_corrected(t, "shoping lsit", "shopping list");
	assert_corrected(t, "shopping list", NULL);
	assert_corrected(t, "-shoping things", NULL);
}

static void test_rare(Tree *t, gconstpointer data)
{
	several(t, "report", 30, "the annual report");
	several(t, "informe", 2, "informe anual");
	tree_text(t, "odd.txt", "anual report");
	several(t, "gold", 3, "golden");
	several(t, "told", 5, "holden");
	tree_open(t);
	assert_corrected(t, "anual report", "annual report");
	assert_corrected(t, "golden", NULL); /* not rare enough beside "holden" */
	assert_corrected(t, "informe golden", NULL);
}

/* A short word may be meant although another one is frequent; a long one hardly ever is, however
 * many hits it has. */
static void test_length(Tree *t, gconstpointer data)
{
	several(t, "drink", 2, "milk and honey");
	several(t, "dog", 40, "milo");
	several(t, "bad", 6, "the goverment said");
	several(t, "good", 66, "the government said");
	several(t, "hotel", 3, "accomodation with accomodation");
	several(t, "room", 7, "accommodation");
	several(t, "uk", 6, "organisation");
	several(t, "us", 40, "organization");
	several(t, "forms", 2, "a configuration");
	several(t, "form", 30, "several configurations");
	tree_open(t);
	assert_corrected(t, "milk", NULL);
	assert_corrected(t, "milk -bread", NULL);
	assert_corrected(t, "goverment", "government");
	assert_corrected(t, "goverment said", "government said");
	assert_corrected(t, "accomodation", "accommodation"); /* a slip, even twice in one text */
	assert_corrected(t, "organisation", NULL);
	assert_corrected(t, "configuration", NULL);
	assert_corrected(t, "government", NULL);
}

/* Frequent words have documents in common with everything. */
static void test_chance(Tree *t, gconstpointer data)
{
	several(t, "other", 120, "list showing things");
	several(t, "more", 60, "something else");
	several(t, "shop", 4, "shopping list");
	tree_open(t);
	assert_corrected(t, "shoping list", "shopping list");
}

static void test_blanks(Tree *t, gconstpointer data)
{
	several(t, "a", 3, "we went to new york");
	several(t, "b", 3, "my notebook");
	several(t, "c", 3, "network of york, new wyork");
	several(t, "konto", 1, "das konto");
	several(t, "auszug", 1, "der auszug");
	several(t, "kontoauszug", 1, "der kontoauszug");
	tree_open(t);
	assert_corrected(t, "newyork", "new york");
	assert_corrected(t, "newyork went", "new york went");
	assert_corrected(t, "note book", "notebook");
	assert_corrected(t, "my note book", "my notebook");
	assert_corrected(t, "konto auszug", "kontoauszug");
	assert_corrected(t, "newmy", NULL); /* the words stand beside each other nowhere */
}

/* Where nothing has the words together, a common mistake in one of them gives way to a word that
 * stands beside its neighbours, however frequent it is. */
static void test_frequent(Tree *t, gconstpointer data)
{
	several(t, "a", 50, "form fields");
	several(t, "b", 50, "farm animals");
	several(t, "c", 50, "filip plays");
	several(t, "d", 60, "letter from home philip");
	tree_open(t);
	assert_corrected(t, "letter form home", "letter from home");
	assert_corrected(t, "letter form home philip", "letter from home philip");
	assert_corrected(t, "home filip", "home philip");
	assert_corrected(t, "letter farm home", NULL); /* another vowel is no common mistake */
	assert_corrected(t, "form animals", NULL); /* "farm" neither */
}

/* Returns a word of pieces in which people make mistakes. The caller frees it. */
static char *confusable(GRand *random)
{
	static const char *const pieces[] = {"a", "e", "h", "hh", "f", "ph", "k", "c", "ck", "kn",
	        "n", "s", "z", "tion", "sion", "ei", "ie", "ss"};
	GString *word = g_string_new(NULL);
	int n = g_rand_int_range(random, 3, 6);
	while (n-- > 0)
		g_string_append(word, pieces[g_rand_int(random) % G_N_ELEMENTS(pieces)]);
	return g_string_free(word, FALSE);
}

static void assert_same_common(Tree *t, const char *word)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(GArray) all = typo_candidates(t->r, word, false, TYPO_FAR, &error),
	                  common = typo_candidates(t->r, word, false, TYPO_COMMON, &error);
	guint n = 0;
	g_assert_no_error(error);
	for (; n < all->len && g_array_index(all, TypoCandidate, n).cost <= TYPO_COMMON; n++)
		;
	g_assert_cmpuint(common->len, ==, n);
	for (guint i = 0; i < n; i++)
		g_assert_cmpstr(g_array_index(common, TypoCandidate, i).term, ==,
		        g_array_index(all, TypoCandidate, i).term);
}

/* Looking for common mistakes alone finds all of them. */
static void test_common(Tree *t, gconstpointer data)
{
	g_autoptr(GRand) random = g_rand_new_with_seed(11);
	g_autoptr(GString) text = g_string_new(NULL);
	g_autoptr(GError) error = NULL;
	for (int i = 0; i < 2000; i++) {
		g_autofree char *word = confusable(random);
		g_string_append_printf(text, "%s ", word);
	}
	tree_text(t, "confusable.txt", text->str);
	tree_open(t);
	g_assert_true(reader_begin(t->r, 0, &error));
	for (int i = 0; i < 300; i++) {
		g_autofree char *word = confusable(random);
		assert_same_common(t, word);
	}
	reader_end(t->r);
}

/* The text around the words stays. */
static void test_text_stays(Tree *t, gconstpointer data)
{
	several(t, "a", 2, "Der schöne Frühstückstisch in Köln");
	several(t, "report", 2, "quarterly report of sales");
	tree_open(t);
	assert_corrected(t, "  Quartely   (report OR nothing) -holiday",
	        "  Quarterly   (report OR nothing) -holiday");
	assert_corrected(t, "\"quartely report\"", "\"quarterly report\"");
	assert_corrected(t, "QUARTELY type:text", "QUARTERLY type:text");
	assert_corrected(t, "body:quartely", "body:quarterly");
	assert_corrected(t, "quartely lang:tlh", NULL); /* nothing is found then either */
	assert_corrected(t, "Frühstücktisch", "Frühstückstisch");
	assert_corrected(t, "quartely.report", "quarterly.report");
}

/* A word in capitals does not become an operator. */
static void test_no_operator(Tree *t, gconstpointer data)
{
	several(t, "a", 9, "search not found nearby");
	several(t, "b", 3, "the other band and the adjective");
	tree_open(t);
	assert_corrected(t, "SERCH FOUND", "SEARCH FOUND");
	assert_corrected(t, "SEARCH NOTT FOUND", "SEARCH not FOUND");
	assert_corrected(t, "NOTFOUND", "not found");
	assert_corrected(t, "NOtT FOUND", "NOt FOUND");
	assert_corrected(t, "NOxT FOUND", "not FOUND");
}

static void test_repeated(Tree *t, gconstpointer data)
{
	several(t, "a", 3, "receipt receipt of sales");
	tree_open(t);
	assert_corrected(t, "\"recieptt recieptt\"", "\"receipt receipt\"");
	assert_corrected(t, "recieptt recieptt", "receipt receipt");
	assert_corrected(t, "\"Recieptt recieptt of\"", "\"Receipt receipt of\"");
}

static void test_options(Tree *t, gconstpointer data)
{
	several(t, "quarterly", 2, "sums");
	several(t, "text", 2, "quartzly quarters");
	tree_open(t);
	QueryOptions names = {.filenames = true}, any = {.any = true};
	g_autofree char *name = corrected_with(t, "quartely0", &names),
	                *other = corrected_with(t, "qarters", &any);
	g_assert_cmpstr(name, ==, NULL); /* numbers are not corrected */
	g_assert_cmpstr(other, ==, "quarters");
}

static void test_not_corrected(Tree *t, gconstpointer data)
{
	several(t, "a", 5, "words 2119 of here");
	tree_open(t);
	assert_corrected(t, "2118", NULL);
	assert_corrected(t, "xyzzyxyzzy", NULL);
	assert_corrected(t, "wrds*", NULL);
	assert_corrected(t, "wxrdz~1", NULL);
	assert_corrected(t, "ox", NULL);
	assert_corrected(t, "lang:tlh", NULL);
	assert_corrected(t, "wrods xyzzyxyzzy", NULL);
	assert_corrected(t, "wrods wrods wrods wrods", NULL); /* too many are wrong */
}

/* Words of files that the user may not read now, and of deleted ones, are not told. */
static void test_visible(Tree *t, gconstpointer data)
{
	Entry gone = tree_text(t, "gone.txt", "passphrase");
	tree_text(t, "here.txt", "plain text");
	tree_open(t);
	assert_corrected(t, "pasphrase", "passphrase");
	OK(writer_remove(t->index.w, gone.node, error));
	tree_open(t);
	assert_corrected(t, "pasphrase", NULL);
}

/* An index full of near words costs a bounded number of comparisons, and a few candidates. */
static void test_hostile(Tree *t, gconstpointer data)
{
	g_autoptr(GString) text = g_string_new(NULL);
	g_autoptr(GError) error = NULL;
	for (char a = 'a'; a <= 'z'; a++)
		for (char b = 'a'; b <= 'z'; b++)
			for (int i = 0; i < 11; i++)
				for (int k = i + 1; k < 11; k += 2) {
					char word[] = "aestaurants";
					word[0] = 'r';
					word[i] = a;
					word[k] = b;
					g_string_append_printf(text, "%s ", word);
				}
	tree_text(t, "near.txt", text->str);
	tree_open(t);
	clock_t begin = clock();
	g_assert_true(reader_begin(t->r, 0, &error));
	g_autoptr(GArray) candidates =
	        typo_candidates(t->r, "restaurants", false, TYPO_FAR, &error);
	reader_end(t->r);
	g_assert_no_error(error);
	g_assert_cmpuint(candidates->len, ==, TYPO_CANDIDATES);
	assert_corrected(t, "restxurantsz", "restxurants");
	g_assert_cmpint((clock() - begin) * 1000 / CLOCKS_PER_SEC, <, 1500);
}

typedef struct {
	unsigned parsed;
	bool stops, waits;
} ParseLog;

static Query *parse_logged(const char *text, void *data)
{
	static QueryOptions reading;
	ParseLog *log = data;
	log->parsed++;
	if (log->waits)
		let_time_pass(CORRECT_MAX_MS, "the time of the correction is over");
	return log->waits ? NULL : parse_again(text, &reading);
}

static bool is_parsed(void *data)
{
	const ParseLog *log = data;
	return log->stops && log->parsed > 0;
}

static bool correct_logged(Tree *t, ParseLog *log, GError **error)
{
	const SearchOptions options = {.limit = 10, .dups = DUPS_SHOW, .uid = geteuid()};
	const CorrectionRequest request = {parse_logged, log, &options, 0};
	g_autoptr(Query) query = parse("quartely lang:tlh", NULL);
	g_autoptr(SearchResult) result = search_run(t->r, query, &options, error);
	g_autofree char *corrected = NULL;
	g_assert_nonnull(result);
	reader_set_stop(t->r, is_parsed, log);
	bool ok = reader_correct(t->r, query, &request, &corrected, error);
	reader_set_stop(t->r, NULL, NULL);
	g_assert_null(corrected);
	return ok;
}

/* Each correction that is run finds nothing. */
static void test_bounded(Tree *t, gconstpointer data)
{
	ParseLog all = {0}, stopped = {.stops = true}, slow = {.waits = true};
	g_autoptr(GError) error = NULL;
	several(t, "a", 200, "quarterly quarters quartile quarter");
	tree_open(t);
	g_assert_true(correct_logged(t, &all, &error));
	g_assert_cmpuint(all.parsed, >, 1);
	g_assert_false(correct_logged(t, &stopped, &error));
	g_assert_error(error, INDEX_ERROR, INDEX_ERROR_STOPPED);
	g_assert_cmpuint(stopped.parsed, ==, 1);
	g_clear_error(&error);
	g_assert_true(correct_logged(t, &slow, &error));
	g_assert_cmpuint(slow.parsed, ==, 1);
}

#define ADD(name, function)                                                                        \
	g_test_add("/index/correct/" name, Tree, NULL, tree_up, function, tree_down)

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	ADD("the-other-words-choose-the-correction", test_company);
	ADD("a-rare-word-gives-way-to-a-frequent-one", test_rare);
	ADD("a-long-word-is-doubted-sooner-than-a-short-one", test_length);
	ADD("company-by-chance-does-not-choose", test_chance);
	ADD("a-frequent-word-gives-way-beside-others", test_frequent);
	ADD("common-mistakes-are-found-with-less", test_common);
	ADD("words-are-split-and-joined", test_blanks);
	ADD("the-rest-of-the-text-stays", test_text_stays);
	ADD("a-word-does-not-become-an-operator", test_no_operator);
	ADD("a-repeated-word-is-corrected-in-each-place", test_repeated);
	ADD("the-options-of-the-query-apply", test_options);
	ADD("what-is-no-misspelt-word-is-not-corrected", test_not_corrected);
	ADD("only-words-that-may-be-told-are-suggested", test_visible);
	ADD("many-near-words-cost-little", test_hostile);
	ADD("a-correction-ends-with-its-time-or-a-stop", test_bounded);
	return g_test_run();
}
