/* SPDX-License-Identifier: GPL-3.0-or-later */
/* query-files.c - values that name a file: "near:FILE", "near:FILE~5" (fingerprints that differ in
 * few bits), "related:FILE" (the same subject), "dup:FILE" (equal bytes), "thread:FILE" (mails) */
#include <config.h>
#include "index/query/query-private.h"
#include "common/base/text.h"
#include "common/base/i18n.h"
#include "common/base/paths.h"
#include "common/url/url-canonical.h"
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_BITS = 32 };

/* ---- near: */

/* Length of the path before "~digits"; *digits is NULL if there are none. */
static size_t path_length(const QueryValue *value, const char **digits)
{
	size_t length = strlen(value->text), end = length;
	*digits = NULL;
	while (end > 0 && g_ascii_isdigit(value->text[end - 1]))
		end--;
	if (value->quoted || end == length || end < 2 || value->text[end - 1] != '~')
		return length;
	*digits = value->text + end;
	return end - 1;
}

static void set_bits(QueryNode *node, int bits)
{
	node->low = bits >= 0 ? bits : NEAR_BITS;
	node->high = bits >= 0 ? SKETCH_BITS : NEAR_SKETCH_BITS;
}

QueryNode *query_near_node(QueryParse *p, const QueryField *field, const QueryValue *value)
{
	const char *digits;
	size_t length = path_length(value, &digits);
	uint64_t bits = digits ? g_ascii_strtoull(digits, NULL, 10) : 0;
	if (bits > MAX_BITS) {
		query_fail(p, value->position + length, value->length - length, NULL,
		        _("At most %d of the 64 bits may differ"), MAX_BITS);
		return NULL;
	}
	QueryNode *node = query_node_new(QUERY_FILTER, value->position, value->length);
	node->filter = field->filter;
	node->values = g_new0(char *, 2);
	node->values[0] = g_strndup(value->text, length);
	set_bits(node, digits ? (int)bits : -1);
	return node;
}

Query *query_near(const NearPrint *print, int bits)
{
	Query *query = query_all();
	query->root->filter = FILTER_NEAR;
	set_bits(query->root, bits);
	query->root->print = *print;
	query->root->resolved = true;
	return query;
}

/* ---- dup: */

/* Why the file cannot be read; NULL if it is a regular one that may be. The caller frees it. */
static char *query_file_problem(const char *path)
{
	struct stat info;
	if (stat(path, &info) != 0 || access(path, R_OK) != 0)
		return g_strdup(g_strerror(errno));
	return S_ISREG(info.st_mode) ? NULL : g_strdup(_("It is not a regular file."));
}

/* An absolute path, or the URL of a page. The caller frees it. */
static char *query_dup_path(const QueryParse *p, const char *text)
{
	if (path_is_web(text)) {
		char *url = url_canonical(text, -1, NULL, NULL);
		return url ? url : g_strdup(text);
	}
	if (text[0] == '~' && text[1] == '/')
		return g_strconcat(g_get_home_dir(), text + 1, NULL);
	return g_canonicalize_filename(text, p->options->cwd ? p->options->cwd : "/");
}

QueryNode *query_dup_node(QueryParse *p, const QueryField *field, const QueryValue *value)
{
	g_autofree char *path = query_dup_path(p, value->text);
	/* Whether there is a member is known once its container is read. */
	bool later = path_is_web(path) || strchr(path, '|');
	char *problem = later ? NULL : query_file_problem(path);
	if (problem) {
		query_fail(p, value->position, value->length, problem,
		        _("The file \"%s\" cannot be read"), value->text);
		return NULL;
	}
	QueryNode *node = query_node_new(QUERY_FILTER, value->position, value->length);
	node->filter = field->filter;
	node->values = g_new0(char *, 2);
	node->values[0] = g_steal_pointer(&path);
	return node;
}

/* ---- related:, thread: */

QueryNode *query_file_node(QueryFilter filter, const QueryValue *value)
{
	QueryNode *node = query_node_new(QUERY_FILTER, value->position, value->length);
	node->filter = filter;
	node->values = g_strdupv((char *[]){value->text, NULL});
	return node;
}

/* Makes it the term node of one word. */
static void become_word(QueryNode *node, const char *word)
{
	node->op = QUERY_WORDS;
	node->scope = SCOPE_ANY;
	node->exact = true;
	node->unranked = true;
	node->tokens = g_strdupv((char *[]){(char *)word, NULL});
}

static void query_replace_thread(QueryNode *node, char **words)
{
	g_clear_pointer(&node->values, g_strfreev);
	if (!words[1]) {
		become_word(node, words[0]);
		return;
	}
	node->op = QUERY_OR;
	node->children = g_ptr_array_new_with_free_func((GDestroyNotify)query_node_free);
	for (char **word = words; *word; word++) {
		QueryNode *child = query_node_new(QUERY_WORDS, node->position, node->length);
		become_word(child, *word);
		g_ptr_array_add(node->children, child);
	}
}

/* The parser counted the thread as one term, whatever number of words stands for it. */
static bool query_resolve_thread(
        const QueryNode *root, QueryNode *node, const QueryFiles *files, GError **error)
{
	g_auto(GStrv) words = files->thread(node->values[0], files->data, error);
	if (!words)
		return false;
	query_replace_thread(node, words);
	if (query_node_terms(root) <= QUERY_MAX_TERMS)
		return true;
	g_set_error(error, QUERY_ERROR, 0, _("Too many words: at most %d"), QUERY_MAX_TERMS);
	return false;
}

/* ---- resolving */

static char *query_hex(const uint8_t *bytes, size_t length)
{
	GString *out = g_string_new(NULL);
	text_append_hex(out, bytes, length);
	return g_string_free(out, FALSE);
}

static bool query_resolve_dup(QueryNode *node, const QueryFiles *files, GError **error)
{
	uint8_t checksum[CHECKSUM_BYTES];
	if (!files->checksum(node->values[0], checksum, files->data, error))
		return false;
	g_free(node->values[0]);
	node->values[0] = query_hex(checksum, sizeof checksum);
	return true;
}

static bool query_resolve_node(
        const QueryNode *root, QueryNode *node, const QueryFiles *files, GError **error)
{
	if (node->op == QUERY_FILTER && !node->resolved) {
		if (node->filter == FILTER_THREAD)
			return query_resolve_thread(root, node, files, error);
		if (node->filter == FILTER_NEAR)
			node->resolved =
			        files->print(node->values[0], &node->print, files->data, error);
		else if (node->filter == FILTER_RELATED)
			node->resolved = files->subject(
			        node->values[0], &node->document, &node->terms, files->data, error);
		else
			node->resolved =
			        node->filter != FILTER_DUP || query_resolve_dup(node, files, error);
		return node->resolved;
	}
	for (guint i = 0; node->children && i < node->children->len; i++)
		if (!query_resolve_node(root, node->children->pdata[i], files, error))
			return false;
	return true;
}

/* The first node that names a file which is still to be asked for, or NULL. */
static const QueryNode *query_unresolved_node(const QueryNode *node)
{
	if (node->op == QUERY_FILTER) {
		bool names = node->filter == FILTER_NEAR || node->filter == FILTER_RELATED ||
		             node->filter == FILTER_DUP || node->filter == FILTER_THREAD;
		return names && !node->resolved ? node : NULL;
	}
	const QueryNode *found = NULL;
	for (guint i = 0; !found && node->children && i < node->children->len; i++)
		found = query_unresolved_node(node->children->pdata[i]);
	return found;
}

bool query_names_files(const Query *query)
{
	return query_unresolved_node(query->root) != NULL;
}

bool query_unresolved_file(const Query *query, QueryFault *fault)
{
	const QueryNode *node = query_unresolved_node(query->root);
	if (node)
		*fault = (QueryFault){node->position, node->length, NULL};
	return node != NULL;
}

bool query_resolve_files(Query *query, const QueryFiles *files, GError **error)
{
	return query_resolve_node(query->root, query->root, files, error);
}
