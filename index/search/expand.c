/* SPDX-License-Identifier: GPL-3.0-or-later */
/* expand.c - finds the terms that count as a word of the query: its forms, the terms that match a
 * pattern, and the terms with a similar spelling */
#include <config.h>
#include "index/search/expand.h"
#include "index/search/languages.h"
#include "index/search/signed-words.h"
#include "index/text/stem.h"
#include "index/text/word-signs.h"
#include "index/fts/term-scan.h"
#include "common/base/glob.h"
#include "common/base/i18n.h"
#include "index/text/tokenizer.h"
#include "index/text/typo.h"
#include "common/base/text.h"
#include <string.h>

enum { CHECKED_TERMS = 16 * QUERY_MAX_FORMS };
unsigned expand_max_terms = 1000 * 1000; /* up to 100 MiB */

/* ---- forms by language */

typedef struct {
	Reader *r;
	GPtrArray *languages; /* NULL: not read yet */
	uint32_t bits; /* one bit for each of the languages */
} Expansion;

static void add_language(void *data, const char *language)
{
	Expansion *x = data;
	uint32_t bit = stem_language(language);
	if ((bit & ~x->bits) == 0)
		return;
	x->bits |= bit;
	g_ptr_array_add(x->languages, g_strdup(language));
}

static bool find_languages(Expansion *x, GError **error)
{
	x->languages = g_ptr_array_new_with_free_func(g_free);
	add_language(x, "en");
	for (const char *const *name = g_get_language_names(); *name; name++)
		add_language(x, *name);
	return languages_each(x->r, add_language, x, error);
}

typedef struct {
	StemMatcher *matcher;
	GPtrArray *forms;
} FormLookup;

static bool add_matched(void *data, const char *term)
{
	const FormLookup *lookup = data;
	if (stem_matcher_matches(lookup->matcher, term) &&
	        !g_ptr_array_find_with_equal_func(lookup->forms, term, g_str_equal, NULL))
		g_ptr_array_add(lookup->forms, g_strdup(term));
	return true;
}

/* Adds the indexed terms that are forms of the word in a language without a known list of
 * endings. */
static bool look_up_forms(
        Reader *r, const char *word, const char *language, GPtrArray *forms, GError **error)
{
	g_autoptr(StemMatcher) matcher = stem_matcher_new(word, language);
	FormLookup lookup = {matcher, forms};
	if (!matcher)
		return true;
	for (const char *const *start = stem_matcher_starts(matcher); *start; start++)
		if (!term_scan(r, TERMS_OF_TEXT, *start, add_matched, &lookup, error) ||
		        !term_scan(r, TERMS_OF_NAMES, *start, add_matched, &lookup, error))
			return false;
	return true;
}

/* Drops the forms that are not in the index: FTS5 looks up every synonym for every document, so
 * useless ones are expensive. */
static bool keep_held(Reader *r, GPtrArray *forms, GError **error)
{
	const char *const *terms = (const char *const *)forms->pdata;
	g_autofree bool *held = g_new0(bool, forms->len);
	g_ptr_array_sort(forms, text_compare_elements);
	if (!terms_exist(r, TERMS_OF_TEXT, terms, forms->len, held, error) ||
	        !terms_exist(r, TERMS_OF_NAMES, terms, forms->len, held, error))
		return false;
	for (guint i = forms->len; i-- > 0;)
		if (!held[i])
			g_ptr_array_remove_index(forms, i);
	return true;
}

/* ---- terms of the index */

typedef struct {
	const char *low; /* the letters that every term begins with */
	const GlobSet *pattern; /* NULL: only the word decides */
	const char *run; /* bytes that every match has one after the other; "": unknown */
	const char *word;
	unsigned edits;
	GPtrArray *forms; /* the terms found; a term may be here several times */
	guint checked; /* with so many, repetitions are dropped */
	unsigned most; /* more terms are an error */
} Wanted;

unsigned expand_distance(const char *a, const char *b, unsigned max)
{
	glong n, m;
	g_autofree gunichar *x = g_utf8_to_ucs4_fast(a, -1, &n),
	                    *y = g_utf8_to_ucs4_fast(b, -1, &m);
	return n > TOKEN_MAX_BYTES || m > TOKEN_MAX_BYTES ? max + 1 : typo_edits(x, n, y, m, max);
}

static bool expand_is_wanted(const Wanted *wanted, const char *term)
{
	if (!strstr(term, wanted->run))
		return false;
	if (!g_utf8_validate(term, -1, NULL)) /* the index is damaged */
		return false;
	if (wanted->pattern)
		return glob_set_match(wanted->pattern, term, strlen(term)) != 0;
	return expand_distance(wanted->word, term, wanted->edits) <= wanted->edits;
}

static bool fail_many(unsigned most, GError **error)
{
	g_set_error(error, QUERY_ERROR, 0,
	        _("a pattern matches more than %u words of the index; make it longer"), most);
	return false;
}

/* A term that is in many segments is found many times. The array owns its strings. */
static void drop_repetitions(GPtrArray *forms)
{
	guint kept = 0;
	g_ptr_array_sort(forms, text_compare_elements);
	for (guint i = 0; i < forms->len; i++) {
		char *form = g_steal_pointer(&forms->pdata[i]);
		if (kept > 0 && strcmp(form, forms->pdata[kept - 1]) == 0)
			g_free(form);
		else
			forms->pdata[kept++] = form;
	}
	g_ptr_array_set_size(forms, (int)kept);
}

static bool expand_add_form(void *data, const char *term)
{
	Wanted *wanted = data;
	if (expand_is_wanted(wanted, term))
		g_ptr_array_add(wanted->forms, g_strdup(term));
	if (wanted->forms->len < wanted->checked)
		return true;
	drop_repetitions(wanted->forms);
	wanted->checked = MAX(CHECKED_TERMS, 2 * wanted->forms->len);
	return wanted->forms->len <= wanted->most;
}

/* Returns the letters before the first wildcard of a pattern. For a fuzzy word this is the first
 * letter, which is assumed to be right. */
static char *fixed_letters(const QueryNode *node, const char *token)
{
	if (node->edits > 0)
		return g_strndup(token, g_utf8_next_char(token) - token);
	return g_strndup(token, strcspn(token, "*?["));
}

/* Returns the longest run of bytes between wildcards, before the first class ("[ab]"). A fuzzy word
 * has none. */
static char *longest_run(const QueryNode *node, const char *token)
{
	const char *longest = token;
	size_t most = 0;
	while (node->edits == 0 && *token && *token != '[') {
		size_t n = strcspn(token, "*?[");
		if (n > most) {
			longest = token;
			most = n;
		}
		token += n;
		token += strspn(token, "*?");
	}
	return g_strndup(longest, most);
}

static GlobSet *expand_pattern(const char *token)
{
	GlobSet *pattern = glob_set_new(GLOB_SQLITE);
	glob_set_add(pattern, token);
	glob_set_compile(pattern);
	return pattern;
}

/* Patterns on whole names do not need the terms of the names (index/search/search-names.c). */
static bool expand_by_vocabulary(
        Reader *r, const QueryNode *node, const char *token, GPtrArray *forms, GError **error)
{
	g_autofree char *low = fixed_letters(node, token), *run = longest_run(node, token);
	g_autoptr(GlobSet) pattern = node->edits > 0 ? NULL : expand_pattern(token);
	unsigned most = query_may_have_many_forms(node) ? expand_max_terms : QUERY_MAX_FORMS;
	Wanted wanted = {low, pattern, run, token, node->edits, forms, CHECKED_TERMS, most};
	bool names = !node->pattern && query_matches_names(node);
	if (query_matches_only_names(node))
		return true;
	if (!term_scan(r, TERMS_OF_TEXT, low, expand_add_form, &wanted, error) ||
	        (names && !term_scan(r, TERMS_OF_NAMES, low, expand_add_form, &wanted, error)))
		return false;
	drop_repetitions(forms);
	return forms->len <= most || fail_many(most, error);
}

/* ---- the tree */

/* Returns a NULL-terminated array, or NULL if there are no forms. Takes ownership of forms. */
static char **to_strings(GPtrArray *forms)
{
	bool any = forms->len > 0;
	g_ptr_array_add(forms, NULL);
	g_ptr_array_set_free_func(forms, NULL);
	char **strings = (char **)g_ptr_array_free(forms, !any);
	return any ? strings : NULL;
}

static bool expand_has_letters(const char *word)
{
	for (; *word; word++)
		if (g_ascii_isdigit(*word))
			return false;
	return true;
}

/* Adds a form that counts in these languages. */
static void add_form(
        const char *form, uint32_t languages, GPtrArray *forms, GHashTable *languages_of)
{
	uint32_t bits = GPOINTER_TO_UINT(g_hash_table_lookup(languages_of, form));
	if (bits == 0)
		g_ptr_array_add(forms, g_strdup(form));
	g_hash_table_insert(languages_of, g_strdup(form), GUINT_TO_POINTER(bits | languages));
}

/* Adds the forms in one language and sets the bit of the language for each of them in
 * languages_of. */
static bool expand_add_forms(Expansion *x, const char *word, const char *language, GPtrArray *forms,
        GHashTable *languages_of, GError **error)
{
	g_autoptr(GPtrArray) own = g_ptr_array_new_with_free_func(g_free);
	stem_append_forms(own, word, language);
	if (!look_up_forms(x->r, word, language, own, error))
		return false;
	for (guint i = 0; i < own->len; i++)
		add_form(own->pdata[i], stem_language(language), forms, languages_of);
	return true;
}

/* Returns the languages of each form, or NULL if every form counts in all languages. */
static uint32_t *form_languages(
        const Expansion *x, const GPtrArray *forms, GHashTable *languages_of)
{
	g_autofree uint32_t *languages = g_new(uint32_t, forms->len);
	bool all = true;
	for (guint i = 0; i < forms->len; i++) {
		languages[i] = GPOINTER_TO_UINT(g_hash_table_lookup(languages_of, forms->pdata[i]));
		all &= languages[i] == x->bits;
	}
	return all ? NULL : g_steal_pointer(&languages);
}

/* The languages in which another spelling counts. Umlauts are written as two letters in four of
 * them. A short word that looks like it is more often another word ("does"), so it counts in texts
 * of these languages only. */
static uint32_t spelling_languages(const Expansion *x, const char *word)
{
	enum { SHORT = 4 };
	uint32_t all = stem_language("de") | stem_language("da") | stem_language("no") |
	               stem_language("sv");
	return strlen(word) > SHORT || !g_str_is_ascii(word) ? x->bits : all;
}

/* Adds other spellings of the word, and the forms of all in German, which has most of them: also in
 * an index with so few German texts that its forms are not looked for otherwise. */
static bool add_spellings(Expansion *x, const QueryNode *node, GPtrArray *forms,
        GHashTable *languages_of, GError **error)
{
	if (node->spellings &&
	        !expand_add_forms(x, node->tokens[0], "de", forms, languages_of, error))
		return false;
	for (char **spelling = node->spellings; spelling && *spelling; spelling++) {
		add_form(*spelling, spelling_languages(x, node->tokens[0]), forms, languages_of);
		if (!expand_add_forms(x, *spelling, "de", forms, languages_of, error))
			return false;
	}
	return true;
}

static bool find_forms(Expansion *x, QueryNode *node, size_t i, GPtrArray *forms, GError **error)
{
	g_autoptr(GHashTable) languages_of =
	        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	if (!x->languages && !find_languages(x, error))
		return false;
	for (guint k = 0; k < x->languages->len; k++)
		if (!expand_add_forms(
		            x, node->tokens[i], x->languages->pdata[k], forms, languages_of, error))
			return false;
	if (!add_spellings(x, node, forms, languages_of, error) || !keep_held(x->r, forms, error))
		return false;
	node->form_languages[i] = form_languages(x, forms, languages_of);
	return true;
}

static bool expand_word(Expansion *x, QueryNode *node, size_t i, GError **error)
{
	g_autoptr(GPtrArray) forms = g_ptr_array_new_with_free_func(g_free);
	const char *token = node->tokens[i];
	bool inflected = !node->exact && !node->prefix && expand_has_letters(token) &&
	                 !word_is_signed(token, strlen(token));
	bool ok = true;
	if (query_token_is_listed(node, i))
		ok = expand_by_vocabulary(x->r, node, token, forms, error);
	else if (inflected)
		ok = find_forms(x, node, i, forms, error);
	if (ok)
		node->forms[i] = to_strings(g_steal_pointer(&forms));
	return ok;
}

/* The joined words of a phrase, and the forms of an only one, which count in all documents. */
static bool expand_joined(Expansion *x, QueryNode *node, GError **error)
{
	g_autoptr(GPtrArray) forms = g_ptr_array_new_with_free_func(g_free);
	const char *word = node->joined[0];
	bool inflected = !node->joined[1] && expand_has_letters(word);
	if (inflected && !x->languages && !find_languages(x, error))
		return false;
	for (guint k = 0; inflected && k < x->languages->len; k++) {
		const char *language = x->languages->pdata[k];
		stem_append_forms(forms, word, language);
		if (!look_up_forms(x->r, word, language, forms, error))
			return false;
	}
	for (char **joined = node->joined; *joined; joined++)
		g_ptr_array_add(forms, g_strdup(*joined));
	if (!keep_held(x->r, forms, error))
		return false;
	drop_repetitions(forms);
	node->joined_forms = to_strings(g_steal_pointer(&forms));
	return true;
}

static bool expand_node(Expansion *x, QueryNode *node, GError **error)
{
	for (guint i = 0; node->children && i < node->children->len; i++)
		if (!expand_node(x, node->children->pdata[i], error))
			return false;
	if (node->op != QUERY_WORDS)
		return true;
	guint n = g_strv_length(node->tokens);
	node->forms = g_new0(char **, n);
	node->form_languages = g_new0(uint32_t *, n);
	for (size_t i = 0; node->tokens[i]; i++)
		if (!expand_word(x, node, i, error))
			return false;
	return !node->joined || expand_joined(x, node, error);
}

bool query_expand(Query *query, Reader *r, GError **error)
{
	Expansion x = {.r = r};
	if (query->expanded)
		return true;
	if (!signed_words_resolve(query, r, error))
		return false;
	query->expanded = true;
	bool ok = expand_node(&x, query->root, error);
	query->languages = x.bits;
	g_clear_pointer(&x.languages, g_ptr_array_unref);
	return ok;
}
