/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dust-parameters.c - parameters that do not matter
 *
 * Each parameter that occurs often is tried: first without it, then, if that was refused, with the
 * shortest of its values for all. */
#include <config.h>
#include "common/dust/dust-private.h"

enum { NAMES_MOST = 64 };

typedef struct {
	char *name, *value; /* value: the first in the order of dust_order() */
	uint32_t urls;
} DustName;

static void dust_name_free(gpointer data)
{
	DustName *name = data;
	g_free(name->name);
	g_free(name->value);
	g_free(name);
}

static void dust_note_name(GHashTable *names, const char *url, const DustParameter *found)
{
	g_autofree char *text = g_strndup(url + found->name, found->equals - found->name);
	size_t value = MIN(found->equals + 1, found->end);
	g_autofree char *value_text = g_strndup(url + value, found->end - value);
	DustName *name = g_hash_table_lookup(names, text);
	if (!name) {
		name = g_new0(DustName, 1);
		name->name = g_steal_pointer(&text);
		g_hash_table_insert(names, name->name, name);
	}
	name->urls++;
	if (!name->value || dust_order(value_text, name->value) < 0) {
		g_free(name->value);
		name->value = g_steal_pointer(&value_text);
	}
}

static int dust_compare_names(const void *a, const void *b)
{
	const DustName *x = *(DustName *const *)a, *y = *(DustName *const *)b;
	if (x->urls != y->urls)
		return x->urls > y->urls ? -1 : 1;
	return strcmp(x->name, y->name);
}

static GHashTable *dust_names(const DustList *list)
{
	GHashTable *names = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, dust_name_free);
	for (uint32_t i = 0; i < list->entries->len; i++) {
		const char *url = dust_text(list, dust_entry(list, i));
		DustParameter found;
		size_t at = 0;
		while (dust_parameter_next(url, &at, &found))
			dust_note_name(names, url, &found);
	}
	return names;
}

static void dust_try_name(DustSearch *search, const DustName *name)
{
	DustRule *rule = dust_rule_new(DUST_PARAMETER, name->name, NULL);
	if (dust_search_refuses(search, rule)) {
		dust_rule_free(rule);
		rule = dust_rule_new(DUST_PARAMETER, name->name, name->value);
	}
	dust_search_take(search, rule);
}

void dust_find_parameters(DustSearch *search)
{
	g_autoptr(GHashTable) names = dust_names(search->list);
	g_autoptr(GPtrArray) often = g_ptr_array_new();
	GHashTableIter iter;
	gpointer name;
	g_hash_table_iter_init(&iter, names);
	while (g_hash_table_iter_next(&iter, NULL, &name))
		if (((DustName *)name)->urls >= DUST_SUPPORT)
			g_ptr_array_add(often, name);
	g_ptr_array_sort(often, dust_compare_names);
	for (guint i = 0; i < often->len && i < NAMES_MOST; i++)
		dust_try_name(search, often->pdata[i]);
}
