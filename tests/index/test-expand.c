/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/search/expand.h"
#include "index/search/search-private.h"
#include "index/search/snippet.h"
#include "index/text/stem.h"
#include "index/search/suggest.h"
#include "tests/index/search-test.h"
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

static bool has_form(const char *word, const char *language, const char *form)
{
	g_autoptr(GPtrArray) forms = g_ptr_array_new_with_free_func(g_free);
	stem_append_forms(forms, word, language);
	return g_ptr_array_find_with_equal_func(forms, form, g_str_equal, NULL);
}

static void test_forms(void)
{
	static const struct {
		const char *language, *word, *form;
	} forms[] = {
	        {"en", "run", "running"},
	        {"en", "running", "runs"},
	        {"en", "happy", "happiness"},
	        {"en", "happiness", "happy"},
	        {"en", "relational", "relate"},
	        {"en", "cities", "city"},
	        {"en", "use", "using"},
	        {"en", "making", "make"},
	        {"en", "dying", "die"},
	        {"en", "visible", "visibility"},
	        {"en", "represent", "represented"},
	        {"en", "require", "requirements"},
	        {"en", "generate", "generator"},
	        {"en_GB.UTF-8", "house", "houses"},
	        {"de", "katze", "katzen"},
	        {"de", "freundlich", "freundlichkeit"},
	        {"de", "apfeln", "apfel"},
	        {"de", "apfel", "apfeln"},
	        {"de", "regel", "regeln"},
	        {"fr", "maison", "maisons"},
	        {"es", "nacion", "naciones"},
	        {"it", "nazione", "nazioni"},
	        {"pt", "gato", "gatos"},
	        {"nl", "boek", "boeken"},
	        {"sv", "hund", "hundarna"},
	        {"da", "hund", "hundene"},
	        {"no", "hund", "hundene"},
	        {"fi", "talo", "talossa"},
	        {"ru", "книга", "книги"},
	};
	for (size_t i = 0; i < G_N_ELEMENTS(forms); i++)
		if (!has_form(forms[i].word, forms[i].language, forms[i].form))
			g_error("%s: %s has no form %s", forms[i].language, forms[i].word,
			        forms[i].form);
	g_assert_false(has_form("run", "en", "run"));
	g_assert_false(has_form("cat", "en", "catalogue"));
	g_assert_cmpuint(stem_language("tlh"), ==, 0);
	g_assert_cmpuint(stem_language("end"), ==, 0);
	g_assert_cmpuint(stem_language(NULL), ==, 0);
}

static bool has_prefix(const char *form, const char *const *starts)
{
	for (; *starts; starts++)
		if (g_str_has_prefix(form, *starts))
			return true;
	return false;
}

/* For every language of libstemmer: a word and a form of it in one script. */
static void test_looked_up_forms(void)
{
	static const struct {
		const char *language, *word, *form;
	} forms[] = {
	        {"ar", "مدرسة", "المدرسة"},
	        {"ca", "ciutat", "ciutats"},
	        {"el", "ανθρωποσ", "ανθρωπου"},
	        {"eu", "liburu", "liburuak"},
	        {"ga", "bord", "mbord"},
	        {"hi", "किताब", "किताबें"},
	        {"hu", "haz", "hazak"},
	        {"hy", "քաղաք", "քաղաքի"},
	        {"id", "baca", "membaca"},
	        {"id", "menulis", "penulis"},
	        {"lt", "knyga", "knygos"},
	        {"ne", "किताब", "किताबहरू"},
	        {"ro", "student", "studenti"},
	        {"sr", "књига", "књиге"},
	        {"ta", "புத்தகம்", "புத்தகங்கள்"},
	        {"tr_TR.UTF-8", "kitap", "kitaplar"},
	        {"yi", "הויז", "הויזן"},
	        {"fr", "cheval", "chevaux"},
	        {"fr", "heureuse", "heureux"},
	        {"nl", "boom", "bomen"},
	        {"de", "hauser", "haus"},
	        {"de", "vogeln", "vogel"},
	        {"tr", "goz", "gozler"},
	        {"tr", "gozlerin", "goz"},
	        {"tr", "kizlar", "kiz"},
	        {"tr", "gunler", "gun"},
	};
	for (size_t i = 0; i < G_N_ELEMENTS(forms); i++) {
		g_autoptr(StemMatcher) matcher = stem_matcher_new(forms[i].word, forms[i].language);
		if (!matcher)
			g_error("%s: %s has no forms", forms[i].language, forms[i].word);
		g_assert_cmpuint(stem_language(forms[i].language), !=, 0);
		if (!has_prefix(forms[i].form, stem_matcher_starts(matcher)) ||
		        !stem_matcher_matches(matcher, forms[i].form))
			g_printerr("%s: %s has no form %s\n", forms[i].language, forms[i].word,
			        forms[i].form),
			        g_test_fail();
		g_assert_false(stem_matcher_matches(matcher, forms[i].word));
		g_assert_false(stem_matcher_matches(matcher, "unrelated"));
	}
	g_assert_null(stem_matcher_new("run", "en"));
	g_assert_null(stem_matcher_new("a", "tr"));
	g_assert_null(stem_matcher_new("der", "de"));
	/* A word in another script has no forms in the language. */
	g_assert_null(stem_matcher_new("book", "ar"));
	g_assert_null(stem_matcher_new("книга", "hu"));
	g_autoptr(StemMatcher) latin = stem_matcher_new("knjiga", "sr");
	g_assert_nonnull(latin);
}

static void add_in_language(Tree *t, int number, const char *language, const char *text)
{
	g_autofree char *path = g_strdup_printf("%s-%d.txt", language, number);
	Entry entry = tree_make(t, path, text);
	Document *doc = document_new(NULL);
	doc->mime = g_strdup("text/plain");
	document_add_fact(doc, FIELD_LANGUAGE, language, strlen(language));
	document_add_text(doc, TAG_BODY, DOC_RUN_BLOCK, text, strlen(text));
	tree_convert(t, &entry, path, doc, NULL);
}

/* The languages are known however many documents in other languages were indexed later, and a
 * language is known from a single document if it has a script of its own. */
static void test_languages_of_old_documents(Tree *t, gconstpointer data)
{
	add_in_language(t, 0, "el", "οι δρόμοι");
	for (int i = 0; i < 60; i++)
		add_in_language(t, i, "fr", i == 7 ? "les chevaux" : "les autres");
	for (int i = 0; i < 2100; i++)
		add_in_language(t, i, "en", "the others");
	tree_open(t);
	assert_found(t, "cheval", "fr-7.txt");
	assert_found(t, "δρόμος", "el-0.txt");
}

static void test_language_of_the_documents(Tree *t, gconstpointer data)
{
	for (int i = 0; i < 50; i++) {
		g_autofree char *path = g_strdup_printf("%d.txt", i);
		g_autofree char *text = g_strdup_printf("belge%d %s", i, i == 7 ? "Kitaplar" : "");
		Entry entry = tree_make(t, path, text);
		Document *doc = document_new(NULL);
		doc->mime = g_strdup("text/plain");
		document_add_fact(doc, FIELD_LANGUAGE, "tr", 2);
		document_add_text(doc, TAG_BODY, DOC_RUN_BLOCK, text, strlen(text));
		tree_convert(t, &entry, text, doc, NULL);
	}
	tree_text(t, "kitabı.md", "ad");
	tree_open(t);
	assert_found(t, "kitap ext:txt", "7.txt");
	assert_found(t, "kitap ext:md", "kitabı.md");
	assert_found(t, "\"kitap\"", "");
}

static void test_stems(Tree *t, gconstpointer data)
{
	tree_text(t, "a.txt", "she was running home");
	tree_text(t, "b.txt", "a run of luck");
	tree_text(t, "runner-up.txt", "second");
	tree_open(t);
	assert_found(t, "runs", "b.txt a.txt");
	assert_found(t, "Runs", "b.txt a.txt");
	assert_found(t, "=Run", "b.txt");
	assert_found(t, "\"runs\"", "");
	assert_found(t, "body:run luck", "b.txt");
	assert_found(t, "run -\"running\"", "b.txt");
	const QueryOptions exact = {.exact = true, .cwd = "/"};
	g_autoptr(Query) query = parse("runs", &exact);
	const SearchOptions options = {.limit = 10, .uid = geteuid()};
	g_autoptr(SearchResult) result = search_run(t->r, query, &options, NULL);
	g_assert_cmpuint(result->hits->len, ==, 0);
}

/* data: each pattern has many terms, whose posting lists are read from the pages. */
static void test_patterns(Tree *t, gconstpointer data)
{
	search_many_forms = data ? 0 : QUERY_MAX_FORMS;
	tree_text(t, "a.txt", "the word sword swordfish");
	tree_text(t, "b.txt", "ward and Wörd");
	tree_text(t, "keyword-list.txt", "nothing");
	tree_open(t);
	assert_found(t, "*fish", "a.txt");
	assert_found(t, "w?rd -sword", "b.txt");
	assert_found(t, "w[!o]rd", "b.txt");
	assert_found(t, "filename:*wor*", "keyword-list.txt");
	assert_found(t, "body:*ord* body:[t]he", "a.txt");
	assert_found(t, "z?rd", "");
	assert_found(t, "z?rd OR ward", "b.txt");
	assert_found(t, "ward -z?rd", "b.txt");
	assert_found(t, "swrod~", "a.txt");
	assert_found(t, "wart~1", "b.txt");
	assert_found(t, "filename:keywrod~", "keyword-list.txt");
	assert_found(t, "zzzz~", "");
	assert_found(t, "*or* -*fish", "keyword-list.txt b.txt");
	assert_found(t, "*or* *ish", "a.txt");
	assert_found(t, "-*and *ord", "a.txt keyword-list.txt");
	assert_found(t, "*ord ext:txt -the -list", "b.txt");
	search_many_forms = QUERY_MAX_FORMS;
}

static void assert_too_many(Tree *t, const char *text, const char *number)
{
	const SearchOptions options = {.limit = 10, .uid = geteuid()};
	g_autoptr(GError) error = NULL;
	g_autoptr(Query) query = parse(text, NULL);
	g_autofree char *told = g_strdup_printf("more than %s words", number);
	g_assert_null(search_run(t->r, query, &options, &error));
	g_assert_error(error, QUERY_ERROR, 0);
	g_assert_nonnull(strstr(error->message, told));
}

/* More words than an expression takes are not an error, except in a phrase. */
static void test_many_words(Tree *t, gconstpointer data)
{
	g_autoptr(GString) text = g_string_new("alpha ");
	for (unsigned i = 0; i < 700; i++)
		g_string_append_printf(text, "x%u ", i);
	tree_text(t, "a.txt", text->str);
	tree_text(t, "b.txt", "alpha x700");
	tree_text(t, "c.txt", "alpha y1");
	tree_open(t);
	assert_found(t, "x12?", "a.txt");
	assert_found(t, "x?*", "a.txt b.txt");
	assert_found(t, "body:x?* alpha", "a.txt b.txt");
	assert_found(t, "title:x?*", "");
	assert_found(t, "alpha -x?*", "c.txt");
	assert_found(t, "-x?* ext:txt", "c.txt");
	assert_found(t, "x?* y1", "");
	assert_found(t, "(x?* OR y1) -x700", "c.txt a.txt");
	assert_found(t, "x?* ext:txt -x700", "a.txt");
	assert_too_many(t, "x?*-x?1*", "512");
}

/* A pattern that matches nearly the whole vocabulary does not fill the memory. */
static void test_too_many_words(Tree *t, gconstpointer data)
{
	g_autoptr(GString) text = g_string_new(NULL);
	for (unsigned i = 0; i < 20000; i++)
		g_string_append_printf(text, "x%u ", i);
	tree_text(t, "a.txt", text->str);
	tree_text(t, "b.txt", text->str + text->len / 2); /* in another segment */
	tree_open(t);
	unsigned before = expand_max_terms;
	expand_max_terms = 20000;
	assert_found(t, "x?*", "b.txt a.txt");
	expand_max_terms = 19999;
	assert_too_many(t, "x?*", "19999");
	assert_too_many(t, "ext:txt -x?*", "19999");
	expand_max_terms = before;
}

static void test_near(Tree *t, gconstpointer data)
{
	tree_text(t, "ab.txt", "alpha one two beta");
	tree_text(t, "ba.txt", "beta one two alpha");
	tree_text(t, "far.txt", "alpha one two three four five six beta gamma");
	tree_text(t, "aab.txt", "alpha one two three four alpha one beta");
	tree_open(t);
	assert_found(t, "alpha NEAR/2 beta ext:txt -filename:aab", "ab.txt ba.txt");
	assert_found(t, "alpha ADJ/2 beta -filename:aab", "ab.txt");
	assert_found(t, "alpha ADJ/1 beta", "aab.txt");
	assert_found(t, "\"alpha beta\"o2 -filename:aab", "ab.txt");
	assert_found(t, "\"beta alpha\"p2 -filename:aab", "ba.txt ab.txt");
	assert_found(t, "\"beta alpha\"o2", "ba.txt");
	assert_found(t, "alpha NEAR beta gamma", "far.txt");
	assert_found(t, "(alpha ADJ/2 beta) OR gamma -filename:aab", "far.txt ab.txt");
	assert_found(t, "\"two beta\" NEAR/1 alpha", "ab.txt");
	assert_found(t, "alpha NEAR/2 betas -filename:aab", "ab.txt ba.txt");
	assert_found(t, "alpha NEAR/1 bet*", "aab.txt");
}

static void test_near_in_names(Tree *t, gconstpointer data)
{
	tree_text(t, "alpha-of-beta.txt", "x");
	tree_text(t, "beta-of-alpha.txt", "y");
	tree_open(t);
	assert_found(t, "alpha ADJ/1 beta", "alpha-of-beta.txt");
	assert_found(t, "filename:(alpha NEAR/1 beta)", "beta-of-alpha.txt alpha-of-beta.txt");
}

static void test_offline(Tree *t, gconstpointer data)
{
	tree_text(t, "a.txt", "word");
	tree_open(t);
	assert_found(t, "word is:offline", "");
	g_autofree char *away = g_strconcat(t->root, ".away", NULL);
	g_assert_cmpint(g_rename(t->root, away), ==, 0);
	g_autoptr(SearchResult) result = search(t, "word is:offline", DUPS_COLLAPSE);
	g_assert_cmpuint(result->hits->len, ==, 1);
	g_assert_cmpstr(
	        info_state_name(&((const Hit *)result->hits->pdata[0])->info), ==, "offline");
	g_assert_cmpint(g_rename(away, t->root), ==, 0);
}

static bool checksum_of_file(
        const char *file, uint8_t checksum[CHECKSUM_BYTES], void *data, GError **error)
{
	g_autofree char *bytes = NULL;
	gsize length;
	g_assert_true(g_file_get_contents(file, &bytes, &length, error));
	checksum_of(ZERO_KEY, bytes, length, checksum);
	return true;
}

static void test_equal_to_file(Tree *t, gconstpointer data)
{
	tree_text(t, "a.txt", "same bytes");
	tree_text(t, "b.txt", "same bytes");
	tree_text(t, "c.txt", "other bytes");
	tree_open(t);
	g_autofree char *path = tree_path(t, "a.txt");
	g_autofree char *text = g_strdup_printf("dup:\"%s\"", path);
	g_autoptr(Query) query = parse(text, NULL);
	const QueryFiles files = {.checksum = checksum_of_file};
	const SearchOptions options = {.limit = 10, .dups = DUPS_SHOW, .uid = geteuid()};
	g_assert_true(query_resolve_files(query, &files, NULL));
	g_autoptr(SearchResult) result = search_run(t->r, query, &options, NULL);
	g_assert_cmpuint(result->hits->len, ==, 2);
}

static void assert_signs(Tree *t, const char *text, const char *paths, bool noted)
{
	const SearchOptions options = {.limit = 10, .dups = DUPS_SHOW, .uid = geteuid()};
	g_autoptr(Query) query = parse(text, NULL);
	g_autoptr(SearchResult) result = search_run(t->r, query, &options, NULL);
	g_assert_nonnull(result);
	g_assert_cmpint(query->notes && query->notes[0], ==, noted);
	assert_found(t, text, paths);
}

/* A word with signs that only an unreadable file has is searched without them. */
static void test_signs_that_may_be_told(Tree *t, gconstpointer data)
{
	tree_text(t, "gone.txt", "news of c++ and f#");
	tree_text(t, "here.txt", "vitamin c, plan f#");
	tree_make(t, "g++.txt", "");
	tree_open(t);
	assert_signs(t, "c++", "gone.txt", false);
	assert_signs(t, "name:g++", "g++.txt", false);
	g_autofree char *text = tree_path(t, "gone.txt"), *name = tree_path(t, "g++.txt");
	g_assert_cmpint(unlink(text), ==, 0);
	g_assert_cmpint(unlink(name), ==, 0);
	assert_signs(t, "c++", "here.txt", true);
	assert_signs(t, "f#", "here.txt", false);
	assert_signs(t, "name:g++", "", true);
}

static void test_parts(Tree *t, gconstpointer data)
{
	tree_text(t, "QuarterlyReport.txt", "nothing");
	Entry code = tree_make(t, "a.c", "code");
	Document *source = document_of("the call readXMLFile opens aB2CdEf");
	g_free(source->mime);
	source->mime = g_strdup("text/x-c");
	tree_convert(t, &code, "code", source, NULL);
	tree_text(t, "prose.txt", "the iMovie of a MacDonald");
	tree_open(t);
	assert_found(t, "quarterly report", "QuarterlyReport.txt");
	assert_found(t, "quarterlyreport", "QuarterlyReport.txt");
	assert_found(t, "QuarterlyReport", "QuarterlyReport.txt");
	assert_found(t, "xml", "a.c");
	assert_found(t, "\"call readxmlfile opens\"", "a.c");
	assert_found(t, "\"call file opens\"", "a.c");
	assert_found(t, "cd", "");
	assert_found(t, "donald", "");
	g_autoptr(Query) query = parse("\"file opens\"", NULL);
	g_autoptr(Document) doc = document_of("the call readXMLFile opens");
	g_autoptr(GPtrArray) snippets = snippet_make(doc, query, 1, 200);
	const Snippet *snippet = snippets->pdata[0];
	g_assert_cmpuint(g_array_index(snippet->marks, uint32_t, 0), ==, 9);
	g_assert_cmpuint(g_array_index(snippet->marks, uint32_t, 1), ==, 26);
}

static void test_dates(Tree *t, gconstpointer data)
{
	Document *mail = document_of("hello");
	Entry entry = tree_make(t, "m.eml", "mail");
	g_free(mail->mime);
	mail->mime = g_strdup("message/rfc822");
	g_assert_true(document_add_fact(mail, FIELD_DATE, "2026-05-20", 10));
	Document *part = document_of("a table");
	part->member = g_strdup("table.txt");
	tree_convert(t, &entry, "mail", mail, part, NULL);
	tree_text(t, "a.txt", "hello");
	tree_open(t);
	assert_found(t, "sent:2026-05", "m.eml");
	assert_found(t, "hello sent:2025", "");
	assert_found(t, "has:attachment", "m.eml");
	assert_found(t, "hello -has:attachment", "a.txt");
}

static void test_marks(Tree *t, gconstpointer data)
{
	tree_text(t, "a.txt", "x");
	tree_open(t);
	g_autoptr(Query) query = parse("runs s?n", NULL);
	const SearchOptions options = {.limit = 1, .uid = geteuid()};
	tree_text(t, "b.txt", "the sun and the son running");
	tree_open(t);
	g_autoptr(SearchResult) result = search_run(t->r, query, &options, NULL);
	g_autoptr(Document) doc = document_of("He was running in the sun.");
	g_autoptr(GPtrArray) snippets = snippet_make(doc, query, 1, 200);
	g_assert_cmpuint(snippets->len, ==, 1);
	const Snippet *snippet = snippets->pdata[0];
	g_assert_cmpuint(snippet->marks->len, ==, 4);
	g_assert_cmpuint(g_array_index(snippet->marks, uint32_t, 0), ==, 7);
	g_assert_cmpuint(g_array_index(snippet->marks, uint32_t, 1), ==, 14);
}

static void assert_missing(Tree *t, const char *text, const char *word, const char *better)
{
	const SearchOptions options = {.limit = 1, .uid = geteuid()};
	g_autoptr(Query) query = parse(text, NULL);
	g_autoptr(SearchResult) result = search_run(t->r, query, &options, NULL);
	g_autoptr(GPtrArray) missing = NULL;
	g_autoptr(GError) error = NULL;
	reader_missing(t->r, query, MISSING_NEAREST, &missing, &error);
	g_assert_no_error(error);
	g_assert_cmpuint(missing->len, ==, word ? 1 : 0);
	if (!word)
		return;
	const Missing *one = missing->pdata[0];
	g_assert_cmpstr(one->word, ==, word);
	g_assert_cmpstr(one->better, ==, better);
}

static void test_missing(Tree *t, gconstpointer data)
{
	tree_text(t, "a.txt", "configuration configuration");
	tree_text(t, "b.txt", "configurations of secrets");
	Entry gone = tree_text(t, "gone.txt", "password");
	tree_open(t);
	assert_missing(t, "confguration a", "confguration", "configuration");
	assert_missing(t, "secrets configuration", NULL, NULL);
	assert_missing(t, "secret", NULL, NULL);
	assert_missing(t, "xyzzy secrets", "xyzzy", NULL);
	assert_missing(t, "secrets -xyzzy", NULL, NULL);
	assert_missing(t, "xyz* se?rets", "xyz*", NULL);
	assert_missing(t, "conf* *.pdf", "*.pdf", NULL);
	assert_missing(t, "conf* *.txt secrets", NULL, NULL);
	assert_missing(t, "conf* -*.pdf", NULL, NULL);
	assert_missing(t, "xyzzyx~ secrets", "xyzzyx~", NULL);
	assert_missing(t, "secrets \"secrets configuration\"", "secrets configuration", NULL);
	assert_missing(
	        t, "secrets (secrets ADJ/2 configuration)", "(secrets ADJ/2 configuration)", NULL);
	assert_missing(t, "secrets lang:tlh", "lang:tlh", NULL);
	assert_missing(t, "secrets dir:/no/such", "dir:/no/such", NULL);
	assert_missing(t, "secrets -lang:tlh", NULL, NULL);
	assert_missing(t, "lang:tlh", NULL, NULL);
	assert_missing(t, "\"confguration of sec*\"", "confguration", "configuration");
	assert_missing(t, "\"secrets of conf*\"", "secrets of conf*", NULL);
	assert_missing(t, "pasword", "pasword", "password");
	OK(writer_remove(t->index.w, gone.node, error));
	tree_open(t);
	assert_missing(t, "pasword", "pasword", NULL);
}

static void test_distance(void)
{
	g_assert_cmpuint(expand_distance("kitten", "sitting", 3), ==, 3);
	g_assert_cmpuint(expand_distance("ab", "ba", 2), ==, 1);
	g_assert_cmpuint(expand_distance("größe", "grösse", 2), ==, 2);
	g_assert_cmpuint(expand_distance("", "abc", 2), ==, 3);
	g_assert_cmpuint(expand_distance("same", "same", 0), ==, 0);
	g_assert_cmpuint(expand_distance("abcdef", "uvwxyz", 2), ==, 3);
}

#define ADD(name, function)                                                                        \
	g_test_add("/index/expand/" name, Tree, NULL, tree_up, function, tree_down)

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/index/expand/forms-share-a-stem", test_forms);
	g_test_add_func("/index/expand/distance-counts-edits", test_distance);
	g_test_add_func(
	        "/index/expand/forms-are-looked-up-in-the-vocabulary", test_looked_up_forms);
	ADD("forms-follow-the-language-of-the-documents", test_language_of_the_documents);
	ADD("forms-follow-documents-without-language", test_languages_of_old_documents);
	ADD("stems-expand-to-their-forms", test_stems);
	ADD("patterns-expand-to-words", test_patterns);
	g_test_add("/index/expand/patterns-with-many-words", Tree, GINT_TO_POINTER(true), tree_up,
	        test_patterns, tree_down);
	ADD("many-words", test_many_words);
	ADD("too-many-words", test_too_many_words);
	ADD("near-finds-words-within-a-distance", test_near);
	ADD("near-finds-words-in-names", test_near_in_names);
	ADD("is-offline-finds-offline-files", test_offline);
	ADD("dup-finds-equal-files", test_equal_to_file);
	ADD("signs-of-unreadable-files-are-left-out", test_signs_that_may_be_told);
	ADD("parts-of-compound-names-and-identifiers-match", test_parts);
	ADD("dates-restrict", test_dates);
	ADD("marked-letters-match-plain-ones", test_marks);
	ADD("a-term-without-match-is-named-with-a-suggestion", test_missing);
	return g_test_run();
}
