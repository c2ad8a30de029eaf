/* SPDX-License-Identifier: GPL-3.0-or-later */
/* query-address.c - an address as a text may have it: "https://www.example.org/a/b?x=1" as
 * "example.org/a/b"
 *
 * A browser gives the whole address, and people write the part of it that leads there. The
 * parameters are left out last, and not if they may tell which page it is ("watch?v=1"). */
#include <config.h>
#include "index/query/query-private.h"
#include "index/text/tokenizer.h"
#include "common/base/paths.h"
#include <string.h>

enum { FEWEST_PARTS = 2 }; /* of a path that tells which page it is */

static int address_add_token(void *data, const char *token, int length, int start, int end)
{
	g_autofree char *text = g_strndup(token, length);
	g_strv_builder_add(data, text);
	return 0;
}

/* The text after the scheme and "www.". */
static const char *address_host(const char *url)
{
	const char *host = strstr(url, "://") + strlen("://");
	return host + (g_ascii_strncasecmp(host, "www.", 4) == 0 ? 4 : 0);
}

/* Does a program make the page of such parameters ("index.php?id=5")? */
static bool address_is_of_program(const char *path, size_t length)
{
	static const char *const ends[] = {".php", ".asp", ".aspx", ".cgi", ".jsp", ".pl", ".do"};
	g_autofree char *text = g_ascii_strdown(path, length);
	for (size_t i = 0; i < G_N_ELEMENTS(ends); i++)
		if (g_str_has_suffix(text, ends[i]))
			return true;
	return false;
}

/* Do the parameters only tell where the reader came from? */
static bool address_is_tracked(const char *parameters)
{
	static const char *const names[] = {"utm_", "fbclid=", "gclid=", "msclkid=", "mc_cid=",
	        "mc_eid=", "igshid=", "ref=", "ref_src=", "si="};
	g_auto(GStrv) list = g_strsplit_set(parameters, "&;", -1);
	for (char **parameter = list; *parameter; parameter++) {
		bool known = false;
		for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
			known |= g_str_has_prefix(*parameter, names[i]);
		if (!known)
			return false;
	}
	return true;
}

/* Bytes up to the parameters or the place in the page, if they may be left out; else all. */
static size_t address_page_length(const char *host)
{
	size_t length = strcspn(host, "?#"), at = strcspn(host, "/");
	unsigned parts = 0;
	for (size_t n; at < length; at += n) {
		n = strspn(host + at, "/");
		parts += at + n < length;
		n += strcspn(host + at + n, "/?#");
	}
	bool tracked = host[length] == '?' && address_is_tracked(host + length + 1);
	bool told = parts >= FEWEST_PARTS && !address_is_of_program(host, length);
	return told || (parts > 0 && (tracked || host[length] == '#')) ? length : strlen(host);
}

/* The address of a term node; NULL: it is none, or quoted. The caller frees it. */
static char *address_of_node(const Query *query, const QueryNode *node)
{
	size_t length = strlen(query->text);
	if (node->op != QUERY_WORDS || node->scope != SCOPE_ANY || node->pattern || node->prefix ||
	        !node->path || !path_is_web(node->path) || node->position > length ||
	        node->length > length - node->position)
		return NULL;
	g_autofree char *text = g_strndup(query->text + node->position, node->length);
	bool quoted = !g_ascii_isalpha(*text);
	return !quoted && path_is_web(text) ? g_steal_pointer(&text) : NULL;
}

/* Returns true if the words are others than before. */
static bool address_shorten(const Query *query, QueryNode *node, bool page)
{
	g_autofree char *url = address_of_node(query, node);
	if (!url)
		return false;
	g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
	const char *host = address_host(url);
	size_t length = page ? address_page_length(host) : strlen(host);
	tokenize_phrase(host, length, address_add_token, builder);
	g_auto(GStrv) tokens = g_strv_builder_end(builder);
	if (!tokens[0] || !tokens[1] ||
	        g_strv_equal((const char *const *)tokens, (const char *const *)node->tokens))
		return false;
	g_strfreev(node->tokens);
	node->tokens = g_steal_pointer(&tokens);
	return true;
}

/* Addresses that are excluded stay. */
static bool address_shorten_all(const Query *query, QueryNode *node, bool page)
{
	bool changed = false;
	if (node->op == QUERY_WORDS)
		return address_shorten(query, node, page);
	for (guint i = 0; node->op != QUERY_NOT && node->children && i < node->children->len; i++)
		changed |= address_shorten_all(query, node->children->pdata[i], page);
	return changed;
}

Query *query_shorten_addresses(const Query *query, bool page)
{
	g_autoptr(QueryNode) root = query_node_copy(query->root);
	if (!address_shorten_all(query, root, page))
		return NULL;
	Query *shorter = g_new0(Query, 1);
	shorter->text = g_strdup(query->text);
	shorter->root = g_steal_pointer(&root);
	query_drop_forms(shorter);
	return shorter;
}
