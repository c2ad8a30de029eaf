/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/app/passage-hits.h"
#include "common/base/i18n.h"
#include "index/search/passage-rank.h"
#include "ui-cli/app/snippets.h"

enum { PASSAGES_CHARS = 240 };

/* Reads the texts in the order of the hits. Returns the number of those that were read. */
static unsigned read_texts(Cli *cli, const SearchResult *documents, const Query *query,
        PassageRank *rank, unsigned *unread_r)
{
	const SnippetLimits limits = {1, PASSAGES_CHARS, PASSAGES_MS};
	g_autoptr(Snippets) texts = snippets_new(cli, documents, query, &limits);
	const Hit *best = documents->hits->pdata[0];
	unsigned done = 0;
	for (guint i = 0; i < documents->hits->len; i++) {
		const Hit *hit = documents->hits->pdata[i];
		double prior = best->score > 0 ? hit->score / best->score : 1;
		bool has_text = hit->info.document != 0 && hit->info.state == STATE_OK;
		Document *doc = snippets_take_text(texts, i);
		bool read = doc && passage_rank_add(rank, doc, i, prior);
		done += read;
		*unread_r += has_text && !read;
	}
	return done;
}

static void passage_hits_add(PassageHits *passages, const SearchResult *documents,
        const PassageRank *rank, const RankedPassage *ranked)
{
	/* The pointers of the hit belong to the document's hit. */
	Hit *hit = g_memdup2(documents->hits->pdata[ranked->hit], sizeof(Hit));
	GPtrArray *snippets = g_ptr_array_new_with_free_func((GDestroyNotify)snippet_free);
	hit->score = ranked->score;
	g_ptr_array_add(snippets, passage_rank_snippet(rank, ranked));
	g_ptr_array_add(passages->result.hits, hit);
	g_ptr_array_add(passages->snippets, snippets);
}

PassageHits *passage_hits_new(Cli *cli, const SearchResult *documents, const Query *query,
        unsigned limit, unsigned offset)
{
	PassageHits *passages = g_new0(PassageHits, 1);
	g_autoptr(PassageRank) rank = passage_rank_new(query, PASSAGES_CHARS);
	SearchResult *result = &passages->result;

	*result = *documents;
	result->partial = 0;
	result->suggestion = NULL;
	result->other_suggestions = NULL;
	result->hits = g_ptr_array_new_with_free_func(g_free);
	passages->snippets = g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);
	result->documents = documents->total;
	if (documents->hits->len > 0)
		result->documents_read = read_texts(cli, documents, query, rank, &passages->unread);
	g_autoptr(GArray) ranked = passage_rank_run(rank);
	for (guint64 i = offset; i < ranked->len && i - offset < limit; i++)
		passage_hits_add(
		        passages, documents, rank, &g_array_index(ranked, RankedPassage, i));
	result->total = ranked->len;
	result->total_exact = true;
	return passages;
}

void passage_hits_free(PassageHits *passages)
{
	if (!passages)
		return;
	g_ptr_array_unref(passages->result.hits);
	g_free(passages->result.suggestion);
	if (passages->result.other_suggestions)
		g_ptr_array_unref(passages->result.other_suggestions);
	g_ptr_array_unref(passages->snippets);
	g_free(passages);
}

void passage_hits_note(const Cli *cli, const PassageHits *passages)
{
	const SearchResult *result = &passages->result;
	if (result->documents > PASSAGES_DOCUMENTS)
		cli_note(cli, _("Only passages of the best %u of %lu documents were ranked."),
		        PASSAGES_DOCUMENTS, (unsigned long)result->documents);
	if (passages->unread > 0)
		cli_note(cli,
		        ngettext("%u document could not be read in time; it has no passages here.",
		                "%u documents could not be read in time; they have no passages "
		                "here.",
		                passages->unread),
		        passages->unread);
	if (result->total == 0 && result->documents_read > 0)
		cli_note(cli, _("The words are in names and facts only, not in the texts; search "
		                "without --passages."));
}
