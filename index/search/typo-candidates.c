/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/search/typo-candidates.h"
#include "index/fts/term-scan.h"
#include "index/text/typo.h"
#include "common/base/text.h"
#include <string.h>

/* A near term takes the time of so many far ones. */
enum { SOUNDS = 40, NEAR_TERMS = 50 };

/* In a word of so many letters one edit more is looked for, if nothing lies nearer. */
enum { LONG_WORD = 9 };

typedef struct {
	Reader *r;
	Typo typo;
	const char *word;
	bool only_names;
	bool common; /* only common mistakes are looked for */
	const char *skipped; /* terms that begin so were read before; NULL: none */
	unsigned terms_left; /* how many terms may still be compared */
	unsigned worst; /* the candidates are full, and worse ones are not wanted */
	GArray *found; /* TypoCandidate; a term may be here several times */
} TypoLookup;

static void typo_clear_candidate(void *data)
{
	g_free(((TypoCandidate *)data)->term);
}

static int typo_compare_candidates(const void *a, const void *b)
{
	const TypoCandidate *x = a, *y = b;
	if (x->cost != y->cost)
		return x->cost < y->cost ? -1 : 1;
	return strcmp(x->term, y->term);
}

/* Sorts the candidates, drops repetitions and those after the best ones. */
static void typo_keep_best(TypoLookup *lookup)
{
	GArray *found = lookup->found;
	g_array_sort(found, typo_compare_candidates);
	guint kept = 0;
	for (guint i = 0; i < found->len; i++) {
		TypoCandidate *candidate = &g_array_index(found, TypoCandidate, i);
		TypoCandidate *last =
		        kept > 0 ? &g_array_index(found, TypoCandidate, kept - 1) : NULL;
		if (kept == TYPO_CANDIDATES || (last && strcmp(last->term, candidate->term) == 0))
			continue;
		TypoCandidate *place = &g_array_index(found, TypoCandidate, kept++);
		if (place != candidate) {
			TypoCandidate other = *place;
			*place = *candidate;
			*candidate = other;
		}
	}
	g_array_set_size(found, kept);
	if (kept == TYPO_CANDIDATES)
		lookup->worst = g_array_index(found, TypoCandidate, kept - 1).cost;
}

static void typo_add_candidate(TypoLookup *lookup, const char *term, unsigned cost)
{
	enum { ROOM = 4 * TYPO_CANDIDATES };
	if (cost == 0 || cost >= lookup->worst)
		return;
	TypoCandidate candidate = {g_strdup(term), cost};
	g_array_append_val(lookup->found, candidate);
	if (lookup->found->len >= ROOM)
		typo_keep_best(lookup);
}

static bool typo_look_at_term(void *data, const char *term)
{
	TypoLookup *lookup = data;
	if (lookup->terms_left == 0)
		return false;
	lookup->terms_left--;
	if (lookup->skipped && g_str_has_prefix(term, lookup->skipped))
		return true;
	unsigned cost = typo_cost(&lookup->typo, term);
	if (cost != TYPO_FAR) {
		lookup->terms_left -= MIN(lookup->terms_left, NEAR_TERMS);
		typo_add_candidate(lookup, term, cost);
	}
	return true;
}

/* Compares the terms that begin with these letters, n of them. */
static bool typo_scan(TypoLookup *lookup, const gunichar *letters, unsigned n, GError **error)
{
	g_autofree char *start = g_ucs4_to_utf8(letters, n, NULL, NULL, NULL);
	return !start || lookup->terms_left == 0 ||
	       ((lookup->only_names || term_scan(lookup->r, TERMS_OF_TEXT, start, typo_look_at_term,
	                                       lookup, error)) &&
	               term_scan(
	                       lookup->r, TERMS_OF_NAMES, start, typo_look_at_term, lookup, error));
}

/* The letters of the script that the letter is of, as the index folds them. */
static const char *typo_alphabet(gunichar letter)
{
	switch (g_unichar_get_script(letter)) {
	case G_UNICODE_SCRIPT_LATIN:
		return "abcdefghijklmnopqrstuvwxyz";
	case G_UNICODE_SCRIPT_CYRILLIC:
		return "абвгдежзиклмнопрстуфхцчшщъыьэюя";
	case G_UNICODE_SCRIPT_GREEK:
		return "αβγδεζηθικλμνξοπρστυφχψω";
	default:
		return "";
	}
}

/* The first letter is wrong, or it is missing. */
static bool typo_scan_other_letters(TypoLookup *lookup, GError **error)
{
	const gunichar *letters = lookup->typo.letters;
	for (const char *at = typo_alphabet(letters[0]); *at; at = g_utf8_next_char(at)) {
		gunichar wrong[] = {g_utf8_get_char(at), letters[1], letters[2]};
		gunichar missing[] = {wrong[0], letters[0], letters[1]};
		if (wrong[0] != letters[0] && (!typo_scan(lookup, wrong, 3, error) ||
		                                      !typo_scan(lookup, missing, 3, error)))
			return false;
	}
	return true;
}

static bool typo_scan_vocabulary(TypoLookup *lookup, GError **error)
{
	const gunichar *letters = lookup->typo.letters;
	const gunichar swapped[] = {letters[1], letters[0]};
	g_autofree char *both = g_ucs4_to_utf8(letters, 2, NULL, NULL, NULL);
	if (!typo_scan(lookup, letters, 2, error))
		return false;
	lookup->skipped = both;
	bool ok = typo_scan(lookup, letters, 1, error);
	lookup->skipped = NULL;
	ok = ok && (swapped[0] == swapped[1] || typo_scan(lookup, swapped, 2, error));
	return ok && (lookup->common || (typo_scan(lookup, letters + 1, 2, error) &&
	                                        typo_scan_other_letters(lookup, error)));
}

/* Looks up what sounds like the word and lies more edits away. */
static bool typo_look_up_sounds(TypoLookup *lookup, GError **error)
{
	g_autoptr(GPtrArray) sounds = typo_sounds(lookup->word, SOUNDS);
	g_autofree bool *exist = g_new0(bool, sounds->len + 1);
	g_ptr_array_sort(sounds, text_compare_elements);
	const char *const *terms = (const char *const *)sounds->pdata;
	if ((!lookup->only_names &&
	            !terms_exist(lookup->r, TERMS_OF_TEXT, terms, sounds->len, exist, error)) ||
	        !terms_exist(lookup->r, TERMS_OF_NAMES, terms, sounds->len, exist, error))
		return false;
	for (guint i = 0; i < sounds->len; i++)
		if (exist[i])
			typo_add_candidate(
			        lookup, terms[i], typo_cost_of_any(&lookup->typo, terms[i]));
	return true;
}

GArray *typo_candidates(
        Reader *r, const char *word, bool only_names, unsigned most_cost, GError **error)
{
	TypoLookup lookup = {.r = r,
	        .word = word,
	        .only_names = only_names,
	        .common = most_cost <= TYPO_COMMON,
	        .terms_left = TYPO_TERMS,
	        .worst = MIN(most_cost, TYPO_FAR - 1) + 1};
	g_autoptr(GArray) found = g_array_new(FALSE, FALSE, sizeof(TypoCandidate));
	g_array_set_clear_func(found, typo_clear_candidate);
	lookup.found = found;
	typo_init(&lookup.typo, word);
	if (lookup.common)
		lookup.typo.max_edits = MIN(lookup.typo.max_edits, 1);
	if (lookup.typo.max_edits > 0 &&
	        (!typo_look_up_sounds(&lookup, error) || !typo_scan_vocabulary(&lookup, error)))
		return NULL;
	if (found->len == 0 && lookup.typo.max_edits > 1 && lookup.typo.n >= LONG_WORD) {
		lookup.typo.max_edits++;
		lookup.terms_left = TYPO_TERMS;
		if (!typo_scan_vocabulary(&lookup, error))
			return NULL;
	}
	typo_keep_best(&lookup);
	return g_steal_pointer(&found);
}
