/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/search/compounds.h"
#include "index/fts/term-scan.h"
#include <string.h>

enum { COMPOUND_START = 5, COMPOUND_LONGER = 2, COMPOUND_TERMS = 64, COMPOUND_COUNTED = 1000 };
/* A scan of so many terms takes some 100 ms. */
enum { COMPOUND_FIRST_PART = 3, COMPOUND_SCANNED = 1000 * 1000 };

typedef struct {
	char *term;
	uint64_t found; /* texts and names that have it */
} Compound;

static void compound_clear(void *compound)
{
	g_free(((Compound *)compound)->term);
}

typedef struct {
	GHashTable *terms; /* a set of char * */
	glong letters; /* of the word */
	unsigned left;
	bool lacks_last; /* a term is one letter longer */
} CompoundScan;

static bool compounds_take_term(void *data, const char *term)
{
	CompoundScan *scan = data;
	glong longer = g_utf8_strlen(term, -1) - scan->letters;
	scan->lacks_last |= longer == 1;
	if (longer >= COMPOUND_LONGER && g_hash_table_add(scan->terms, g_strdup(term)))
		scan->left--;
	return scan->left > 0 && !scan->lacks_last;
}

static bool compounds_scan(
        Reader *r, const char *word, bool only_names, CompoundScan *scan, GError **error)
{
	scan->left = COMPOUND_TERMS;
	if (!only_names && !term_scan(r, TERMS_OF_TEXT, word, compounds_take_term, scan, error))
		return false;
	scan->left = COMPOUND_TERMS;
	return scan->lacks_last ||
	       term_scan(r, TERMS_OF_NAMES, word, compounds_take_term, scan, error);
}

static int compounds_compare(const void *a, const void *b)
{
	const Compound *x = a, *y = b;
	int frequent = (x->found < y->found) - (x->found > y->found);
	return frequent != 0 ? frequent : strcmp(x->term, y->term);
}

/* GArray of Compound; NULL with error. */
static GArray *compounds_count(Reader *r, GHashTable *terms, GError **error)
{
	g_autoptr(GArray) counted = g_array_new(FALSE, FALSE, sizeof(Compound));
	GHashTableIter each;
	gpointer key;
	g_array_set_clear_func(counted, compound_clear);
	g_hash_table_iter_init(&each, terms);
	while (g_hash_table_iter_next(&each, &key, NULL)) {
		const char *term = key;
		uint64_t texts, names;
		if (!terms_count_documents(
		            r, TERMS_OF_TEXT, &term, 1, COMPOUND_COUNTED, &texts, error) ||
		        !terms_count_documents(
		                r, TERMS_OF_NAMES, &term, 1, COMPOUND_COUNTED, &names, error))
			return NULL;
		Compound compound = {g_strdup(term), texts + names};
		g_array_append_val(counted, compound);
	}
	g_array_sort(counted, compounds_compare);
	return g_steal_pointer(&counted);
}

/* The most frequent first; NULL with error. */
static GPtrArray *compounds_list(Reader *r, GHashTable *terms, GError **error)
{
	g_autoptr(GArray) counted = compounds_count(r, terms, error);
	if (!counted)
		return NULL;
	GPtrArray *out = g_ptr_array_new_with_free_func(g_free);
	for (guint i = 0; i < counted->len; i++)
		g_ptr_array_add(out, g_strdup(g_array_index(counted, Compound, i).term));
	return out;
}

GPtrArray *compounds_of(Reader *r, const char *word, bool only_names, GError **error)
{
	g_autoptr(GHashTable) terms = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	CompoundScan scan = {terms, g_utf8_strlen(word, -1), 0, false};
	if (scan.letters >= COMPOUND_START && !compounds_scan(r, word, only_names, &scan, error))
		return NULL;
	if (scan.lacks_last)
		g_hash_table_remove_all(terms);
	return compounds_list(r, terms, error);
}

typedef struct {
	GHashTable *terms; /* a set of char * */
	const char *word;
	unsigned scanned;
} EndingScan;

static bool compounds_take_ending(void *data, const char *term)
{
	EndingScan *scan = data;
	if (g_str_has_suffix(term, scan->word) &&
	        g_utf8_strlen(term, strlen(term) - strlen(scan->word)) >= COMPOUND_FIRST_PART)
		g_hash_table_add(scan->terms, g_strdup(term));
	return ++scan->scanned < COMPOUND_SCANNED &&
	       g_hash_table_size(scan->terms) < COMPOUND_TERMS;
}

GPtrArray *compounds_ending(Reader *r, const char *word, bool only_names, GError **error)
{
	g_autoptr(GHashTable) terms = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	EndingScan scan = {terms, word, 0};
	if (g_utf8_strlen(word, -1) >= COMPOUND_START &&
	        ((!only_names &&
	                 !term_scan(r, TERMS_OF_TEXT, "", compounds_take_ending, &scan, error)) ||
	                !term_scan(r, TERMS_OF_NAMES, "", compounds_take_ending, &scan, error)))
		return NULL;
	return compounds_list(r, terms, error);
}
