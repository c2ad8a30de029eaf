/* SPDX-License-Identifier: GPL-3.0-or-later */
/* search-match.c - from candidates to matches */
#include <config.h>
#include "index/search/candidates.h"

/* If any hit will do, so many matches are checked first for one that may be shown. */
enum { ANY_MOST = 200 };

static const char siblings_sql[] =
        "SELECT n.id FROM tarsier_asked a CROSS JOIN inode i ON i.content = a.id "
        "CROSS JOIN node n ON n.inode = i.id";
static const char content_of_sql[] =
        "SELECT d.content FROM tarsier_asked a CROSS JOIN document d ON d.id = a.id";
static const char nodes_sql[] =
        "SELECT n.id FROM tarsier_asked a CROSS JOIN node n ON n.inode = a.id";
static const char content_sql[] =
        "SELECT i.content FROM tarsier_asked a CROSS JOIN node n ON n.id = a.id "
        "CROSS JOIN inode i ON i.id = n.inode WHERE i.content IS NOT NULL";

static const char judge_number_sql[] =
        "SELECT sum(value) FROM meta WHERE key IN ('files', 'directories')";

GArray *search_documents(const GArray *matches)
{
	GArray *documents = g_array_sized_new(FALSE, FALSE, sizeof(int64_t), matches->len);
	for (guint i = 0; i < matches->len; i++)
		g_array_append_val(documents, g_array_index(matches, SearchMatch, i).document);
	return documents;
}

static bool holds_all(const Search *s, const GPtrArray *nodes, const Candidate *candidate)
{
	for (guint i = 0; i < nodes->len; i++)
		if (!search_holds(s, nodes->pdata[i], candidate))
			return false;
	return true;
}

bool search_holds_mixed(const Search *s, const Candidate *candidate)
{
	return holds_all(s, s->plan->mixed, candidate);
}

/* ---- what the text decides about */

static void weigh_phrases(const Search *s)
{
	const QueryPlan *plan = s->plan;
	Rank *rank = &s->state->rank;
	rank_reset(rank, 0);
	rank->step = plan->step;
	rank->words = plan->n_scored;
	const QueryNode *before = NULL;
	for (unsigned i = 0; i < plan->n_phrases; i++) {
		const TermMatches *found =
		        &g_array_index(s->terms->list, TermMatches, plan->phrases[i]);
		rank->weights[i] = found->term->scored ? found->weight : 0;
		rank->forms[i] = plan->forms[i];
		if (plan->forms[i])
			continue;
		rank->open_ends[i] = before && search_is_open_end(before, found->term->node);
		rank->words -= rank->open_ends[i] && found->term->scored ? 1 : 0;
		before = found->term->node;
	}
}

/* Enough matches if any will do. */
static bool search_has_any(const Search *s, const Matches *m)
{
	return s->plan->any && m->list->len >= ANY_MOST;
}

static CandidateIterator *text_source(const Search *s, GError **error)
{
	weigh_phrases(s);
	switch (s->plan->source) {
	case SOURCE_SINGLE_TERM:
		return candidates_of_single_term(s, error);
	case SOURCE_EXPRESSION:
		return candidates_of_expression(s, error);
	default:
		return candidates_of_rows(s, ROWS_OF_TEXT, NULL, error);
	}
}

/* Rescored documents are judged later; of them only the proximity counts. */
static void take_text(const Search *s, Matches *m, const Candidate *candidate)
{
	int64_t document = candidate->match.document;
	if (search_contains(s->terms->hidden, document))
		return;
	bool rescored = search_contains(s->terms->rescored, document);
	if (!rescored && s->plan->deferred && s->plan->sort == SORT_DATE &&
	        s->plan->prefixes->len == 0) {
		g_array_append_val(m->documents, document);
	} else if (rescored) {
		SearchScore proximity = {document, candidate->proximity};
		g_array_append_val(m->proximities, proximity);
	} else if (s->plan->source != SOURCE_EXPRESSION_ROWS || search_holds_mixed(s, candidate)) {
		SearchMatch match = candidate->match;
		match.order +=
		        s->plan->sort == SORT_RELEVANCE ? search_bonus(s->terms, document) : 0;
		g_array_append_val(m->list, match);
		if (s->plan->best)
			search_keep_best(s, m);
	}
}

bool search_stream(const Search *s, Matches *out, GError **error)
{
	if (s->plan->source == SOURCE_ENTRIES)
		return true;
	g_autoptr(CandidateIterator) source = text_source(s, error);
	Candidate candidate;
	int found = source ? 1 : -1;
	while (found > 0 && !search_has_any(s, out) &&
	        (found = source->next(source, &candidate, error)) > 0)
		take_text(s, out, &candidate);
	out->unasked += found > 0;
	return found >= 0;
}

/* Keeps the matches that have a prefix, adding its score, or those that do not have it. */
static void keep_prefix(const Search *s, Matches *m, const QueryNode *node)
{
	const TermMatches *found =
	        &g_array_index(s->terms->list, TermMatches, search_prefix_term(s->plan, node));
	guint kept = 0;
	for (guint i = 0; i < m->list->len; i++) {
		Candidate candidate = {.match = g_array_index(m->list, SearchMatch, i)};
		if (!search_holds(s, node, &candidate))
			continue;
		const SearchScore *score = search_score_of(found, candidate.match.document);
		if (score && s->plan->sort == SORT_RELEVANCE)
			candidate.match.order += found->weight * score->score + s->plan->step;
		g_array_index(m->list, SearchMatch, kept++) = candidate.match;
	}
	g_array_set_size(m->list, kept);
}

bool search_narrow(const Search *s, Matches *m, GError **error)
{
	for (guint i = 0; i < s->plan->prefixes->len; i++)
		keep_prefix(s, m, s->plan->prefixes->pdata[i]);
	bool by_date = s->plan->sort == SORT_DATE;
	if (s->plan->deferred &&
	        !(by_date ? search_newest(s, m, error) : search_deferred_filter(s, m, error)))
		return false;
	m->single = s->plan->entries ? 0 : m->list->len;
	return true;
}

/* ---- what needs the whole tree */

/* Directories alone match nothing below them. */
static bool is_only_below(const Search *s, const SearchMatch *match)
{
	return search_contains(s->terms->by_path, match->node) &&
	       !path_words_own(s, match->document, match->node);
}

static bool take_judged(const Search *s, Matches *m, CandidateIterator *source, GError **error)
{
	const QueryPlan *plan = s->plan;
	Candidate candidate;
	int found = 1;
	while (found > 0 && !search_has_any(s, m) &&
	        (found = source->next(source, &candidate, error)) > 0) {
		SearchMatch *match = &candidate.match;
		if (!holds_all(s, plan->words, &candidate) ||
		        !holds_all(s, plan->prefixes, &candidate) ||
		        !search_holds_mixed(s, &candidate) || is_only_below(s, match))
			continue;
		if (plan->sort == SORT_RELEVANCE)
			match->order = search_score(s, m, match->document, match->node);
		g_array_append_val(m->list, *match);
	}
	m->unasked += found > 0;
	return found >= 0;
}

static bool judge(
        const Search *s, Matches *m, RowSource source, const GArray *nodes, GError **error)
{
	g_autoptr(CandidateIterator) rows = candidates_of_rows(s, source, nodes, error);
	return rows && take_judged(s, m, rows, error);
}

/* The named entries and all that share a document with one; the entries of other-language
 * documents. */
static GArray *nodes_to_judge(const Search *s, GError **error)
{
	const QueryTerms *terms = s->terms;
	g_autoptr(GArray) contents = g_array_new(FALSE, FALSE, sizeof(int64_t));
	g_autoptr(GArray) nodes = g_array_new(FALSE, FALSE, sizeof(int64_t));
	g_array_append_vals(nodes, terms->named->data, terms->named->len);
	for (guint i = 0; i < terms->other_language->len; i++) {
		const OtherLanguage *other_language = terms->other_language->pdata[i];
		if (!search_append_ids(
		            s, content_of_sql, other_language->documents, contents, error))
			return NULL;
	}
	if (!search_append_ids(s, content_sql, terms->named, contents, error) ||
	        !search_append_ids(s, siblings_sql, contents, nodes, error))
		return NULL;
	return g_steal_pointer(&nodes);
}

/* The conditions that the text does not decide. A plan without filters needs no rows for them. */
static bool judge_named(const Search *s, Matches *m, GError **error)
{
	const QueryPlan *plan = s->plan;
	if (s->terms->named->len == 0 && s->terms->other_language->len == 0)
		return true;
	if (plan->monotone && !plan->entries && !plan->plain) {
		g_autoptr(CandidateIterator) names = candidates_of_names(s);
		return take_judged(s, m, names, error);
	}
	g_autoptr(GArray) nodes = nodes_to_judge(s, error);
	return nodes && judge(s, m, ROWS_OF_NODES, nodes, error);
}

/* The entries of the inodes. */
static bool judge_inodes(const Search *s, Matches *m, const GArray *inodes, GError **error)
{
	g_autoptr(GArray) nodes = g_array_new(FALSE, FALSE, sizeof(int64_t));
	return search_append_ids(s, nodes_sql, inodes, nodes, error) &&
	       judge(s, m, ROWS_OF_NODES, nodes, error);
}

/* The entries of the documents that are about a subject. */
static bool judge_related(const Search *s, Matches *m, GError **error)
{
	g_autoptr(GArray) documents = search_related_documents(s, s->plan->related);
	return judge(s, m, ROWS_OF_DOCUMENTS, documents, error);
}

/* An entry takes about 2 microseconds, or 6 if it is looked up alone. Where a count, or another
 * order than that of dates, needs all entries of a million files, two seconds would be too short.
 */
static void judge_longer(const Search *s, uint64_t entries)
{
	enum { US_AN_ENTRY = 6, MOST_MS = 20000 }; /* also if the index file lies about its size */
	if (s->options->max_ms == 0)
		reader_allow_more(s->r, MIN(entries / (1000 / US_AN_ENTRY), MOST_MS));
}

/* All entries, of which there are so many, or those of the inodes without which none can match. */
static bool judge_entries(const Search *s, Matches *m, uint64_t entries, GError **error)
{
	g_autoptr(GArray) inodes = NULL;
	int few = s->plan->plain ? 0 : search_scan_many(s, entries, &inodes, error);
	if (few < 0)
		return false;
	judge_longer(s, few > 0 ? inodes->len : entries);
	return few > 0 ? judge_inodes(s, m, inodes, error)
	               : judge(s, m, ROWS_OF_ENTRIES, NULL, error);
}

static bool judge_everything(const Search *s, Matches *m, GError **error)
{
	g_autoptr(GArray) inodes = NULL;
	uint64_t entries;
	if (s->plan->near)
		return judge(s, m, ROWS_OF_NEAR, NULL, error);
	if (s->plan->related)
		return judge_related(s, m, error);
	int few = s->plan->plain ? 0 : search_scan(s, &inodes, error);
	if (few != 0)
		return few > 0 && judge_inodes(s, m, inodes, error);
	int newest = search_newest_entries(s, m, error);
	if (newest != 0)
		return newest > 0;
	return reader_count(s->r, judge_number_sql, &entries, error) &&
	       judge_entries(s, m, entries, error);
}

bool search_judge(const Search *s, Matches *out, GError **error)
{
	return s->plan->source == SOURCE_ENTRIES ? judge_everything(s, out, error)
	                                         : judge_named(s, out, error);
}
