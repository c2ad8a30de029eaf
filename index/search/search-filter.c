/* SPDX-License-Identifier: GPL-3.0-or-later */
/* search-filter.c - filters as SQL: constant text, bound values, and SQL functions of our own */
#include <config.h>
#include "index/search/maildir.h"
#include "index/search/sole-member.h"
#include "index/search/search-private.h"
#include "common/base/paths.h"
#include "common/base/doctype.h"
#include "common/url/url-name.h"
#include "index/store/states.h"
#include <stdlib.h>
#include <string.h>

SearchSql *search_sql_new(void)
{
	SearchSql *sql = g_new(SearchSql, 1);
	sql->text = g_string_new(NULL);
	sql->values = g_ptr_array_new_with_free_func((GDestroyNotify)g_variant_unref);
	return sql;
}

void search_sql_free(SearchSql *sql)
{
	g_string_free(sql->text, TRUE);
	g_ptr_array_unref(sql->values);
	g_free(sql);
}

static void bind_int(SearchSql *sql, int64_t value)
{
	g_ptr_array_add(sql->values, g_variant_ref_sink(g_variant_new_int64(value)));
}

void search_bind_text(SearchSql *sql, const char *value)
{
	g_ptr_array_add(sql->values, g_variant_ref_sink(g_variant_new_bytestring(value)));
}

sqlite3_stmt *search_prepare(const Search *s, const SearchSql *sql, GError **error)
{
	sqlite3_stmt *statement = NULL;
	if (sqlite3_prepare_v2(s->r->db, sql->text->str, -1, &statement, NULL) != SQLITE_OK) {
		reader_fail(s->r, error);
		return NULL;
	}
	for (guint i = 0; i < sql->values->len; i++) {
		GVariant *value = sql->values->pdata[i];
		if (g_variant_is_of_type(value, G_VARIANT_TYPE_INT64))
			sqlite3_bind_int64(statement, i + 1, g_variant_get_int64(value));
		else
			sqlite3_bind_text(statement, i + 1, g_variant_get_bytestring(value), -1,
			        SQLITE_TRANSIENT);
	}
	return statement;
}

/* ---- conditions */

/* The condition for each value of a list; ? is the value. */
static const char *const list_terms[N_FILTERS] = {
        [FILTER_EXT] =
                "(i.kind <> " SQL_ENTRY_DIR " AND tarsier_ext(coalesce(f.member, n.name), ?))",
        /* The parser lets a star stand at the end only, so that GLOB has nothing to try again. */
        [FILTER_MIME] = "lower(CASE WHEN d.id IS NULL THEN c.mime ELSE f.mime END) GLOB ?",
        [FILTER_TYPE] =
                "tarsier_type(CASE WHEN d.id IS NULL THEN c.mime ELSE f.mime END, i.kind, ?)",
        [FILTER_LANG] = "tarsier_lang(f.lang, ?)",
        [FILTER_SUM] = "(f.member IS NULL AND lower(hex(c.checksum)) = ?)",
        /* a message with members, whose paths begin with its own */
        [FILTER_HAS] =
                "(? = 'attachment' AND f.mime GLOB 'message/*' AND EXISTS(SELECT 1 FROM "
                "document d2 CROSS JOIN fact f2 ON f2.document = d2.id WHERE d2.content = "
                "d.content AND f2.member IS NOT NULL AND (f.member IS NULL OR "
                "substr(f2.member, 1, length(f.member) + 1) = CAST(f.member || '|' AS BLOB))))",
        [FILTER_DUP] = "(f.member IS NULL AND lower(hex(c.checksum)) = ?)",
        [FILTER_DIR] = "tarsier_below(n.parent, n.name, ?)",
        [FILTER_IN] = "tarsier_in(n.parent, ?)",
        /* a source is not a page of itself */
        [FILTER_SITE] = "(n.parent <> 0 AND tarsier_site(n.name, ?))",
        [FILTER_SOURCE] = "tarsier_source(n.parent, n.name, ?)",
        [FILTER_URL] = "(n.parent <> 0 AND n.name = CAST(tarsier_page(?) AS BLOB))",
        [FILTER_INURL] = "(n.parent <> 0 AND tarsier_inurl(n.name, ?))",
};

/* With the bounds, which are numbers. */
static const char *const range_terms[N_FILTERS] = {
        [FILTER_DATE] = "CASE WHEN d.date <> 0 THEN d.date ELSE "
                        "coalesce(f.mtime_ns, i.mtime_ns) / 1000000000 END BETWEEN ? AND ?",
        [FILTER_MODIFIED] = "coalesce(f.mtime_ns, i.mtime_ns) / 1000000000 BETWEEN ? AND ?",
        [FILTER_CREATED] = "(i.birth_ns > 0 AND i.birth_ns / 1000000000 BETWEEN ? AND ?)",
        [FILTER_SENT] = "(f.mime GLOB 'message/*' AND d.date <> 0 AND d.date BETWEEN ? AND ?)",
        [FILTER_SIZE] = "(i.kind = " SQL_ENTRY_FILE
                        " AND CASE WHEN f.member IS NULL THEN i.size ELSE f.size END "
                        "BETWEEN ? AND ?)",
        [FILTER_DURATION] = "f.seconds BETWEEN ? AND ?",
        [FILTER_PAGES] = "f.pages BETWEEN ? AND ?",
        [FILTER_OWNER] = "i.uid BETWEEN ? AND ?",
        [FILTER_GROUP] = "i.gid BETWEEN ? AND ?",
        [FILTER_PERM] = "(i.mode & ?) = ?",
};

/* A message in a Maildir, and its attachments with it. */
#define SQL_MAILDIR(state)                                                                         \
	"(c.mime GLOB 'message/*' AND tarsier_maildir(n.parent, n.name, '" state "'))"

static const struct {
	const char *name, *term;
} states[] = {
        {"file", "(i.kind = " SQL_ENTRY_FILE " AND f.member IS NULL)"},
        {"dir", "i.kind = " SQL_ENTRY_DIR},
        {"member", "f.member IS NOT NULL"},
        {"hidden", "substr(n.name, 1, 1) = x'2e'"},
        {"failed", "(i.state = " SQL_INODE_FAILED " OR (i.state <> " SQL_INODE_PENDING
                   " AND (c.state = " SQL_STATE_FAILED " OR f.state = " SQL_STATE_FAILED ")))"},
        {"pending", "i.state = " SQL_INODE_PENDING},
        {"offline", "tarsier_offline(CASE n.parent WHEN 0 THEN n.id ELSE n.parent END)"},
        {"truncated", "f.truncated <> 0"},
        {"unread", SQL_MAILDIR("unread")},
        {"flagged", SQL_MAILDIR("flagged")},
        {"answered", SQL_MAILDIR("answered")},
        {"replied", SQL_MAILDIR("answered")},
        {"duplicate", "(i.size > 0 AND EXISTS(SELECT 1 FROM inode i2 CROSS JOIN node n2 ON "
                      "n2.inode = i2.id "
                      "WHERE i2.content = i.content AND n2.id <> n.id))"},
};

static void search_append_state(SearchSql *sql, const char *name)
{
	for (size_t i = 0; i < G_N_ELEMENTS(states); i++)
		if (strcmp(states[i].name, name) == 0)
			g_string_append(sql->text, states[i].term);
}

char *search_real_directory(const Search *s, const char *path)
{
	if (path[0] == '/' && reader_resolve(s->r, path, NULL) <= 0) {
		char *real = realpath(path, NULL);
		if (real)
			return real;
	}
	return g_strdup(path);
}

static void append_values(const Search *s, const QueryNode *node, const char *term, SearchSql *sql)
{
	bool directory = node->filter == FILTER_DIR || node->filter == FILTER_IN;
	for (char **value = node->values; *value; value++) {
		g_autofree char *bound =
		        directory ? search_real_directory(s, *value) : g_strdup(*value);
		g_string_append_printf(
		        sql->text, "%s%s", value != node->values ? " OR " : "", term);
		search_bind_text(sql, bound);
	}
}

void search_append_term(const Search *s, const QueryNode *node, const char *term, SearchSql *sql)
{
	if (list_terms[node->filter]) {
		append_values(s, node, term, sql);
		return;
	}
	g_string_append(sql->text, term);
	bind_int(sql, node->low);
	bind_int(sql, node->high);
}

static void append_states(const QueryNode *node, SearchSql *sql)
{
	for (char **value = node->values; *value; value++) {
		g_string_append(sql->text, value != node->values ? " OR " : "");
		search_append_state(sql, *value);
	}
}

static guint near_index(const QueryPlan *plan, const QueryNode *node)
{
	for (guint i = 0; i < plan->nears->len; i++)
		if (plan->nears->pdata[i] == node)
			return i;
	g_assert_not_reached();
}

void search_near_distance(const Search *s, const QueryNode *node, SearchSql *sql)
{
	g_string_append_printf(sql->text, "tarsier_near(p.bits, %u)", near_index(s->plan, node));
}

static void append_near(const Search *s, const QueryNode *node, SearchSql *sql)
{
	g_string_append(
	        sql->text, "? AND EXISTS(SELECT 1 FROM fingerprint p WHERE p.document = d.id AND ");
	bind_int(sql, node->resolved);
	search_near_distance(s, node, sql);
	g_string_append(sql->text, " IS NOT NULL)");
}

void search_append_likeness(const Search *s, const QueryNode *node, SearchSql *sql)
{
	guint index;
	if (!g_ptr_array_find(s->plan->relateds, node, &index))
		g_assert_not_reached();
	g_string_append_printf(sql->text, "tarsier_related(d.id, %u)", index);
}

static void append_related(const Search *s, const QueryNode *node, SearchSql *sql)
{
	g_string_append(sql->text, "? AND ");
	bind_int(sql, node->resolved);
	search_append_likeness(s, node, sql);
	g_string_append(sql->text, " IS NOT NULL");
}

static const char *term_of(QueryFilter filter)
{
	const char *term = list_terms[filter] ? list_terms[filter] : range_terms[filter];
	g_assert(term);
	return term;
}

static void search_append_filter(const Search *s, const QueryNode *node, SearchSql *sql)
{
	g_string_append(sql->text, "((");
	if (node->filter == FILTER_NEAR)
		append_near(s, node, sql);
	else if (node->filter == FILTER_RELATED)
		append_related(s, node, sql);
	else if (node->filter == FILTER_IS)
		append_states(node, sql);
	else if (node->filter == FILTER_ALL)
		g_string_append_c(sql->text, '1');
	else if (node->filter == FILTER_THREAD) /* nobody said which mails it means */
		g_string_append_c(sql->text, '0');
	else
		search_append_term(s, node, term_of(node->filter), sql);
	g_string_append(sql->text, ") IS TRUE)");
}

void search_condition(const Search *s, const QueryNode *node, SearchSql *sql)
{
	g_assert(node->op != QUERY_WORDS);
	if (node->op == QUERY_FILTER) {
		search_append_filter(s, node, sql);
		return;
	}
	g_string_append(sql->text, node->op == QUERY_NOT ? "(NOT " : "(");
	for (guint i = 0; i < node->children->len; i++) {
		if (i > 0)
			g_string_append(sql->text, node->op == QUERY_AND ? " AND " : " OR ");
		search_condition(s, node->children->pdata[i], sql);
	}
	g_string_append_c(sql->text, ')');
}

/* ---- functions */

static void ext_function(sqlite3_context *context, int n, sqlite3_value **values)
{
	const char *name = sqlite3_value_blob(values[0]);
	size_t length = sqlite3_value_bytes(values[0]);
	const char *ext = (const char *)sqlite3_value_text(values[1]);
	size_t ext_length = sqlite3_value_bytes(values[1]);
	if (name && *name != '/' && g_strstr_len(name, length, "://"))
		name = url_last_segment(name, length, &length);
	/* A name that consists of an extension alone has none. */
	bool has = name && ext && length > ext_length + 1 && name[length - ext_length - 1] == '.' &&
	           name[length - ext_length - 2] != '/' &&
	           g_ascii_strncasecmp(name + length - ext_length, ext, ext_length) == 0;
	sqlite3_result_int(context, has);
}

/* Caches the types, because there are many files and few types. */
static const char *type_of(Reader *r, const char *mime)
{
	const char *type = mime ? g_hash_table_lookup(r->types, mime) : doctype_of(NULL);
	if (!type) {
		type = doctype_of(mime);
		g_hash_table_insert(r->types, g_strdup(mime), (void *)type);
	}
	return type;
}

static void type_function(sqlite3_context *context, int n, sqlite3_value **values)
{
	const SearchState *state = sqlite3_user_data(context);
	const char *mime = (const char *)sqlite3_value_text(values[0]);
	bool folder = sqlite3_value_int(values[1]) == ENTRY_DIR;
	const char *wanted = (const char *)sqlite3_value_text(values[2]);
	const char *type = folder ? "folder" : type_of(state->r, mime);
	sqlite3_result_int(context, wanted && strcmp(type, wanted) == 0);
}

/* "en" matches "en" and "en-gb". */
static void lang_function(sqlite3_context *context, int n, sqlite3_value **values)
{
	const char *lang = (const char *)sqlite3_value_text(values[0]);
	const char *wanted = (const char *)sqlite3_value_text(values[1]);
	size_t length = wanted ? strlen(wanted) : 0;
	bool same = lang && wanted && g_ascii_strncasecmp(lang, wanted, length) == 0;
	sqlite3_result_int(context, same && (lang[length] == '\0' || lang[length] == '-'));
}

bool search_path_has(const char *path, const char *part)
{
	size_t length = strlen(part);
	for (const char *at = strstr(path, part); at; at = strstr(at + 1, part))
		if (at > path && at[-1] == '/' && (at[length] == '\0' || at[length] == '/'))
			return true;
	return false;
}

/* The directory of a page, in its URL. The caller frees it. */
static char *directory_of_page(sqlite3_value *name)
{
	g_autofree char *url = g_strndup(sqlite3_value_blob(name), sqlite3_value_bytes(name));
	size_t length;
	const char *last = url_last_segment(url, strlen(url), &length);
	return g_strndup(url, last - url);
}

static void below_function(sqlite3_context *context, int n, sqlite3_value **values)
{
	const SearchState *state = sqlite3_user_data(context);
	const char *wanted = (const char *)sqlite3_value_text(values[2]);
	const ReaderDir *dir = reader_dir(state->r, sqlite3_value_int64(values[0]));
	g_autofree char *page = NULL;
	if (dir->path && dir->source != ENTRY_OF_DISK)
		page = directory_of_page(values[1]);
	const char *path = page ? page : dir->path;
	bool below =
	        path && wanted && *wanted &&
	        (*wanted == '/' ? paths_is_below(path, wanted) : search_path_has(path, wanted));
	sqlite3_result_int(context, below);
}

static void in_function(sqlite3_context *context, int n, sqlite3_value **values)
{
	const SearchState *state = sqlite3_user_data(context);
	const char *wanted = (const char *)sqlite3_value_text(values[1]);
	const char *path = reader_dir(state->r, sqlite3_value_int64(values[0]))->path;
	sqlite3_result_int(context, path && wanted && strcmp(path, wanted) == 0);
}

/* Returns the number of bits in which a fingerprint differs from that of a near: filter, or NULL if
 * the two are not near. */
static void near_function(sqlite3_context *context, int n, sqlite3_value **values)
{
	const SearchState *state = sqlite3_user_data(context);
	guint index = sqlite3_value_int(values[1]);
	NearPrint print;
	if (sqlite3_value_bytes(values[0]) != NEAR_PRINT_BYTES || !state->search ||
	        index >= state->search->plan->nears->len)
		return;
	const QueryNode *node = state->search->plan->nears->pdata[index];
	near_unpack(sqlite3_value_blob(values[0]), &print);
	unsigned bits = near_bits(&print, &node->print);
	unsigned more = sketch_distance(&print.sketch, &node->print.sketch);
	if (bits <= node->low && more <= node->high)
		sqlite3_result_int(context, bits + more);
}

static void related_function(sqlite3_context *context, int n, sqlite3_value **values)
{
	const SearchState *state = sqlite3_user_data(context);
	const Search *s = state->search;
	guint index = sqlite3_value_int(values[1]);
	if (!s || !s->subjects || index >= s->plan->relateds->len)
		return;
	double likeness =
	        search_likeness(s, s->plan->relateds->pdata[index], sqlite3_value_int64(values[0]));
	if (likeness > 0)
		sqlite3_result_double(context, likeness);
}

static void offline_function(sqlite3_context *context, int n, sqlite3_value **values)
{
	const SearchState *state = sqlite3_user_data(context);
	const ReaderDir *dir = reader_dir(state->r, sqlite3_value_int64(values[0]));
	sqlite3_result_int(
	        context, state->search && search_is_offline(state->search->offline, dir->root));
}

static void maildir_function(sqlite3_context *context, int n, sqlite3_value **values)
{
	const SearchState *state = sqlite3_user_data(context);
	const char *dir = reader_dir(state->r, sqlite3_value_int64(values[0]))->path;
	const char *name = sqlite3_value_blob(values[1]);
	int length = sqlite3_value_bytes(values[1]);
	const char *wanted = (const char *)sqlite3_value_text(values[2]);
	sqlite3_result_int(context, name && maildir_state(dir, name, length, wanted));
}

static void compressed_function(sqlite3_context *context, int n, sqlite3_value **values)
{
	const char *name = sqlite3_value_blob(values[0]);
	sqlite3_result_int(context, name && sole_member_name(name, sqlite3_value_bytes(values[0])));
}

static void wanted_function(sqlite3_context *context, int n, sqlite3_value **values)
{
	const SearchState *state = sqlite3_user_data(context);
	sqlite3_result_int(context,
	        !state->wanted || search_contains(state->wanted, sqlite3_value_int64(values[0])));
}

bool search_register(SearchState *state, GError **error)
{
	static const struct {
		const char *name;
		int n;
		void (*function)(sqlite3_context *, int, sqlite3_value **);
	} functions[] = {
	        {"tarsier_ext", 2, ext_function},
	        {"tarsier_type", 3, type_function},
	        {"tarsier_lang", 2, lang_function},
	        {"tarsier_below", 3, below_function},
	        {"tarsier_in", 2, in_function},
	        {"tarsier_near", 2, near_function},
	        {"tarsier_related", 2, related_function},
	        {"tarsier_offline", 1, offline_function},
	        {"tarsier_maildir", 3, maildir_function},
	        {"tarsier_compressed", 1, compressed_function},
	        {"tarsier_wanted", 1, wanted_function},
	};
	for (size_t i = 0; i < G_N_ELEMENTS(functions); i++)
		if (sqlite3_create_function_v2(state->r->db, functions[i].name, functions[i].n,
		            SQLITE_UTF8 | SQLITE_DIRECTONLY, state, functions[i].function, NULL,
		            NULL, NULL) != SQLITE_OK)
			return db_fail(state->r->db, NULL, error);
	return (search_list_register(state) && search_web_register(state) &&
	               single_term_register(state)) ||
	       db_fail(state->r->db, NULL, error);
}
