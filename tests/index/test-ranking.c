/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test-ranking.c - which hits come first, and that the order is stable over pages */
#include <config.h>
#include "tests/index/search-test.h"
#include "index/search/rank.h"
#include "index/search/search-private.h"
#include <string.h>
#include <unistd.h>

/* Adds documents with other words, so that no word of a test is common. */
static void add_others(Tree *t)
{
	for (int i = 0; i < 30; i++) {
		g_autofree char *path = g_strdup_printf("other/%d.txt", i);
		g_autofree char *text = g_strdup_printf("filler number%d of a small collection", i);
		tree_text(t, path, text);
	}
}

static char *found_any(Tree *t, const char *text)
{
	const QueryOptions any = {.any = true};
	const SearchOptions options = {.limit = 10, .uid = geteuid()};
	g_autoptr(Query) query = parse(text, &any);
	g_autoptr(GError) error = NULL;
	g_autoptr(SearchResult) result = search_run(t->r, query, &options, &error);
	g_assert_no_error(error);
	GString *names = g_string_new(NULL);
	for (guint i = 0; i < result->hits->len; i++) {
		const Hit *hit = result->hits->pdata[i];
		g_autofree char *name = g_path_get_basename(hit->info.path);
		g_string_append_printf(names, "%s%s", i ? " " : "", name);
	}
	return g_string_free(names, FALSE);
}

static void test_neighbours_first(Tree *t, gconstpointer data)
{
	add_others(t);
	tree_text(t, "a.txt", "garden one two three four five six seven eight nine party");
	tree_text(t, "b.txt", "un deux trois quatre garden party cinq six sept huit neuf");
	tree_text(t, "c.txt", "garden uno due tre party quattro cinque sei sette otto nove");
	tree_open(t);
	assert_found(t, "garden party", "b.txt c.txt a.txt");
	assert_found(t, "party garden", "b.txt c.txt a.txt");
}

static void test_long_prefix(Tree *t, gconstpointer data)
{
	add_others(t);
	tree_text(t, "a.txt", "garden with one party in the middle of many other words");
	tree_text(t, "b.txt", "garden party parlour parade parcel");
	tree_text(t, "c.txt", "garden alone");
	tree_text(t, "party.txt", "garden by its name");
	tree_open(t);
	search_long_pages = 0;
	assert_found(t, "garden par*", "b.txt party.txt a.txt");
	assert_found(t, "garden -par*", "c.txt");
	assert_found(t, "par* lour*", "");
	assert_found(t, "parl* par* gar*", "b.txt");
	assert_found(t, "garden par* size:50..", "a.txt");
	assert_found(t, "garden par* -(party alone)", "b.txt party.txt a.txt");
	search_long_pages = G_MAXUINT;
	assert_found(t, "garden par*", "b.txt party.txt a.txt");
}

static void test_a_name_does_not_lose_neighbours(Tree *t, gconstpointer data)
{
	add_others(t);
	tree_text(t, "garden/a.txt", "garden uno due tre quattro cinque sei sette otto party");
	tree_text(t, "garden-1.txt", "garden one two three four five six seven eight party");
	tree_text(t, "garden-2.txt", "un deux trois quatre garden party cinq six sept huit");
	tree_open(t);
	assert_found(t, "garden party", "garden-2.txt garden-1.txt garden/a.txt");
}

static void test_names_do_not_make_a_word_common(Tree *t, gconstpointer data)
{
	add_others(t);
	tree_text(t, "a.md", "alpha is a letter");
	tree_text(t, "b.md", "beta is a letter");
	for (int i = 0; i < 20; i++) {
		g_autofree char *name = g_strdup_printf("alpha-%d.jpg", i);
		tree_make(t, name, "picture");
	}
	for (int i = 0; i < 5; i++) {
		g_autofree char *name = g_strdup_printf("%d.txt", i);
		g_autofree char *text = g_strdup_printf("beta number%d of some letters", i);
		tree_text(t, name, text);
	}
	tree_open(t);
	assert_found(t, "(alpha OR beta) ext:md", "a.md b.md");
}

static void test_more_words_first(Tree *t, gconstpointer data)
{
	add_others(t);
	tree_text(t, "often.txt",
	        "a quokka, a quokka and once more a quokka in a rather long text of many other");
	tree_text(t, "both.txt",
	        "a quokka beside some wombats in a rather long text of many other words");
	tree_text(t, "wombats.txt", "somewhere else");
	tree_open(t);
	g_autofree char *found = found_any(t, "quokka wombats");
	g_assert_true(g_str_has_prefix(found, "both.txt"));
}

/* A list of contents has the words of a query in their order. Joined by AND, they may be quoted
 * from it; joined by OR, they describe a subject. */
static void test_order_counts_for_all_words_only(Tree *t, gconstpointer data)
{
	g_autoptr(GString) contents = g_string_new("quokka beside wombat");
	for (int i = 0; i < 300; i++)
		g_string_append_printf(contents, " line%d", i);
	add_others(t);
	tree_text(t, "contents.txt", contents->str);
	tree_text(t, "answer.txt",
	        "A wombat is a quokka, and a wombat beside one is a wombat, says the quokka.");
	tree_open(t);
	assert_found(t, "quokka beside wombat", "contents.txt answer.txt");
	g_autofree char *any = found_any(t, "quokka beside wombat");
	g_assert_cmpstr(any, ==, "answer.txt contents.txt");
}

/* Adds a text of n words, with the given ones at their places. */
static void add_spread(Tree *t, const char *path, int n, const char *words[], const int *places)
{
	static int number;
	g_autoptr(GString) text = g_string_new(NULL);
	for (int i = 0, next = 0; i < n; i++)
		if (words[next] && places[next] == i)
			g_string_append_printf(text, "%s ", words[next++]);
		else
			g_string_append_printf(text, "filler%d ", number++);
	tree_text(t, path, text->str);
}

/* A person who looks for a known text remembers words from everywhere in it. */
static void test_pages_apart_count_like_paragraphs(Tree *t, gconstpointer data)
{
	const char *words[] = {"quokka", "quokka", "wombat", "dusk", NULL}, **once = words + 1,
	           *none[] = {NULL};
	for (int i = 0; i < 30; i++) {
		g_autofree char *path = g_strdup_printf("other/%d.txt", i);
		add_spread(t, path, 800, none, NULL);
	}
	add_spread(t, "often.txt", 1000, words, (const int[]){0, 10, 390, 790});
	add_spread(t, "once.txt", 800, once, (const int[]){0, 29, 58});
	tree_open(t);
	g_autofree char *found = found_any(t, "quokka wombat dusk");
	g_assert_cmpstr(found, ==, "often.txt once.txt");
}

/* Adds a text of 60 words, the first `times` of which are the word, in text of this kind. */
static void add_tagged(Tree *t, const char *path, DocTag tag, const char *word, int times)
{
	static int number;
	g_autoptr(Document) doc = document_new(NULL);
	g_autoptr(GString) own = g_string_new(NULL), rest = g_string_new(NULL);
	for (int i = 0; i < 60; i++)
		if (i < times)
			g_string_append_printf(own, "%s ", word);
		else
			g_string_append_printf(rest, "tagged%d ", number++);
	g_assert_true(document_add_fact(doc, FIELD_TITLE, "Animals here", 12));
	g_assert_true(document_add_text(doc, TAG_BODY, DOC_RUN_BLOCK, rest->str, rest->len));
	g_assert_true(document_add_text(doc, tag, DOC_RUN_BLOCK, own->str, own->len));
	Entry entry = tree_make(t, path, own->str);
	tree_convert(t, &entry, rest->str, g_steal_pointer(&doc), NULL);
}

/* A page that explains a word has it in a heading; pages that lead there have it in their menus. */
static void test_headings_and_menus_count(Tree *t, gconstpointer data)
{
	add_others(t);
	add_tagged(t, "heading.txt", TAG_HEADING2, "quokka", 1);
	add_tagged(t, "body.txt", TAG_BODY, "quokka", 3);
	add_tagged(t, "menu.txt", TAG_NOISE, "wombat", 4);
	add_tagged(t, "once.txt", TAG_BODY, "wombat", 1);
	tree_open(t);
	assert_found(t, "quokka", "heading.txt body.txt");
	assert_found(t, "wombat", "menu.txt once.txt");
}

/* Six words about a subject: the document that begins with some of them is about it. */
static void test_beginning_counts_in_long_queries(Tree *t, gconstpointer data)
{
	static const char words[] = "quokka feeding at dusk near the wombat";
	g_autoptr(GString) begins = g_string_new(words), ends = g_string_new(NULL);
	for (int i = 0; i < 30; i++) {
		g_string_append_printf(begins, " word%d", i);
		g_string_append_printf(ends, "other%d ", i);
	}
	g_string_append(ends, words);
	add_others(t);
	tree_text(t, "begins.txt", begins->str);
	tree_text(t, "ends.txt", ends->str); /* the later one comes first if the scores are equal */
	tree_open(t);
	g_autofree char *any = found_any(t, "wombat quokka dusk feeding island rottnest");
	g_assert_cmpstr(any, ==, "begins.txt ends.txt");
	g_autofree char *few = found_any(t, "wombat quokka dusk");
	g_assert_cmpstr(few, ==, "ends.txt begins.txt");
}

/* A query that is the whole name of a file ranks that file before all documents that mention it. A
 * name that goes on after it is not such a file, but counts as much as a text that mentions it
 * often. */
static void test_whole_names_first(Tree *t, gconstpointer data)
{
	add_others(t);
	tree_text(t, "notes.txt", "quokka quokka quokka foo_bar.c quokka");
	tree_text(t, "log.txt", "foo_bar.c foo_bar.c foo_bar.c garden party and a garden party");
	tree_text(t, "foo_bar.c", "int x;");
	tree_text(t, "quokka.txt", "somewhere else");
	tree_text(t, "quokka-7.txt", "somewhere beyond");
	tree_text(t, "Garden Party.odt", "an invitation");
	tree_open(t);
	assert_found(t, "foo_bar.c", "foo_bar.c log.txt notes.txt");
	assert_found(t, "foo_bar", "foo_bar.c log.txt notes.txt");
	assert_found(t, "quokka", "quokka.txt quokka-7.txt notes.txt");
	assert_found(t, "party garden", "Garden Party.odt log.txt");
	assert_found(t, "quokka OR quokka*", "quokka.txt notes.txt quokka-7.txt");
	assert_found(t, "garden party OR party*", "Garden Party.odt log.txt");
	assert_found(t, "quokk*", "quokka-7.txt quokka.txt notes.txt");
	g_autofree char *any = found_any(t, "quokka foo_bar");
	g_assert_true(g_str_has_prefix(any, "notes.txt"));
}

static void add_dated(Tree *t, const char *path, const char *text, const char *date)
{
	Document *doc = document_of(text);
	Entry entry = tree_make(t, path, text);
	g_assert_true(document_add_fact(doc, FIELD_DATE, date, strlen(date)));
	tree_convert(t, &entry, text, doc, NULL);
}

/* A recent document comes first only among equally good ones. */
static void test_young_first(Tree *t, gconstpointer data)
{
	g_autoptr(GDateTime) now = g_date_time_new_now_utc();
	g_autoptr(GDateTime) lately = g_date_time_add_days(now, -3);
	g_autofree char *date = g_date_time_format(lately, "%Y-%m-%d");
	add_others(t);
	add_dated(t, "young.txt", "a garden party one", date);
	tree_text(t, "undated.txt", "a garden party two");
	add_dated(t, "old.txt", "a garden party six", "1999-05-20");
	add_dated(t, "close.txt", "the party was in a garden", date);
	tree_open(t);
	assert_found(t, "garden party", "young.txt undated.txt old.txt close.txt");
}

static void add_titled(Tree *t, const char *path, const char *title, const char *text)
{
	Document *doc = document_of(text);
	Entry entry = tree_make(t, path, text);
	g_assert_true(document_add_fact(doc, FIELD_TITLE, title, strlen(title)));
	tree_convert(t, &entry, text, doc, NULL);
}

/* A title that is the query comes before one that begins with it, and that before all texts that
 * have the words often. With a field, or words in another order, it is not such a title. */
static void test_whole_titles_first(Tree *t, gconstpointer data)
{
	add_others(t);
	tree_text(t, "often.txt", "garden party garden party garden party garden party");
	add_titled(t, "other.odt", "our garden party", "garden party garden party garden party");
	add_titled(t, "begins.odt", "Garden party next year", "one text of some more words here");
	add_titled(t, "equal.odt", "Garden Party", "two texts of a few more words there beside it");
	add_titled(t, "chinese.odt", "会议纪要", "three texts of a few more words there beside it");
	tree_text(t, "会议纪要会议纪要.txt", "会议纪要 会议纪要 会议纪要");
	tree_open(t);
	assert_found(t, "garden party", "equal.odt begins.odt other.odt often.txt");
	assert_found(t, "garden party -filler", "equal.odt begins.odt other.odt often.txt");
	assert_found(t, "garden ext:odt", "begins.odt equal.odt other.odt");
	assert_found(t, "会议纪要 ext:odt", "chinese.odt");
	/* while the last word is typed */
	assert_found(t, "garden party OR party*", "equal.odt begins.odt other.odt often.txt");
	assert_found(t, "会议纪要 OR 会议纪要* ext:odt", "chinese.odt");
	g_autofree char *any = found_any(t, "garden party");
	g_assert_cmpstr(any, ==, "equal.odt begins.odt other.odt often.txt");
}

/* Adds its words with signs once more, as to a text of an older index. */
static void add_signs_again(Tree *t, const char *title, const char *text)
{
	g_autoptr(Document) doc = document_of(text);
	g_assert_true(document_add_fact(doc, FIELD_TITLE, title, strlen(title)));
	commit(&t->index);
	g_autofree char *sql = g_strdup_printf(
	        "SELECT content FROM document d CROSS JOIN fact f ON f.document = d.id "
	        "WHERE f.title = '%s'",
	        title);
	bool fit;
	OK(writer_add_signs(t->index.w, ask(&t->index, sql), &(int64_t){0}, doc, &fit, error));
	g_assert_true(fit);
}

static void test_whole_titles_with_signs_added(Tree *t, gconstpointer data)
{
	const char *more = "party in C++, a party in C++, the party in C++";
	add_others(t);
	add_titled(t, "begins.odt", "C++ party next year", more);
	add_titled(t, "equal.odt", "C++ Party", "a text of a few more words there beside C++");
	add_signs_again(t, "C++ party next year", more);
	add_signs_again(t, "C++ Party", "a text of a few more words there beside C++");
	tree_open(t);
	assert_found(t, "c++ party", "equal.odt begins.odt");
}

/* All words in their order, far behind in a long text. */
static void test_words_in_order_first(Tree *t, gconstpointer data)
{
	g_autoptr(GString) text = g_string_new(NULL);
	add_others(t);
	for (int i = 0; i < 40; i++)
		g_string_append(text, "not to or be so ");
	g_string_append(text, "said he: to be, or not to be, that is the question");
	tree_text(t, "order.txt", text->str);
	tree_text(t, "often.txt", "or be to not or be to not or be to not be or to not");
	tree_text(t, "between.txt", "be to be and or but not so to be not or to be be");
	tree_open(t);
	assert_found(t, "to be or not to be", "order.txt between.txt often.txt");
}

/* The names of directories count beside another word, below the entry's own name; by themselves
 * they find nothing below them, and they do not make an excluded word. */
static void test_words_of_the_path(Tree *t, gconstpointer data)
{
	add_others(t);
	tree_text(t, "notes/shopping.md", "milk and eggs");
	tree_text(t, "notes/other.txt", "the shopping is done");
	tree_text(t, "notes/empty.txt", "nothing of that");
	tree_text(t, "shopping-notes.txt", "apples");
	tree_text(t, "notes/shopping/a.txt", "pears");
	tree_open(t);
	assert_found(t, "notes shopping",
	        "shopping-notes.txt notes/shopping.md notes/shopping notes/other.txt");
	assert_found(t, "shopping notes milk", "notes/shopping.md");
	assert_found(t, "note shopping milk", "notes/shopping.md");
	assert_found(t, "milk -notes", "notes/shopping.md");
	assert_found(t, "milk (notes OR quokka)", "");
	assert_found(t, "milk title:notes", "");
	assert_found(t, "notes shopping ext:txt", "shopping-notes.txt notes/other.txt");
}

/* If too many entries have a word themselves, the directories above them do not count. */
static void test_path_of_many(Tree *t, gconstpointer data)
{
	unsigned most = path_words_most_entries;
	for (int i = 0; i < 3; i++) {
		g_autofree char *name = g_strdup_printf("photos/%d.jpg", i);
		tree_make(t, name, "");
	}
	tree_make(t, "photos-jpg", "");
	tree_open(t);
	path_words_most_entries = 4;
	assert_found(t, "photos jpg", "photos-jpg photos/0.jpg photos/1.jpg photos/2.jpg");
	path_words_most_entries = 3;
	assert_found(t, "photos jpg", "photos-jpg");
	path_words_most_entries = most;
}

/* The form that was typed ranks before other forms: as a single term, in a field, in a name or
 * beside another word. */
static void test_typed_form_first(Tree *t, gconstpointer data)
{
	add_others(t);
	tree_text(t, "one.txt", "in this text stands the word sailing and the word harbour");
	tree_text(t, "two.txt", "in that text stands the word sailed and the word harbours");
	tree_text(t, "harbours-3.txt", "in a text of its own stands the word sails and others");
	tree_open(t);
	assert_found(t, "body:sailed", "two.txt one.txt harbours-3.txt");
	assert_found(t, "body:sailing", "one.txt two.txt harbours-3.txt");
	assert_found(t, "sailed body:text -own", "two.txt one.txt");
	assert_found(t, "\"sailed\"", "two.txt");
	g_autofree char *any = found_any(t, "sailed quokka");
	g_assert_cmpstr(any, ==, "two.txt one.txt harbours-3.txt");
}

/* Every word of a query of the maximum length has other forms. */
static void test_many_words_with_forms(Tree *t, gconstpointer data)
{
	g_autoptr(GString) typed = g_string_new(NULL), other = g_string_new(NULL);
	for (int i = 0; i < QUERY_MAX_TERMS; i++) {
		const char word[] = {'b' + i / 8, 'a', 'l', 'b' + i % 8, 'o', '\0'};
		g_string_append_printf(typed, "%s%sing", i ? " " : "", word);
		g_string_append_printf(other, "%s%sed", i ? " " : "", word);
	}
	tree_text(t, "typed.txt", typed->str);
	tree_text(t, "other.txt", other->str);
	tree_open(t);
	assert_found(t, typed->str, "typed.txt other.txt");
	assert_found(t, other->str, "other.txt typed.txt");
}

static void test_coverage(void)
{
	g_assert_cmpfloat(rank_coverage(3, 3, 2), ==, 1);
	g_assert_cmpfloat(rank_coverage(1, 3, 2), <, rank_coverage(2, 3, 2));
	g_assert_cmpfloat(rank_coverage(2, 3, 2), <, 1);
	g_assert_cmpfloat(rank_coverage(1, 3, 20), >, 0.95);
}

/* ---- partial matches */

/* Returns "name:words" of each hit. */
static char *found_soft(Tree *t, const char *text)
{
	const SearchOptions options = {.limit = 10, .by_words = true, .uid = geteuid()};
	g_autoptr(Query) query = parse(text, NULL);
	g_autoptr(Query) soft = query_soften(query);
	g_assert_nonnull(soft);
	g_autoptr(SearchResult) result = search_run(t->r, soft, &options, NULL);
	g_assert_nonnull(result);
	GString *names = g_string_new(NULL);
	for (guint i = 0; i < result->hits->len; i++) {
		const Hit *hit = result->hits->pdata[i];
		g_autofree char *name = g_path_get_basename(hit->info.path);
		g_assert_cmpfloat(hit->score, <, RANK_STEP);
		g_string_append_printf(names, "%s%s:%u", i ? " " : "", name, hit->words_matched);
	}
	return g_string_free(names, FALSE);
}

static void assert_soft(Tree *t, const char *text, const char *expected)
{
	g_autofree char *found = found_soft(t, text);
	g_assert_cmpstr(found, ==, expected);
}

static void test_some_of_the_words(Tree *t, gconstpointer data)
{
	add_others(t);
	tree_text(t, "all.txt", "red green blue");
	tree_text(t, "two.txt", "green blue and much else that makes the text long and longer");
	tree_text(t, "one.txt", "red red red red");
	tree_text(t, "red-2.md", "a green thing");
	tree_open(t);
	/* of two words each: those that stand together in the text before those of which one is in
	 * the name */
	assert_soft(t, "red green blue", "two.txt:2 red-2.md:2 one.txt:1");
	assert_soft(t, "red green blue ext:txt", "two.txt:2 one.txt:1");
	assert_soft(t, "red green blue -much", "red-2.md:2 one.txt:1");
	assert_soft(t, "\"red green\" blue", "two.txt:1");
	assert_soft(t, "red (green OR blue)", "two.txt:2 one.txt:1");
	g_autoptr(Query) single = parse("red ext:txt", NULL);
	g_assert_null(query_soften(single));
	g_autoptr(Query) any = parse("red OR green", NULL);
	g_assert_null(query_soften(any));
}

/* ---- pages */

static void append_page(Tree *t, const SearchOptions *options, GString *all)
{
	g_autoptr(Query) query = parse("filler", NULL);
	g_autoptr(SearchResult) result = search_run(t->r, query, options, NULL);
	g_assert_nonnull(result);
	for (guint i = 0; i < result->hits->len; i++)
		g_string_append_printf(
		        all, "%s\n", ((const Hit *)result->hits->pdata[i])->info.path);
}

/* Documents come and go after the second page; the hits shown and those that follow stay in
 * order. */
static void test_pages_while_the_index_changes(Tree *t, gconstpointer data)
{
	static const SortOrder sorts[] = {SORT_RELEVANCE, SORT_DATE, SORT_SIZE, SORT_PATH};
	for (size_t i = 0; i < G_N_ELEMENTS(sorts); i++) {
		SearchOptions options = {.limit = 1000, .sort = sorts[i], .uid = geteuid()};
		g_autoptr(GString) whole = g_string_new(NULL), pages = g_string_new(NULL);
		g_clear_pointer(&t->r, reader_close);
		add_others(t);
		tree_open(t);
		append_page(t, &options, whole);
		options.limit = 7;
		for (; options.offset < 42; options.offset += options.limit) {
			g_autofree char *path = g_strdup_printf("new/%zu-%u", i, options.offset);
			append_page(t, &options, pages);
			tree_text(t, path, "nothing of what is asked for");
			g_clear_pointer(&t->r, reader_close);
			tree_open(t);
		}
		g_assert_cmpstr(pages->str, ==, whole->str);
	}
}

#define ADD(name, function)                                                                        \
	g_test_add("/index/ranking/" name, Tree, NULL, tree_up, function, tree_down)

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	ADD("neighbours-first", test_neighbours_first);
	ADD("a-long-prefix-ranks", test_long_prefix);
	ADD("a-name-does-not-lose-neighbours", test_a_name_does_not_lose_neighbours);
	ADD("more-words-first", test_more_words_first);
	ADD("order-counts-for-all-words-only", test_order_counts_for_all_words_only);
	ADD("pages-apart-count-like-paragraphs", test_pages_apart_count_like_paragraphs);
	ADD("headings-and-menus-count", test_headings_and_menus_count);
	ADD("beginning-counts-in-long-queries", test_beginning_counts_in_long_queries);
	ADD("whole-names-first", test_whole_names_first);
	ADD("whole-titles-first", test_whole_titles_first);
	ADD("whole-titles-first-with-signs-added", test_whole_titles_with_signs_added);
	ADD("words-in-their-order-first", test_words_in_order_first);
	ADD("words-of-the-path", test_words_of_the_path);
	ADD("the-path-of-many-does-not-count", test_path_of_many);
	ADD("newer-documents-first", test_young_first);
	ADD("typed-form-first", test_typed_form_first);
	ADD("names-do-not-make-a-word-common", test_names_do_not_make_a_word_common);
	ADD("many-words-with-forms", test_many_words_with_forms);
	g_test_add_func("/index/ranking/score-grows-with-coverage", test_coverage);
	ADD("some-of-the-words-rank-by-their-number", test_some_of_the_words);
	ADD("pages-while-the-index-changes", test_pages_while_the_index_changes);
	return g_test_run();
}
