/* SPDX-License-Identifier: GPL-3.0-or-later */
/* search-related.c - the documents that are about a subject, by their vectors (index/meaning)
 *
 * The vector of the subject is made in the snapshot of the search, since a training may replace all
 * of them at once. docs/measurements/ranking.md has how the least likeness was chosen. */
#include <config.h>
#include "index/search/search-private.h"
#include "index/meaning/stored.h"
#include "index/search/term-visible.h"
#include "index/text/terms.h"

static const double least_likeness = 0.5;

/* ---- the subject */

typedef struct {
	Reader *r;
	Visible *visible;
	GByteArray *terms; /* a stream of those that are visible */
	GError *error;
} VisibleTerms;

static int search_related_take(
        void *data, int flags, const char *term, int length, int start, int end)
{
	VisibleTerms *taken = data;
	g_autofree char *text = g_strndup(term, length);
	const uint8_t bytes = length;
	bool visible;
	(void)flags, (void)start, (void)end;
	if (!term_visible(taken->r, taken->visible, text, &visible, &taken->error))
		return SQLITE_ERROR;
	if (visible) {
		g_byte_array_append(taken->terms, &bytes, 1);
		g_byte_array_append(taken->terms, (const uint8_t *)term, length);
	}
	return 0;
}

/* The words of a query, without those that only texts have which the user may not read: their
 * company would tell of them. NULL with error. */
static GBytes *search_related_visible(const Search *s, GBytes *words, GError **error)
{
	g_autoptr(Visible) visible = visible_new_within(s->r, s->options->uid, error);
	if (!visible)
		return NULL;
	VisibleTerms taken = {s->r, visible, g_byte_array_new(), NULL};
	size_t length;
	const char *bytes = g_bytes_get_data(words, &length);
	terms_replay(bytes, length, &taken, search_related_take);
	g_autoptr(GBytes) terms = g_byte_array_free_to_bytes(taken.terms);
	if (taken.error)
		g_propagate_error(error, taken.error);
	return taken.error ? NULL : g_steal_pointer(&terms);
}

/* *known_r: the subject has a vector. */
static bool search_related_vector(
        const Search *s, const QueryNode *node, MeaningVector *out, bool *known_r, GError **error)
{
	*known_r = false;
	if (!node->terms)
		return stored_vector(s->r, node->document, out, known_r, error);
	if (node->values)
		return stored_fold_in(s->r, node->terms, out, known_r, error);
	g_autoptr(GBytes) terms = search_related_visible(s, node->terms, error);
	return terms && stored_fold_in(s->r, terms, out, known_r, error);
}

/* ---- its documents */

static bool search_related_fill(
        const Search *s, const QueryNode *node, GArray *list, GError **error)
{
	MeaningVector subject;
	bool known;
	if (!search_related_vector(s, node, &subject, &known, error))
		return false;
	return !known || stored_neighbours(s->r, &subject, least_likeness, list, error);
}

bool search_related(const Search *s, GPtrArray *lists, GError **error)
{
	bool learned = false;
	if (s->plan->relateds->len > 0 && !stored_is_learned(s->r, &learned, error))
		return false;
	for (guint i = 0; i < s->plan->relateds->len; i++) {
		const QueryNode *node = s->plan->relateds->pdata[i];
		GArray *list = g_array_new(FALSE, FALSE, sizeof(MeaningNeighbour));
		g_ptr_array_add(lists, list);
		if (learned && node->resolved && !search_related_fill(s, node, list, error))
			return false;
	}
	return true;
}

static const GArray *search_related_list(const Search *s, const QueryNode *node)
{
	guint i;
	if (!g_ptr_array_find(s->plan->relateds, node, &i))
		g_assert_not_reached();
	return s->subjects->pdata[i];
}

double search_likeness(const Search *s, const QueryNode *node, int64_t document)
{
	const GArray *list = search_related_list(s, node);
	guint low = 0, high = list->len;
	while (low < high) {
		guint middle = low + (high - low) / 2;
		const MeaningNeighbour *one = &g_array_index(list, MeaningNeighbour, middle);
		if (one->document == document)
			return one->likeness;
		if (one->document < document)
			low = middle + 1;
		else
			high = middle;
	}
	return 0;
}

GArray *search_related_documents(const Search *s, const QueryNode *node)
{
	const GArray *list = search_related_list(s, node);
	GArray *documents = g_array_sized_new(FALSE, FALSE, sizeof(int64_t), list->len);
	for (guint i = 0; i < list->len; i++)
		g_array_append_val(documents, g_array_index(list, MeaningNeighbour, i).document);
	return documents;
}

/* ---- for those who ask before they search */

bool search_knows_subject(
        Reader *r, int64_t document, GBytes *terms, SubjectState *state_r, GError **error)
{
	MeaningVector vector;
	bool learned, known = false;
	if (!reader_begin(r, QUERY_MAX_MS, error))
		return false;
	bool ok = stored_is_learned(r, &learned, error) &&
	          (!learned || (terms ? stored_fold_in(r, terms, &vector, &known, error)
	                              : stored_vector(r, document, &vector, &known, error)));
	reader_end(r);
	*state_r = known ? SUBJECT_KNOWN : ok && learned ? SUBJECT_UNKNOWN : SUBJECT_UNLEARNED;
	return ok;
}
