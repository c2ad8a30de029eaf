/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/rules/rules-policy.h"
#include "common/base/paths.h"
#include "common/rules/rules-table.h"
#include "common/base/text.h"
#include <string.h>

struct PolicySet {
	GPtrArray *policies; /* Policy; the longest path first, the policy without path last */
};

static void policy_free(gpointer data)
{
	Policy *policy = data;
	g_free(policy->path);
	ignore_list_free(policy->hidden);
	ignore_list_free(policy->exclude);
	ignore_list_free(policy->include);
	g_free(policy);
}

/* Sets one bit for each word that the list contains, in the order of the key's allowed words. */
static unsigned word_bits(const Settings *settings, const char *name, const char *dir)
{
	g_auto(GStrv) words = g_strsplit(settings_find_key("index", name)->words, " ", -1);
	const char *const *items = settings_list(settings, "index", name, dir);
	unsigned bits = 0;
	for (unsigned i = 0; words[i]; i++) {
		if (g_strv_contains(items, words[i]))
			bits |= 1u << i;
	}
	return bits;
}

/* Puts a backslash before the characters of a path that are special in patterns. */
static char *rules_quote(const char *path)
{
	GString *out = g_string_new(NULL);
	for (; *path; path++) {
		if (strchr("*?[\\", *path))
			g_string_append_c(out, '\\');
		g_string_append_c(out, *path);
	}
	return g_string_free(out, FALSE);
}

/* Makes a pattern of the configuration relative to "/": "~/x" is an absolute path, "a/b" matches at
 * any depth. */
static char *rules_anchored(const char *item)
{
	const char *bang = *item == '!' ? "!" : "";
	item += *bang != '\0';
	if (g_str_has_prefix(item, "~/")) {
		g_autofree char *home = rules_quote(g_get_home_dir());
		return g_strconcat(bang, home, item + 1, NULL);
	}
	const char *slash = strchr(item, '/');
	bool inner = slash && slash != item && slash[1] != '\0';
	return g_strconcat(bang, inner && !g_str_has_prefix(item, "**/") ? "**/" : "", item, NULL);
}

static IgnoreList *pattern_list(const Settings *settings, const char *name, const char *dir)
{
	IgnoreList *list = ignore_list_new();
	g_autofree char *origin = settings_origin(settings, "index", name, dir, NULL);
	const char *const *items = settings_list(settings, "index", name, dir);
	for (size_t i = 0; items[i]; i++) {
		g_autofree char *pattern = rules_anchored(items[i]);
		g_autofree char *why = g_strdup_printf("%s: %s", origin, items[i]);
		g_autofree char *valid = text_to_utf8(why, -1);
		ignore_list_add(list, pattern, strlen(pattern), valid);
	}
	ignore_list_finish(list);
	return list;
}

static Policy *policy_new(const Settings *settings, const char *dir)
{
	Policy *policy = g_new0(Policy, 1);
	policy->path = g_strdup(dir);
	policy->skip = word_bits(settings, "skip", dir);
	policy->markers = word_bits(settings, "markers", dir);
	policy->hidden = pattern_list(settings, "hidden", dir);
	policy->exclude = pattern_list(settings, "exclude", dir);
	policy->include = pattern_list(settings, "include", dir);
	return policy;
}

PolicySet *policy_set_new(const Settings *settings)
{
	PolicySet *set = g_new0(PolicySet, 1);
	set->policies = g_ptr_array_new_with_free_func(policy_free);
	for (const char *const *dir = settings_dirs(settings); *dir; dir++)
		g_ptr_array_add(set->policies, policy_new(settings, *dir));
	g_ptr_array_add(set->policies, policy_new(settings, NULL));
	return set;
}

void policy_set_free(PolicySet *set)
{
	g_ptr_array_unref(set->policies);
	g_free(set);
}

static bool rules_covers(const Policy *policy, const char *path)
{
	size_t length = policy->path ? strlen(policy->path) : 0;
	return length <= 1 || (strncmp(path, policy->path, length) == 0 &&
	                              (path[length] == '/' || path[length] == '\0'));
}

const Policy *policy_of_dir(const PolicySet *set, const Policy *parent, const char *path)
{
	for (guint i = 0; i < set->policies->len; i++) {
		const Policy *policy = g_ptr_array_index(set->policies, i);
		/* If the parent's policy is known, only a section for this very path can change
		 * it. */
		if (parent ? g_strcmp0(policy->path, path) == 0 : rules_covers(policy, path))
			return policy;
	}
	return parent;
}

bool policy_set_divides(const PolicySet *set, const char *path)
{
	size_t length = strlen(path);
	for (guint i = 0; i < set->policies->len; i++) {
		const Policy *policy = g_ptr_array_index(set->policies, i);
		if (policy->path && strncmp(policy->path, path, length) == 0 &&
		        (policy->path[length] == '/' || policy->path[length] == '\0'))
			return true;
	}
	return false;
}
