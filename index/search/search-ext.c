/* SPDX-License-Identifier: GPL-3.0-or-later */
/* search-ext.c - finds the entries with an extension that few have, by the trigrams of names
 *
 * A name with the extension holds its letters after a dot. Names that have all trigrams of these
 * are looked up in table gram, instead of comparing all names, and so are those that are not in the
 * table yet (index/search/search-names.c). */
#include <config.h>
#include "index/search/search-private.h"
#include "index/text/tokenizer.h"
#include <string.h>

#define EXT_NODES "SELECT n.inode FROM "
#define EXT_FACTS(from)                                                                            \
	"SELECT i.id FROM " from " CROSS JOIN document d ON d.id = f.document CROSS JOIN inode i " \
	"ON i.content = d.content WHERE f.member IS NOT NULL AND "

static const char *const ext_by_grams[] = {
        EXT_NODES
        "gram g CROSS JOIN node n ON n.id = g.rowid WHERE gram MATCH ? AND g.rowid > 0 AND "
        "tarsier_ext(n.name, ?)",
        EXT_FACTS(
                "gram g CROSS JOIN fact f ON f.document = -g.rowid") "gram MATCH ? AND g.rowid < 0 "
                                                                     "AND tarsier_ext(f.member, ?)",
};
static const char *const ext_without_grams[] = {
        EXT_NODES "node n WHERE n.id > " SEARCH_LAST_WITH_GRAMS(
                META_GRAM_NODES) " AND tarsier_ext(n.name, ?)",
        EXT_FACTS("fact f") "f.document > " SEARCH_LAST_WITH_GRAMS(
                META_GRAM_DOCUMENTS) " AND tarsier_ext(f.member, ?)",
};

static void ext_append_select(SearchSql *sql, const char *select)
{
	g_string_append_printf(sql->text, "%s%s", sql->text->len > 0 ? " UNION ALL " : "", select);
}

/* False: it has no trigram. */
static bool ext_append(SearchSql *sql, const char *ext)
{
	g_autofree char *ending = g_strconcat(".", ext, NULL);
	g_autofree char *folded = tokenize_fold(ending, strlen(ending));
	g_autoptr(GString) grams = g_string_new(NULL);
	search_append_grams(grams, folded);
	for (size_t i = 0; i < G_N_ELEMENTS(ext_by_grams); i++) {
		ext_append_select(sql, ext_by_grams[i]);
		search_bind_text(sql, grams->str);
		search_bind_text(sql, ext);
		ext_append_select(sql, ext_without_grams[i]);
		search_bind_text(sql, ext);
	}
	return grams->len > 0;
}

SearchSql *search_ext_sql(const QueryNode *filter)
{
	SearchSql *sql = search_sql_new();
	bool ok = true;
	for (char **value = filter->values; ok && *value; value++)
		ok = ext_append(sql, *value);
	if (!ok)
		g_string_truncate(sql->text, 0);
	return sql;
}
