/* SPDX-License-Identifier: GPL-3.0-or-later */
/* query-explain.c - how a query was understood: one line a condition, nested by indentation */
#include <config.h>
#include "index/query/query.h"
#include "index/text/stem.h"
#include "common/base/i18n.h"

static const char *scope_text(QueryScope scope)
{
	static const char *const texts[N_SCOPES] = {
	        [SCOPE_ANY] = N_("in text, title, headings, people, keywords or name"),
	        [SCOPE_TITLE] = N_("in the title"),
	        [SCOPE_AUTHOR] = N_("in the author"),
	        [SCOPE_TO] = N_("in the recipients"),
	        [SCOPE_CC] = N_("in the copy recipients"),
	        [SCOPE_KEYWORD] = N_("in the keywords"),
	        [SCOPE_HEADING] = N_("in a heading"),
	        [SCOPE_BODY] = N_("in the text"),
	        [SCOPE_ANCHOR] = N_("in the text of a link to it"),
	        [SCOPE_FILENAME] = N_("in the file name"),
	        [SCOPE_COMMENT] = N_("in the comments"),
	};
	return _(texts[scope]);
}

static const char *filter_text(QueryFilter filter)
{
	static const char *const texts[N_FILTERS] = {
	        [FILTER_EXT] = N_("extension"),
	        [FILTER_MIME] = N_("MIME type"),
	        [FILTER_TYPE] = N_("type"),
	        [FILTER_DIR] = N_("below directory"),
	        [FILTER_IN] = N_("directly in directory"),
	        [FILTER_DATE] = N_("date"),
	        [FILTER_MODIFIED] = N_("modified"),
	        [FILTER_SIZE] = N_("size"),
	        [FILTER_DURATION] = N_("length in seconds"),
	        [FILTER_PAGES] = N_("pages"),
	        [FILTER_OWNER] = N_("owner"),
	        [FILTER_IS] = N_("state"),
	        [FILTER_LANG] = N_("language"),
	        [FILTER_SUM] = N_("checksum"),
	        [FILTER_GROUP] = N_("group"),
	        [FILTER_PERM] = N_("permissions"),
	        [FILTER_CREATED] = N_("created"),
	        [FILTER_SENT] = N_("sent"),
	        [FILTER_HAS] = N_("has"),
	        [FILTER_NEAR] = N_("nearly equal to the file"),
	        [FILTER_RELATED] = N_("about the subject of the file"),
	        [FILTER_THREAD] = N_("of the thread of the mail"),
	        [FILTER_DUP] = N_("equal to a file with the checksum"),
	        [FILTER_SITE] = N_("pages below"),
	        [FILTER_SOURCE] = N_("source"),
	        [FILTER_URL] = N_("the page"),
	        [FILTER_INURL] = N_("URL with"),
	        [FILTER_ALL] = N_("everything"),
	};
	return _(texts[filter]);
}

/* Appends form k of token i, and the following forms that count in the same languages. */
static void append_forms_like(GString *out, const QueryNode *node, guint i, guint k)
{
	const uint32_t *languages = node->form_languages[i];
	g_string_append_printf(out, ", %s", _("also as"));
	for (guint other = k; node->forms[i][other]; other++)
		if (!languages || languages[other] == languages[k])
			g_string_append_printf(out, " %s", node->forms[i][other]);
	g_autofree char *names = languages ? stem_language_names(languages[k]) : NULL;
	if (names)
		g_string_append_printf(out, " (%s)", names);
}

static bool is_first_of_languages(const uint32_t *languages, guint k)
{
	for (guint before = 0; before < k; before++)
		if (!languages || languages[before] == languages[k])
			return false;
	return true;
}

/* Adds the languages of the documents that a form counts in, unless it counts in all. */
static void append_forms(GString *out, const QueryNode *node)
{
	for (guint i = 0; node->forms && node->tokens[i]; i++)
		for (guint k = 0; node->forms[i] && node->forms[i][k]; k++)
			if (is_first_of_languages(node->form_languages[i], k))
				append_forms_like(out, node, i, k);
}

static void append_joined_forms(GString *out, const QueryNode *node)
{
	if (!node->joined_forms)
		return;
	g_autofree char *forms = g_strjoinv(" ", node->joined_forms);
	g_string_append_printf(out, ", %s %s", _("also as"), forms);
}

static const char *kind_of_words(const QueryNode *node)
{
	if (node->names_only)
		return _("a name matching");
	if (node->pattern)
		return node->tokens[1] ? _("words matching") : _("a word matching");
	if (node->edits > 0)
		return _("a word spelt almost like");
	if (node->parts)
		return _("the words");
	return node->tokens[1] ? _("the phrase") : _("the word");
}

static void query_explain_append_words(GString *out, const QueryNode *node)
{
	g_autofree char *words =
	        node->pattern ? g_strdup(node->pattern) : g_strjoinv(" ", node->tokens);
	g_string_append_printf(out, "%s \"%s%s\" %s", kind_of_words(node), words,
	        node->prefix && !node->pattern ? "*" : "",
	        scope_text(node->names_only ? SCOPE_FILENAME : node->scope));
	if (node->parts) {
		g_string_append(out, ", ");
		g_string_append_printf(out,
		        node->ordered ? _("in this order, with at most %u between them")
		                      : _("with at most %u between them"),
		        node->gap);
	}
	append_forms(out, node);
	append_joined_forms(out, node);
	g_string_append_c(out, '\n');
}

static void query_explain_append_bound(GString *out, const QueryNode *node, int64_t bound)
{
	if (query_is_number(node->filter)) {
		g_string_append_printf(out, "%" G_GINT64_FORMAT, bound);
		return;
	}
	g_autoptr(GDateTime) time = g_date_time_new_from_unix_local(bound);
	g_autofree char *text =
	        time ? g_date_time_format(time, "%Y-%m-%d %H:%M:%S") : g_strdup("?");
	g_string_append(out, text);
}

static void query_explain_append_filter(GString *out, const QueryNode *node)
{
	g_string_append(out, filter_text(node->filter));
	for (char **value = node->values; value && *value; value++)
		g_string_append_printf(out, "%s %s", value == node->values ? "" : ",", *value);
	bool span = query_is_date(node->filter) || query_is_number(node->filter);
	if (span && node->low != INT64_MIN) {
		g_string_append_printf(out, " %s ", _("from"));
		query_explain_append_bound(out, node, node->low);
	}
	if (span && node->high != INT64_MAX) {
		g_string_append_printf(out, " %s ", _("to"));
		query_explain_append_bound(out, node, node->high);
	}
	g_string_append_c(out, '\n');
}

static void query_explain_append_node(GString *out, const QueryNode *node, unsigned level)
{
	for (unsigned i = 0; i < level; i++)
		g_string_append(out, "  ");
	switch (node->op) {
	case QUERY_WORDS:
		query_explain_append_words(out, node);
		return;
	case QUERY_FILTER:
		query_explain_append_filter(out, node);
		return;
	case QUERY_AND:
		g_string_append_printf(out, "%s\n", _("all of:"));
		break;
	case QUERY_OR:
		g_string_append_printf(out, "%s\n", _("one of:"));
		break;
	case QUERY_NOT:
		g_string_append_printf(out, "%s\n", _("not:"));
		break;
	}
	for (guint i = 0; i < node->children->len; i++)
		query_explain_append_node(out, node->children->pdata[i], level + 1);
}

char *query_explain(const Query *query)
{
	GString *out = g_string_new(NULL);
	query_explain_append_node(out, query->root, 0);
	return g_string_free(out, FALSE);
}
