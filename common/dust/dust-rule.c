/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dust-rule.c - rules by themselves, and how they change URLs */
#include <config.h>
#include "common/dust/dust-private.h"

enum { STEPS_MOST = 256 };

DustRule *dust_rule_new(DustKind kind, const char *from, const char *to)
{
	DustRule *rule = g_new0(DustRule, 1);
	rule->kind = kind;
	rule->from = g_strdup(from);
	rule->to = g_strdup(to);
	return rule;
}

void dust_rule_free(DustRule *rule)
{
	if (!rule)
		return;
	g_free(rule->from);
	g_free(rule->to);
	g_free(rule);
}

bool dust_rule_equal(const DustRule *a, const DustRule *b)
{
	return a->kind == b->kind && a->at_start == b->at_start && a->at_end == b->at_end &&
	       a->place == b->place && strcmp(a->from, b->from) == 0 &&
	       g_strcmp0(a->to, b->to) == 0;
}

/* ---- parts */

bool dust_part_find(const DustRule *rule, const char *text, const uint16_t *starts, unsigned n,
        DustPartSpan *span)
{
	size_t length = strlen(rule->from);
	for (unsigned token = 0; token < n && (!rule->at_start || token == 0); token++) {
		size_t at = starts[token], end = at + length;
		unsigned last = token;
		if (end > starts[n] || text[at] != rule->from[0] ||
		        memcmp(text + at, rule->from, length) != 0)
			continue;
		while (starts[last] < end)
			last++;
		*span = (DustPartSpan){at, end};
		if (starts[last] == end && (!rule->at_end || last == n))
			return true;
	}
	return false;
}

static bool dust_part_apply(const DustRule *rule, const char *url, GString *out)
{
	uint16_t starts[DUST_TOKENS_MOST + 1];
	DustPartSpan span;
	unsigned n = dust_tokens(url, strlen(url), starts);
	if (n == 0 || !dust_part_find(rule, url, starts, n, &span))
		return false;
	g_string_append_len(out, url, (gssize)span.start);
	g_string_append(out, rule->to);
	g_string_append(out, url + span.end);
	return true;
}

/* ---- parameters */

bool dust_parameter_next(const char *url, size_t *at, DustParameter *parameter_r)
{
	const char *query = url + strcspn(url, "?");
	for (const char *c = url + *at; *c; c++) {
		bool in_query = c >= query;
		if (in_query ? *c != '?' && *c != '&' : *c != ';')
			continue;
		const char *name = c + 1, *end = name + strcspn(name, in_query ? "&" : "/;?");
		const char *equals = memchr(name, '=', (size_t)(end - name));
		*at = (size_t)(end - url);
		if (end == name || equals == name || (!in_query && !equals))
			continue;
		*parameter_r = (DustParameter){(size_t)(c - url), (size_t)(name - url),
		        (size_t)((equals ? equals : end) - url), (size_t)(end - url)};
		return true;
	}
	return false;
}

static bool dust_is_parameter(const DustRule *rule, const char *url, const DustParameter *found)
{
	size_t length = found->equals - found->name;
	return strlen(rule->from) == length && memcmp(rule->from, url + found->name, length) == 0;
}

/* Appends the parameter with the value of the rule. */
static void dust_parameter_set(
        const DustRule *rule, const char *url, const DustParameter *found, GString *out)
{
	g_string_append_len(out, url + found->start, (gssize)(found->equals - found->start));
	if (*rule->to)
		g_string_append_printf(out, "=%s", rule->to);
}

/* Appends what stays. lost: the "?" was removed with its parameter, so that the next one gets it.
 */
static void dust_append_kept(GString *out, const char *text, size_t n, bool *lost)
{
	if (n == 0)
		return;
	if (*lost && text[0] == '&') {
		g_string_append_c(out, '?');
		text++;
		n--;
	}
	*lost = false;
	g_string_append_len(out, text, (gssize)n);
}

static bool dust_parameter_apply(const DustRule *rule, const char *url, GString *out)
{
	DustParameter found;
	size_t at = 0, copied = 0;
	bool any = false, lost = false;
	while (dust_parameter_next(url, &at, &found)) {
		if (!dust_is_parameter(rule, url, &found))
			continue;
		dust_append_kept(out, url + copied, found.start - copied, &lost);
		copied = found.end;
		any = true;
		if (rule->to)
			dust_parameter_set(rule, url, &found, out);
		else
			lost = lost || url[found.start] == '?';
	}
	dust_append_kept(out, url + copied, strlen(url + copied), &lost);
	return any;
}

/* ---- application */

bool dust_rule_apply_to(const DustRule *rule, const char *url, GString *out)
{
	g_string_truncate(out, 0);
	return (rule->kind == DUST_PART ? dust_part_apply(rule, url, out)
	                                : dust_parameter_apply(rule, url, out)) &&
	       dust_order(out->str, url) < 0;
}

char *dust_rule_apply(const DustRule *rule, const char *url)
{
	g_autoptr(GString) out = g_string_new(NULL);
	if (strlen(url) > DUST_URL_BYTES_MOST || !dust_rule_apply_to(rule, url, out))
		return NULL;
	return g_strndup(out->str, out->len);
}

char *dust_canonical(const GPtrArray *rules, const char *url)
{
	g_autoptr(GString) now = g_string_new(url), next = g_string_new(NULL);
	unsigned steps = 0;
	if (!rules || now->len > DUST_URL_BYTES_MOST)
		return g_strdup(url);
	for (guint i = 0; i < rules->len && steps <= STEPS_MOST;) {
		if (!dust_rule_apply_to(rules->pdata[i], now->str, next)) {
			i++;
			continue;
		}
		GString *former = g_steal_pointer(&now);
		now = g_steal_pointer(&next);
		next = former;
		steps++;
		i = 0;
	}
	return g_strdup(steps > STEPS_MOST ? url : now->str);
}
