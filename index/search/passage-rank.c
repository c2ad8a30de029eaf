/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/search/passage-rank.h"
#include "index/search/sections.h"

/* The share of a passage's score that depends on its document. */
static const double prior_share = 0.3;

typedef struct {
	Document *doc;
	Passages *passages;
	guint hit;
	double prior;
} PassageDocument;

struct PassageRank {
	const Query *query;
	unsigned max_chars;
	size_t text_bytes;
	GArray *documents; /* PassageDocument */
	PassageCounts counts;
};

static void passage_document_clear(gpointer data)
{
	PassageDocument *document = data;
	passages_free(document->passages);
	document_free(document->doc);
}

PassageRank *passage_rank_new(const Query *query, unsigned max_chars)
{
	PassageRank *rank = g_new0(PassageRank, 1);
	rank->query = query;
	rank->max_chars = max_chars;
	rank->documents = g_array_new(FALSE, FALSE, sizeof(PassageDocument));
	g_array_set_clear_func(rank->documents, passage_document_clear);
	return rank;
}

void passage_rank_free(PassageRank *rank)
{
	if (!rank)
		return;
	g_array_unref(rank->documents);
	g_free(rank);
}

bool passage_rank_add(PassageRank *rank, Document *doc, guint hit, double prior)
{
	if (doc->text->len > PASSAGE_TEXT_MAX - rank->text_bytes) {
		document_free(doc);
		return false;
	}
	g_autoptr(WordFinder) finder =
	        word_finder_new(rank->query, document_fact(doc, FIELD_LANGUAGE));
	PassageDocument document = {doc, passages_new(doc, finder), hit, CLAMP(prior, 0, 1)};
	rank->text_bytes += doc->text->len;
	passages_count(document.passages, &rank->counts);
	g_array_append_val(rank->documents, document);
	return true;
}

/* Do both stand under the same heading, or in the same part without one, and on the same page? */
static bool under_same_heading(const PassageDocument *document, const Passage *a, const Passage *b)
{
	const GArray *sections = passages_sections(document->passages);
	int x = section_headed(sections, a->section), y = section_headed(sections, b->section);
	if (x != y || (x == SECTION_NONE && a->section != b->section))
		return false;
	return section_page(document->doc, a->from) == section_page(document->doc, b->from);
}

static void rank_document(const PassageRank *rank, guint index, GArray *ranked)
{
	const PassageDocument *document = &g_array_index(rank->documents, PassageDocument, index);
	g_autoptr(GArray) scored =
	        passages_score(document->passages, &rank->counts, rank->max_chars);
	double factor = 1 - prior_share + prior_share * document->prior;
	const guint before = ranked->len;

	for (guint i = 0; i < scored->len; i++) {
		const Passage *passage = &g_array_index(scored, Passage, i);
		RankedPassage next = {document->hit, index, *passage, passage->score * factor};
		RankedPassage *last = ranked->len > before ? &g_array_index(ranked, RankedPassage,
		                                                     ranked->len - 1)
		                                           : NULL;
		if (!last || !under_same_heading(document, &last->passage, passage))
			g_array_append_val(ranked, next);
		else if (next.score > last->score)
			*last = next;
	}
}

/* The order is total: passages with one score stand in the order of the documents and texts. */
static int compare_ranked(const void *a, const void *b)
{
	const RankedPassage *x = a, *y = b;
	if (x->score != y->score)
		return x->score > y->score ? -1 : 1;
	if (x->document != y->document)
		return x->document < y->document ? -1 : 1;
	return x->passage.from < y->passage.from ? -1 : x->passage.from > y->passage.from;
}

GArray *passage_rank_run(const PassageRank *rank)
{
	GArray *ranked = g_array_new(FALSE, FALSE, sizeof(RankedPassage));
	for (guint i = 0; i < rank->documents->len; i++)
		rank_document(rank, i, ranked);
	g_array_sort(ranked, compare_ranked);
	return ranked;
}

Snippet *passage_rank_snippet(const PassageRank *rank, const RankedPassage *ranked)
{
	const PassageDocument *document =
	        &g_array_index(rank->documents, PassageDocument, ranked->document);
	return snippet_of_passage(
	        document->doc, document->passages, &ranked->passage, rank->max_chars);
}
