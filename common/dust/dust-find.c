/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dust-find.c - the likely rules, best first, without redundant ones */
#include <config.h>
#include "common/dust/dust-private.h"

static int dust_compare_rules(const void *a, const void *b)
{
	const DustRule *x = *(DustRule *const *)a, *y = *(DustRule *const *)b;
	if (x->support != y->support)
		return x->support > y->support ? -1 : 1;
	if (x->kind != y->kind)
		return x->kind > y->kind ? -1 : 1;
	int order = dust_order(y->from, x->from);
	return order ? order : g_strcmp0(x->to, y->to);
}

/* ---- redundant rules */

/* The URLs as the rules so far rewrite them. */
typedef struct {
	const DustList *list;
	char **forms; /* of each URL; NULL: unchanged */
	DustMap counts; /* hash of a form -> how many URLs have it */
	uint32_t distinct;
	GArray *undo; /* DustFormer: what the last rule changed */
} DustForms;

typedef struct {
	uint32_t i;
	char *form;
} DustFormer;

static uint32_t *dust_form_count(DustForms *forms, uint32_t i)
{
	const DustEntry *entry = dust_entry(forms->list, i);
	const char *form = forms->forms[i] ? forms->forms[i] : dust_text(forms->list, entry);
	uint32_t *count = dust_map_at(&forms->counts,
	        dust_hash(forms->list->base, (uint64_t)entry->group + 1, form, strlen(form)));
	if (*count == DUST_NONE)
		*count = 0;
	return count;
}

static void dust_forms_begin(DustForms *forms, const DustList *list)
{
	uint32_t n = dust_list_length(list);
	*forms = (DustForms){list, g_new0(char *, MAX(n, 1)), {0}, 0, NULL};
	forms->undo = g_array_new(FALSE, FALSE, sizeof(DustFormer));
	dust_map_init(&forms->counts, n);
	for (uint32_t i = 0; i < n; i++)
		forms->distinct += (*dust_form_count(forms, i))++ == 0;
}

/* Gives a URL another form; returns the former one. */
static char *dust_form_set(DustForms *forms, uint32_t i, char *form)
{
	char *former = forms->forms[i];
	forms->distinct -= --*dust_form_count(forms, i) == 0;
	forms->forms[i] = form;
	forms->distinct += (*dust_form_count(forms, i))++ == 0;
	return former;
}

/* Ends with what the last rule did: it stays, or is taken back. */
static void dust_forms_settle(DustForms *forms, bool stay)
{
	for (guint k = 0; k < forms->undo->len; k++) {
		const DustFormer *former = &g_array_index(forms->undo, DustFormer, k);
		g_free(stay ? former->form : dust_form_set(forms, former->i, former->form));
	}
	g_array_set_size(forms->undo, 0);
}

static void dust_forms_end(DustForms *forms)
{
	for (uint32_t i = 0; i < dust_list_length(forms->list); i++)
		g_free(forms->forms[i]);
	g_free(forms->forms);
	g_array_unref(forms->undo);
	dust_map_clear(&forms->counts);
}

/* Applies all rules to the URLs that the last one changes; returns how many forms fewer there
 * are. */
static uint32_t dust_forms_apply(DustForms *forms, const GPtrArray *rules)
{
	uint32_t former = forms->distinct;
	g_autoptr(GString) once = g_string_new(NULL);
	for (uint32_t i = 0; i < dust_list_length(forms->list); i++) {
		const char *form = forms->forms[i];
		if (!form)
			form = dust_text(forms->list, dust_entry(forms->list, i));
		if (!dust_rule_apply_to(rules->pdata[rules->len - 1], form, once))
			continue;
		const DustFormer one = {
		        i, dust_form_set(forms, i, dust_canonical(rules, once->str))};
		g_array_append_val(forms->undo, one);
	}
	return former > forms->distinct ? former - forms->distinct : 0;
}

/* A rule is redundant if it saves next to nothing beyond those before it. */
static void dust_drop_redundant(const DustSearch *search)
{
	DustForms forms;
	g_autoptr(GPtrArray) kept = g_ptr_array_new_with_free_func((GDestroyNotify)dust_rule_free);
	dust_forms_begin(&forms, search->list);
	while (search->rules->len > 0 && kept->len < DUST_RULES_MOST &&
	        !dust_is_stopped(search->options)) {
		DustRule *rule = g_ptr_array_steal_index(search->rules, 0);
		g_ptr_array_add(kept, rule);
		rule->saved = dust_forms_apply(&forms, kept);
		dust_forms_settle(&forms, rule->saved >= DUST_SUPPORT);
		if (rule->saved < DUST_SUPPORT)
			g_ptr_array_set_size(kept, (gint)kept->len - 1);
	}
	dust_forms_end(&forms);
	g_ptr_array_set_size(search->rules, 0);
	g_ptr_array_extend_and_steal(search->rules, g_steal_pointer(&kept));
}

GPtrArray *dust_find(const DustList *list, const DustOptions *options, const GPtrArray *refused)
{
	static const DustOptions nothing;
	GPtrArray *rules = g_ptr_array_new_with_free_func((GDestroyNotify)dust_rule_free);
	DustSearch search = {list, options ? options : &nothing, refused, rules, 0};
	if (!search.options->no_parameters)
		dust_find_parameters(&search);
	dust_find_parts(&search);
	g_ptr_array_sort(rules, dust_compare_rules);
	if (!search.options->place)
		dust_drop_redundant(&search);
	return rules;
}
