/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/cmd/export/opensearch-document.h"
#include <string.h>

/* ---- classes */

static void os_class_free(gpointer data)
{
	OsClass *class = data;
	json_decref(class->allow);
	json_decref(class->deny);
	json_decref(class->places);
	g_free(class);
}

static bool is_list_of_tokens(const json_t *list)
{
	size_t i;
	json_t *token;
	json_array_foreach((json_t *)list, i, token) if (!json_is_string(token)) return false;
	return json_is_array(list);
}

static int compare_json(const void *a, const void *b)
{
	char *first = json_dumps(*(json_t *const *)a, JSON_SORT_KEYS | JSON_ENCODE_ANY);
	char *second = json_dumps(*(json_t *const *)b, JSON_SORT_KEYS | JSON_ENCODE_ANY);
	int order = strcmp(first, second);
	free(first);
	free(second);
	return order;
}

static json_t *os_sorted(const json_t *list)
{
	g_autoptr(GPtrArray) items = g_ptr_array_new();
	json_t *sorted = json_array(), *item;
	size_t n;
	json_array_foreach((json_t *)list, n, item) g_ptr_array_add(items, item);
	if (items->len > 1)
		qsort(items->pdata, items->len, sizeof(gpointer), compare_json);
	for (guint i = 0; i < items->len; i++)
		json_array_append(sorted, items->pdata[i]);
	return sorted;
}

static char *os_class_key(const json_t *allow, const json_t *deny)
{
	char *first = json_dumps(allow, 0), *second = json_dumps(deny, 0);
	char *key = g_strconcat(first, second, NULL);
	free(first);
	free(second);
	return key;
}

static void os_class_finish(OsClass *class, const char *key)
{
	g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
	guint8 digest[32];
	gsize length = sizeof digest;
	json_t *sorted = os_sorted(class->places);
	char *text = json_dumps(sorted, JSON_SORT_KEYS);
	g_checksum_update(sum, (const guchar *)key, strlen(key));
	g_checksum_update(sum, (const guchar *)text, strlen(text));
	g_checksum_get_digest(sum, digest, &length);
	memcpy(class->hash, digest, OS_HASH_BYTES);
	free(text);
	json_decref(class->places);
	class->places = sorted;
}

/* The class of the place, which is made if it is the first of it. NULL: it has none. */
static OsClass *os_class_of(GHashTable *by_key, const json_t *place)
{
	const json_t *allow = json_object_get(place, "allow"),
	             *deny = json_object_get(place, "deny");
	if (!is_list_of_tokens(allow) || !is_list_of_tokens(deny) || json_array_size(allow) == 0)
		return NULL;
	json_t *sorted_allow = os_sorted(allow), *sorted_deny = os_sorted(deny);
	char *key = os_class_key(sorted_allow, sorted_deny);
	OsClass *class = g_hash_table_lookup(by_key, key);
	if (class) {
		json_decref(sorted_allow);
		json_decref(sorted_deny);
		g_free(key);
		return class;
	}
	class = g_new0(OsClass, 1);
	class->allow = sorted_allow;
	class->deny = sorted_deny;
	class->places = json_array();
	g_hash_table_insert(by_key, key, class);
	return class;
}

static int compare_texts(gconstpointer a, gconstpointer b)
{
	return strcmp(a, b);
}

GPtrArray *os_classes(const json_t *places)
{
	g_autoptr(GHashTable) by_key = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	GPtrArray *classes = g_ptr_array_new_with_free_func(os_class_free);
	json_t *place;
	size_t i;
	json_array_foreach((json_t *)places, i, place)
	{
		OsClass *class = os_class_of(by_key, place);
		json_t *bare = class ? json_copy(place) : NULL;
		json_object_del(bare, "allow");
		json_object_del(bare, "deny");
		if (bare)
			json_array_append_new(class->places, bare);
	}
	g_autoptr(GList) keys = g_list_sort(g_hash_table_get_keys(by_key), compare_texts);
	for (GList *key = keys; key; key = key->next) {
		OsClass *class = g_hash_table_lookup(by_key, key->data);
		os_class_finish(class, key->data);
		g_ptr_array_add(classes, class);
	}
	return classes;
}

/* ---- documents */

char *os_document_id(const char *instance, int64_t document, unsigned n)
{
	if (n == 0)
		return g_strdup_printf("%s:%" G_GINT64_FORMAT, instance, document);
	return g_strdup_printf("%s:%" G_GINT64_FORMAT ".%u", instance, document, n);
}

void os_hash_text(const uint8_t hash[OS_HASH_BYTES], char out[2 * OS_HASH_BYTES + 1])
{
	for (unsigned i = 0; i < OS_HASH_BYTES; i++)
		g_snprintf(out + 2 * i, 3, "%02x", hash[i]);
}

static json_t *os_text_of_parts(const json_t *parts)
{
	g_autoptr(GString) text = g_string_new(NULL);
	json_t *part;
	size_t i;
	json_array_foreach((json_t *)parts, i, part)
	{
		const json_t *of_part = json_object_get(part, "text");
		if (text->len > 0)
			g_string_append_c(text, '\n');
		g_string_append_len(text, json_string_value(of_part), json_string_length(of_part));
	}
	return json_stringn(text->str, text->len);
}

json_t *os_document_of_line(const json_t *line, const char *instance, const char *host)
{
	static const char *const copied[] = {"content", "member", "kind", "mime", "title", "author",
	        "lang", "date", "mtime", "size", "pages", "seconds", "state", "reason", "checksum",
	        "facts"};
	const char *number = strrchr(os_text(line, "id"), ':');
	if (!number)
		return NULL;
	json_t *document = json_object(), *text = os_text_of_parts(json_object_get(line, "text"));
	json_object_set_new(document, "instance", json_string(instance));
	json_object_set_new(document, "host", json_string(host));
	json_object_set_new(
	        document, "number", json_integer(g_ascii_strtoll(number + 1, NULL, 10)));
	json_object_set_new(document, "bytes", json_integer(json_string_length(text)));
	for (size_t i = 0; i < G_N_ELEMENTS(copied); i++) {
		json_t *value = json_object_get(line, copied[i]);
		if (value && !json_is_null(value))
			json_object_set(document, copied[i], value);
	}
	json_object_set_new(document, "text", text ? text : json_string(""));
	return document;
}

/* The names of the files, to be searched. */
static json_t *os_names(const json_t *places)
{
	json_t *names = json_array(), *place;
	size_t i;
	json_array_foreach((json_t *)places, i, place)
	{
		g_autofree char *name = g_path_get_basename(os_text(place, "path"));
		json_array_append_new(names, json_string(name));
	}
	return names;
}

void os_document_set_class(json_t *document, const OsClass *class, unsigned n)
{
	char hash[2 * OS_HASH_BYTES + 1];
	os_hash_text(class->hash, hash);
	json_object_set(document, "allow", class->allow);
	json_object_set(document, "deny", class->deny);
	json_object_set(document, "places", class->places);
	json_object_set_new(document, "name", os_names(class->places));
	json_object_set_new(document, "access", json_string(hash));
	json_object_set_new(document, "class", json_integer(n));
}
