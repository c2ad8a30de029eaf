/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/search/meaning-share.h"
#include "common/base/compare.h"
#include "index/meaning/stored.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double most_share = 0.5, agreement_slope = 2;
/* So many of the first matches turn the query, and so many tell whether words and model agree. */
enum { MEANING_TURNING = 10, MEANING_AGREEING = 50, MEANING_FEWEST = 6, MEANING_FEWEST_WORDS = 2 };

typedef struct {
	SearchMatch *match;
	MeaningVector vector;
	bool known; /* the document has a vector */
	double agreement; /* cosine with the words of the query */
	double likeness; /* cosine with the turned query, 0 or more */
} MeaningMatch;

/* ---- the query */

/* Is it made of plain words alone, so that nobody asks for a phrase, a name or a pattern? */
static bool meaning_has_plain_words(const QueryPlan *plan)
{
	unsigned words = 0;
	for (guint i = 0; i < plan->terms->len; i++) {
		const SearchTerm *term = &g_array_index(plan->terms, SearchTerm, i);
		const QueryNode *node = term->node;
		if (!term->scored)
			continue;
		if (node->scope != SCOPE_ANY || node->exact || node->path || node->pattern ||
		        node->prefix || node->edits > 0 || node->tokens[1])
			return false;
		words++;
	}
	return words >= MEANING_FEWEST_WORDS;
}

/* The words that raise the score, as often as they were written. */
static GArray *meaning_hashes(const QueryPlan *plan)
{
	GArray *hashes = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	for (guint i = 0; i < plan->terms->len; i++) {
		const SearchTerm *term = &g_array_index(plan->terms, SearchTerm, i);
		if (!term->scored)
			continue;
		const char *token = term->node->tokens[0];
		uint32_t hash = meaning_hash(token, strlen(token));
		g_array_append_val(hashes, hash);
	}
	g_array_sort(hashes, compare_uint32);
	return hashes;
}

/* *known_r: a word of the query is in the model. */
static bool meaning_of_query(const Search *s, MeaningVector *query, bool *known_r, GError **error)
{
	g_autoptr(GArray) hashes = meaning_hashes(s->plan);
	g_autoptr(MeaningModel) model = meaning_model_new();
	float sum[MEANING_DIMENSIONS] = {0};
	for (guint i = 0, n; i < hashes->len; i += n) {
		uint32_t hash = g_array_index(hashes, uint32_t, i);
		MeaningWord word;
		for (n = 1; i + n < hashes->len; n++)
			if (g_array_index(hashes, uint32_t, i + n) != hash)
				break;
		if (!stored_read_part(s->r, model, meaning_part_of(hash), error))
			return false;
		if (meaning_model_find(model, hash, &word))
			meaning_vector_add(sum, &word.vector, word.weight * (1 + logf(n)));
	}
	*known_r = meaning_vector_round(sum, query);
	return true;
}

/* ---- the best matches */

static int meaning_compare_orders(const void *a, const void *b)
{
	const SearchMatch *x = ((const MeaningMatch *)a)->match,
	                  *y = ((const MeaningMatch *)b)->match;
	if (x->order != y->order)
		return x->order > y->order ? -1 : 1;
	return x->document < y->document ? -1 : x->document > y->document;
}

/* Moves the least order of a heap down to its place. */
static void meaning_sift(MeaningMatch *heap, guint n)
{
	MeaningMatch moving = heap[0];
	guint at = 0;
	for (guint child; (child = 2 * at + 1) < n; at = child) {
		if (child + 1 < n && meaning_compare_orders(&heap[child + 1], &heap[child]) > 0)
			child++;
		if (meaning_compare_orders(&heap[child], &moving) <= 0)
			break;
		heap[at] = heap[child];
	}
	heap[at] = moving;
}

/* Returns the best matches, the best first. The caller owns the list; the matches are those of m.
 */
static GArray *meaning_best(const Matches *m)
{
	GArray *best = g_array_new(FALSE, TRUE, sizeof(MeaningMatch));
	MeaningMatch *heap = NULL;
	for (guint i = 0; i < m->list->len; i++) {
		MeaningMatch one = {.match = &g_array_index(m->list, SearchMatch, i)};
		if (best->len < MEANING_MOST_MATCHES) {
			g_array_append_val(best, one);
			if (best->len ==
			        MEANING_MOST_MATCHES) /* from the least to the best: a heap */
				g_array_sort(best, meaning_compare_orders);
			continue;
		}
		if (!heap) {
			heap = (MeaningMatch *)(void *)best->data;
			for (guint k = 0; k < best->len / 2; k++) {
				MeaningMatch swapped = heap[k];
				heap[k] = heap[best->len - 1 - k];
				heap[best->len - 1 - k] = swapped;
			}
		}
		if (meaning_compare_orders(&one, &heap[0]) < 0) {
			heap[0] = one;
			meaning_sift(heap, best->len);
		}
	}
	g_array_sort(best, meaning_compare_orders);
	return best;
}

static void meaning_add_unit(
        float sum[MEANING_DIMENSIONS], const MeaningVector *vector, double weight)
{
	double square = 0;
	for (int i = 0; i < MEANING_DIMENSIONS; i++)
		square += vector->at[i] * vector->at[i];
	meaning_vector_add(sum, vector, square > 0 ? weight / sqrt(square) : 0);
}

/* The sum of the direction of the query and of that of its first matches. */
static MeaningVector meaning_turned(const GArray *best, const MeaningVector *query)
{
	const MeaningMatch *list = (const MeaningMatch *)(const void *)best->data;
	float of_first[MEANING_DIMENSIONS] = {0}, sum[MEANING_DIMENSIONS] = {0};
	MeaningVector first, turned = *query;
	for (guint i = 0; i < MIN(best->len, MEANING_TURNING); i++) {
		double share = list[i].match->order / list[0].match->order;
		if (list[i].known)
			meaning_add_unit(of_first, &list[i].vector, share * share);
	}
	meaning_add_unit(sum, query, 1);
	if (meaning_vector_round(of_first, &first))
		meaning_add_unit(sum, &first, 1);
	meaning_vector_round(sum, &turned);
	return turned;
}

/* Pearson's correlation of the scores and the cosines of the first matches; 0: it is unknown. */
static double meaning_agreement(const GArray *best)
{
	double n = 0, x = 0, y = 0, xx = 0, yy = 0, xy = 0;
	for (guint i = 0; i < MIN(best->len, MEANING_AGREEING); i++) {
		const MeaningMatch *one = &g_array_index(best, MeaningMatch, i);
		double order = one->match->order, cosine = MAX(one->agreement, 0);
		if (!one->known)
			continue;
		n++;
		x += order;
		y += cosine;
		xx += order * order;
		yy += cosine * cosine;
		xy += order * cosine;
	}
	double spread = (n * xx - x * x) * (n * yy - y * y);
	return n < MEANING_FEWEST || !(spread > 0) ? 0 : (n * xy - x * y) / sqrt(spread);
}

/* ---- the bonus */

static bool meaning_compare(const Search *s, GArray *best, const MeaningVector *query,
        double *most_r, double *mean_r, GError **error)
{
	double sum = 0;
	unsigned n = 0;
	*most_r = *mean_r = 0;
	for (guint i = 0; i < best->len; i++) {
		MeaningMatch *one = &g_array_index(best, MeaningMatch, i);
		if (!stored_vector(s->r, one->match->document, &one->vector, &one->known, error))
			return false;
	}
	MeaningVector turned = meaning_turned(best, query);
	for (guint i = 0; i < best->len; i++) {
		MeaningMatch *one = &g_array_index(best, MeaningMatch, i);
		if (!one->known)
			continue;
		one->agreement = meaning_cosine(&one->vector, query);
		one->likeness = MAX(meaning_cosine(&one->vector, &turned), 0);
		*most_r = MAX(*most_r, one->likeness);
		sum += one->likeness;
		n++;
	}
	*mean_r = n > 0 ? sum / n : 0;
	return true;
}

/* A match without a vector is neither raised nor lowered: it counts as the mean. */
static void meaning_raise(Matches *m, GArray *best, double most, double mean)
{
	double share = most_share * CLAMP(agreement_slope * meaning_agreement(best), 0, 1);
	double first = g_array_index(best, MeaningMatch, 0).match->order;
	m->meaning = share > 0 ? MEANING_COUNTS : MEANING_DISAGREES;
	for (guint i = 0; i < best->len && share > 0; i++) {
		MeaningMatch *one = &g_array_index(best, MeaningMatch, i);
		double bonus = share * first * (one->known ? one->likeness : mean) / most;
		one->match->order += bonus;
		SearchScore part = {one->match->document, bonus / one->match->order};
		g_array_append_val(m->meanings, part);
	}
}

/* The reason why latent semantics has no part; MEANING_COUNTS: none that is known before the
 * vectors are read. */
static bool meaning_obstacle(
        const Search *s, const Matches *m, MeaningPart *obstacle_r, GError **error)
{
	const QueryPlan *plan = s->plan;
	bool learned;
	if (plan->sort != SORT_RELEVANCE || s->options->reverse || plan->step > 0 ||
	        s->options->no_meaning)
		*obstacle_r = MEANING_OFF;
	else if (!meaning_has_plain_words(plan))
		*obstacle_r = MEANING_FEW_WORDS;
	else if (m->list->len < MEANING_FEWEST)
		*obstacle_r = MEANING_FEW_MATCHES;
	else if (!stored_is_learned(s->r, &learned, error))
		return false;
	else
		*obstacle_r = learned ? MEANING_COUNTS : MEANING_UNLEARNED;
	return true;
}

bool search_mix_meaning(const Search *s, Matches *m, GError **error)
{
	MeaningVector query;
	bool known;
	double most, mean;
	if (!meaning_obstacle(s, m, &m->meaning, error))
		return false;
	if (m->meaning != MEANING_COUNTS)
		return true;
	m->meaning = MEANING_DISAGREES;
	if (!reader_has_word_vectors(s->r, &m->meaning_brought, error) ||
	        !meaning_of_query(s, &query, &known, error))
		return false;
	if (!known)
		return true;
	g_autoptr(GArray) best = meaning_best(m);
	if (!(g_array_index(best, MeaningMatch, 0).match->order > 0))
		return true;
	if (!meaning_compare(s, best, &query, &most, &mean, error))
		return false;
	if (most > 0)
		meaning_raise(m, best, most, mean);
	return true;
}
