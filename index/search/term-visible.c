/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/search/term-visible.h"
#include "index/store/states.h"

static const char texts_sql[] =
        "SELECT " INFO_COLUMNS "FROM text CROSS JOIN document d ON d.id = text.rowid "
        "CROSS JOIN inode i ON i.content = d.content CROSS JOIN node n ON n.inode = i.id "
        "LEFT JOIN content c ON c.id = 0 LEFT JOIN fact f ON f.document = 0 "
        "WHERE text MATCH ?1 AND i.state <> " SQL_INODE_ORPHAN " LIMIT ?2";
static const char visible_document_sql[] =
        "SELECT " INFO_COLUMNS "FROM document d "
        "CROSS JOIN inode i ON i.content = d.content CROSS JOIN node n ON n.inode = i.id "
        "LEFT JOIN content c ON c.id = 0 LEFT JOIN fact f ON f.document = 0 "
        "WHERE d.id = ?1 AND i.state <> " SQL_INODE_ORPHAN " LIMIT ?2";
static const char names_sql[] =
        "SELECT " INFO_COLUMNS "FROM (SELECT rowid AS id FROM name WHERE name MATCH ?1 LIMIT ?2) m "
        "CROSS JOIN node n ON n.id = m.id CROSS JOIN inode i ON i.id = n.inode "
        "LEFT JOIN content c ON c.id = 0 LEFT JOIN document d ON d.id = 0 "
        "LEFT JOIN fact f ON f.document = 0";

/* Is one of the rows visible? Resets the statement. */
static bool term_visible_any(
        Reader *r, Visible *visible, sqlite3_stmt *statement, bool *visible_r, GError **error)
{
	int row = 1;
	*visible_r = false;
	while (!*visible_r && (row = reader_step(r, statement, error)) > 0) {
		g_autoptr(Info) info = reader_info_of_row(r, statement, NULL);
		*visible_r = info && visible_entry(visible, info, NULL);
	}
	sqlite3_reset(statement);
	return row >= 0;
}

bool term_visible_among(Reader *r, Visible *visible, TermTable table, const char *term,
        bool *visible_r, GError **error)
{
	const char *sql = table == TERMS_OF_NAMES ? names_sql : texts_sql;
	g_autofree char *expression = g_strdup_printf("\"%s\"", term);
	sqlite3_stmt *statement = reader_statement(r, sql, error);
	if (!statement)
		return false;
	sqlite3_bind_text(statement, 1, expression, -1, SQLITE_STATIC);
	sqlite3_bind_int(statement, 2, TERM_VISIBLE_CHECKS);
	return term_visible_any(r, visible, statement, visible_r, error);
}

bool term_visible(Reader *r, Visible *visible, const char *term, bool *visible_r, GError **error)
{
	return term_visible_among(r, visible, TERMS_OF_TEXT, term, visible_r, error) &&
	       (*visible_r ||
	               term_visible_among(r, visible, TERMS_OF_NAMES, term, visible_r, error));
}

bool term_visible_word(Reader *r, Visible *visible, const QueryNode *node, guint i, bool *visible_r,
        GError **error)
{
	char **forms = node->forms ? node->forms[i] : NULL;
	bool ok = term_visible(r, visible, node->tokens[i], visible_r, error);
	for (; ok && !*visible_r && forms && *forms; forms++)
		ok = term_visible(r, visible, *forms, visible_r, error);
	return ok;
}

static bool term_visible_add_repeated(void *data, const TermPosting *posting)
{
	GArray *documents = data;
	unsigned count = 0;
	for (unsigned i = 0; i < posting->columns; i++)
		count += posting->counts[i];
	if (count > 1 && !posting->deleted)
		g_array_append_val(documents, posting->document);
	return documents->len < TERM_VISIBLE_CHECKS;
}

static bool term_visible_document(
        Reader *r, Visible *visible, int64_t document, bool *visible_r, GError **error)
{
	sqlite3_stmt *statement = reader_statement(r, visible_document_sql, error);
	if (!statement)
		return false;
	sqlite3_bind_int64(statement, 1, document);
	sqlite3_bind_int(statement, 2, TERM_VISIBLE_CHECKS);
	return term_visible_any(r, visible, statement, visible_r, error);
}

bool term_visible_repeated(
        Reader *r, Visible *visible, const char *term, bool *repeated_r, GError **error)
{
	g_autoptr(GArray) documents = g_array_new(FALSE, FALSE, sizeof(int64_t));
	*repeated_r = false;
	bool ok = term_scan_postings(
	        r, TERMS_OF_TEXT, term, false, term_visible_add_repeated, documents, error);
	for (guint i = 0; ok && i < documents->len && !*repeated_r; i++)
		ok = term_visible_document(
		        r, visible, g_array_index(documents, int64_t, i), repeated_r, error);
	return ok;
}

/* Moves the visible forms of a token to the front, and ends the list after them. After an error
 * the list has all forms that were not asked. */
static bool term_visible_keep(
        Reader *r, Visible *visible, char **forms, uint32_t *languages, GError **error)
{
	guint kept = 0;
	bool ok = true, is_visible;
	for (guint i = 0; forms[i]; i++) {
		char *form = g_steal_pointer(&forms[i]);
		ok = ok && term_visible(r, visible, form, &is_visible, error);
		if (ok && !is_visible) {
			g_free(form);
			continue;
		}
		if (languages)
			languages[kept] = languages[i];
		forms[kept++] = form;
	}
	return ok;
}

static bool term_visible_node(Reader *r, Visible *visible, QueryNode *node, GError **error)
{
	for (guint i = 0; node->children && i < node->children->len; i++)
		if (!term_visible_node(r, visible, node->children->pdata[i], error))
			return false;
	for (guint i = 0; node->forms && node->tokens[i]; i++) {
		char **forms = node->forms[i];
		if (forms && !term_visible_keep(r, visible, forms, node->form_languages[i], error))
			return false;
		if (forms && !*forms)
			g_clear_pointer(&node->forms[i], g_strfreev);
	}
	char **joined = node->joined_forms;
	if (joined && !term_visible_keep(r, visible, joined, NULL, error))
		return false;
	if (joined && !*joined)
		g_clear_pointer(&node->joined_forms, g_strfreev);
	return true;
}

bool term_visible_forms(Reader *r, Visible *visible, Query *query, GError **error)
{
	return term_visible_node(r, visible, query->root, error);
}
