/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/url/robots-rules.h"
#include "common/url/robots-index.h"
#include "common/url/url-percent.h"
#include <string.h>

enum { MAX_DELAY = 1000000 }; /* seconds */

typedef struct {
	char *pattern;
	size_t length;
	bool allow;
} RobotsRule;

struct RobotsRules {
	RobotsSpelling spelling;
	GArray *rules; /* RobotsRule, the one that decides first comes first */
	RobotsIndex *index; /* of their patterns */
	double delay;
};

static void robots_rule_clear(void *rule)
{
	g_free(((RobotsRule *)rule)->pattern);
}

void robots_rules_free(RobotsRules *rules)
{
	if (!rules)
		return;
	robots_index_free(rules->index);
	g_array_unref(rules->rules);
	g_free(rules);
}

/* The numbers of the groups that name this token; the strings are the document's. */
static GHashTable *robots_groups(const Document *doc, const char *token)
{
	GHashTable *groups = g_hash_table_new(g_str_hash, g_str_equal);

	for (guint i = 0; i < doc->links->len; i++) {
		const DocLink *link = &g_array_index(doc->links, DocLink, i);
		if (link->kind == LINK_AGENT && g_ascii_strcasecmp(link->href, token) == 0)
			g_hash_table_add(groups, link->text);
	}
	return groups;
}

/* Appends text with "*" and "$" as escapes, as a pattern writes them that means themselves. */
static void robots_escape(GString *out, const char *text, size_t length, const char *bytes)
{
	for (size_t i = 0; i < length; i++) {
		if (text[i] && strchr(bytes, text[i]))
			url_percent_append(out, text[i]);
		else
			g_string_append_c(out, text[i]);
	}
}

static void robots_add_rule(RobotsRules *rules, const DocLink *link)
{
	g_autoptr(GString) spelt = g_string_new(NULL), pattern = g_string_new(NULL);

	if (rules->spelling == ROBOTS_CANONICAL) {
		url_percent_normalise(spelt, link->href, strlen(link->href));
		bool whole = spelt->len > 0 && spelt->str[spelt->len - 1] == '$';
		robots_escape(pattern, spelt->str, spelt->len - whole, "$");
		g_string_append(pattern, whole ? "$" : "");
	} else {
		g_string_append(pattern, link->href);
	}
	RobotsRule rule = {
	        g_strndup(pattern->str, pattern->len), pattern->len, link->kind == LINK_ALLOW};
	g_array_append_val(rules->rules, rule);
}

static void robots_add_delay(RobotsRules *rules, const DocLink *link)
{
	double seconds = g_ascii_strtod(link->href, NULL);

	if (seconds > rules->delay && seconds <= MAX_DELAY)
		rules->delay = seconds;
}

static int robots_rule_order(const void *a, const void *b)
{
	const RobotsRule *x = a, *y = b;

	if (x->length != y->length)
		return x->length > y->length ? -1 : 1;
	return y->allow - x->allow;
}

static RobotsRules *robots_rules_empty(RobotsSpelling spelling)
{
	RobotsRules *rules = g_new0(RobotsRules, 1);
	rules->spelling = spelling;
	rules->delay = -1;
	rules->rules = g_array_new(FALSE, FALSE, sizeof(RobotsRule));
	g_array_set_clear_func(rules->rules, robots_rule_clear);
	return rules;
}

/* Puts the rules in order, after the last one. */
static RobotsRules *robots_rules_finish(RobotsRules *rules)
{
	g_autofree const char **patterns = g_new(const char *, rules->rules->len + 1);
	g_array_sort(rules->rules, robots_rule_order);
	for (guint i = 0; i < rules->rules->len; i++)
		patterns[i] = g_array_index(rules->rules, RobotsRule, i).pattern;
	rules->index = robots_index_new(patterns, rules->rules->len);
	return rules;
}

RobotsRules *robots_rules_new(const Document *doc, const char *agent, RobotsSpelling spelling)
{
	RobotsRules *rules = robots_rules_empty(spelling);
	g_autofree char *token = g_strndup(agent, strcspn(agent, "/"));
	g_autoptr(GHashTable) groups = robots_groups(doc, token);

	if (g_hash_table_size(groups) == 0) {
		g_hash_table_unref(groups);
		groups = robots_groups(doc, "*");
	}
	for (guint i = 0; i < doc->links->len; i++) {
		const DocLink *link = &g_array_index(doc->links, DocLink, i);
		if (!link->text || !g_hash_table_contains(groups, link->text))
			continue;
		if (link->kind == LINK_ALLOW || link->kind == LINK_DISALLOW)
			robots_add_rule(rules, link);
		else if (link->kind == LINK_DELAY)
			robots_add_delay(rules, link);
	}
	return robots_rules_finish(rules);
}

/* The delay, then for each rule "+" or "-" and its pattern; each ends with NUL. */
GBytes *robots_rules_pack(const RobotsRules *rules)
{
	char number[G_ASCII_DTOSTR_BUF_SIZE];
	GString *out = g_string_new(g_ascii_dtostr(number, sizeof number, rules->delay));
	for (guint i = 0; i < rules->rules->len; i++) {
		const RobotsRule *rule = &g_array_index(rules->rules, RobotsRule, i);
		g_string_append_c(out, '\0');
		g_string_append_c(out, rule->allow ? '+' : '-');
		g_string_append_len(out, rule->pattern, rule->length);
	}
	g_string_append_c(out, '\0');
	return g_string_free_to_bytes(out);
}

RobotsRules *robots_rules_unpack(GBytes *packed)
{
	gsize length;
	const char *at = g_bytes_get_data(packed, &length), *end = at + length;
	RobotsRules *rules = robots_rules_empty(ROBOTS_CANONICAL);
	if (length == 0 || end[-1] != '\0')
		return robots_rules_finish(rules);
	double delay = g_ascii_strtod(at, NULL);
	rules->delay = delay >= 0 && delay <= MAX_DELAY ? delay : -1;
	for (at += strlen(at) + 1; at < end; at += strlen(at) + 1) {
		if (*at == '\0')
			continue;
		RobotsRule rule = {g_strdup(at + 1), strlen(at + 1), *at == '+'};
		g_array_append_val(rules->rules, rule);
	}
	return robots_rules_finish(rules);
}

bool robots_rules_allow(const RobotsRules *rules, const char *path, size_t length)
{
	g_autoptr(GString) escaped = g_string_sized_new(length);

	robots_escape(escaped, path, length, rules->spelling == ROBOTS_CANONICAL ? "*$" : "");
	guint first = robots_index_first(rules->index, escaped->str, escaped->len);
	return first == rules->rules->len || g_array_index(rules->rules, RobotsRule, first).allow;
}

double robots_rules_delay(const RobotsRules *rules)
{
	return rules->delay;
}

static size_t robots_find(const char *text, size_t from, size_t length, const char *bytes)
{
	while (from < length && !(text[from] && strchr(bytes, text[from])))
		from++;
	return from;
}

const char *robots_url_path(const char *url, size_t length, size_t *length_r, bool *needs_slash_r)
{
	size_t start = length >= 2 && memcmp(url, "//", 2) == 0 ? 2 : 0;
	const char *scheme = memmem(url + start, length - start, "://", 3);
	size_t path = robots_find(url, start, length, "/?;");
	size_t hash = robots_find(url, start, length, "#");

	/* In a path, "://" does not end a scheme. */
	if (scheme && (size_t)(scheme - url) <= path)
		path = robots_find(url, scheme - url + 3, length, "/?;");
	*needs_slash_r = path < length && url[path] != '/';
	if (path == length || hash < path) {
		*needs_slash_r = false;
		*length_r = 1;
		return "/";
	}
	*length_r = hash - path;
	return url + path;
}
