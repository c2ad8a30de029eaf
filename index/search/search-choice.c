/* SPDX-License-Identifier: GPL-3.0-or-later */
/* search-choice.c - what the user opened for the same words before comes earlier */
#include <config.h>
#include "index/search/search-private.h"
#include <string.h>

/* The document of an entry: of the file itself (?2 NULL), or of a member of it. */
static const char chosen_sql[] =
        "SELECT d.id FROM node n CROSS JOIN inode i ON i.id = n.inode "
        "CROSS JOIN document d ON d.content = i.content CROSS JOIN fact f ON f.document = d.id "
        "WHERE n.id = ?1 AND f.member IS ?2 LIMIT 1";

/* The matches that a choice stands for. */
typedef struct {
	int64_t node; /* 0: the index does not have it any more */
	int64_t document; /* 0: the entry has none */
} Chosen;

static bool find_chosen_document(
        const Search *s, const char *member, Chosen *chosen, GError **error)
{
	sqlite3_stmt *statement = reader_statement(s->r, chosen_sql, error);
	if (!statement)
		return false;
	sqlite3_bind_int64(statement, 1, chosen->node);
	if (member)
		sqlite3_bind_blob(statement, 2, member, strlen(member), SQLITE_STATIC);
	else
		sqlite3_bind_null(statement, 2);
	int row = reader_step(s->r, statement, error);
	if (row > 0)
		chosen->document = sqlite3_column_int64(statement, 0);
	sqlite3_reset(statement);
	sqlite3_clear_bindings(statement);
	return row >= 0;
}

static bool find_chosen(const Search *s, const SearchChoice *choice, Chosen *chosen, GError **error)
{
	*chosen = (Chosen){reader_resolve(s->r, choice->path, error), 0};
	if (chosen->node <= 0)
		return chosen->node == 0;
	return find_chosen_document(s, choice->member, chosen, error);
}

static void raise_matches(Matches *m, const Chosen *chosen, double raise)
{
	for (guint i = 0; i < m->list->len; i++) {
		SearchMatch *match = &g_array_index(m->list, SearchMatch, i);
		if (chosen->document > 0 ? match->document == chosen->document
		                         : match->node == chosen->node)
			match->order *= 1 + raise;
	}
}

bool search_raise_choices(const Search *s, Matches *m, GError **error)
{
	bool by_score = s->plan->sort == SORT_RELEVANCE && !s->options->by_words;
	for (guint i = 0; by_score && s->options->choices && i < s->options->choices->len; i++) {
		const SearchChoice *choice = &g_array_index(s->options->choices, SearchChoice, i);
		Chosen chosen;
		if (!find_chosen(s, choice, &chosen, error))
			return false;
		if (chosen.node > 0)
			raise_matches(m, &chosen, choice->raise);
	}
	return true;
}
