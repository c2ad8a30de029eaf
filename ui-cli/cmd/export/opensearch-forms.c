/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/cmd/export/opensearch-forms.h"
#include "index/text/stem.h"
#include <glib.h>
#include <string.h>

#define OTHER_LANGUAGES "?"

/* The language whose forms are known for a code: "nb" for "no". The caller frees it. */
static char *os_forms_language(const char *code)
{
	uint32_t known = stem_language(code);
	return known ? stem_language_names(known) : g_strdup(OTHER_LANGUAGES);
}

/* ---- of a document */

static void os_forms_add_stream(GString *forms, const char *stream, const char *language)
{
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
	g_autofree char *words = g_strdup(stream);
	char *at;
	for (char *word = strtok_r(words, " /", &at); word; word = strtok_r(NULL, " /", &at))
		if (g_hash_table_add(seen, word))
			g_string_append_printf(forms, " %s:%s", language, word);
}

json_t *os_forms_of(const json_t *streams, const char *language)
{
	g_autofree char *known = os_forms_language(language);
	g_autoptr(GString) forms = g_string_new(NULL);
	json_t *stream;
	size_t i;
	if (json_is_string(streams))
		os_forms_add_stream(forms, json_string_value(streams), known);
	json_array_foreach((json_t *)streams, i, stream) if (json_is_string(stream))
	        os_forms_add_stream(forms, json_string_value(stream), known);
	return json_stringn(forms->str, forms->len);
}

/* ---- of a query */

static void os_forms_add(json_t *forms, const json_t *terms, const char *language)
{
	json_t *term;
	size_t i;
	json_array_foreach((json_t *)terms, i, term) json_array_append_new(
	        forms, json_sprintf("%s:%s", language, json_string_value(term)));
}

static void os_forms_add_in(json_t *forms, const json_t *terms, const json_t *languages)
{
	json_t *code;
	size_t i;
	json_array_foreach((json_t *)languages, i, code)
	{
		g_autofree char *language = os_forms_language(json_string_value(code));
		os_forms_add(forms, terms, language);
	}
}

json_t *os_forms_wanted(const json_t *leaf, const json_t *languages)
{
	const json_t *tokens = json_object_get(leaf, "tokens");
	json_t *forms = json_array(), *form;
	size_t i;
	os_forms_add_in(forms, tokens, languages);
	os_forms_add(forms, tokens, OTHER_LANGUAGES);
	json_array_foreach(json_object_get(leaf, "forms"), i, form)
	{
		const json_t *terms = json_object_get(form, "terms");
		os_forms_add_in(forms, terms, json_object_get(form, "languages"));
		if (json_is_true(json_object_get(form, "others")))
			os_forms_add(forms, terms, OTHER_LANGUAGES);
	}
	return forms;
}
