/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/cmd/export/opensearch-document.h"
#include "ui-cli/cmd/export/opensearch-forms.h"
#include <string.h>

/* ---- classes */

static void os_class_free(gpointer data)
{
	OsClass *class = data;
	json_decref(class->allow);
	json_decref(class->deny);
	json_decref(class->place);
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

static void os_class_hash(OsClass *class)
{
	g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
	const json_t *parts[] = {class->allow, class->deny, class->place};
	guint8 digest[32];
	gsize length = sizeof digest;
	for (size_t i = 0; i < G_N_ELEMENTS(parts); i++) {
		char *text = json_dumps(parts[i], JSON_SORT_KEYS);
		g_checksum_update(sum, (const guchar *)text, strlen(text) + 1);
		free(text);
	}
	g_checksum_get_digest(sum, digest, &length);
	memcpy(class->hash, digest, OS_HASH_BYTES);
}

/* NULL: nobody may read the document there, or it is not told who may. */
static OsClass *os_class_of(const json_t *place)
{
	const json_t *allow = json_object_get(place, "allow"),
	             *deny = json_object_get(place, "deny");
	if (!is_list_of_tokens(allow) || !is_list_of_tokens(deny) || json_array_size(allow) == 0)
		return NULL;
	OsClass *class = g_new0(OsClass, 1);
	class->allow = os_sorted(allow);
	class->deny = os_sorted(deny);
	class->place = json_copy((json_t *)place);
	json_object_del(class->place, "allow");
	json_object_del(class->place, "deny");
	os_class_hash(class);
	return class;
}

static gint compare_classes(gconstpointer a, gconstpointer b)
{
	const OsClass *one = *(OsClass *const *)a, *other = *(OsClass *const *)b;
	int order = strcmp(os_text(one->place, "path"), os_text(other->place, "path"));
	return order ? order
	             : strcmp(os_text(one->place, "path_b64"), os_text(other->place, "path_b64"));
}

GPtrArray *os_classes(const json_t *places)
{
	GPtrArray *classes = g_ptr_array_new_with_free_func(os_class_free);
	json_t *place;
	size_t i;
	json_array_foreach((json_t *)places, i, place)
	{
		OsClass *class = os_class_of(place);
		if (class)
			g_ptr_array_add(classes, class);
	}
	g_ptr_array_sort(classes, compare_classes);
	return classes;
}

/* ---- documents */

char *os_document_id(const char *instance, int64_t document, unsigned n)
{
	if (n == 0)
		return g_strdup_printf("%s:%" G_GINT64_FORMAT, instance, document);
	return g_strdup_printf("%s:%" G_GINT64_FORMAT ".%u", instance, document, n);
}

/* The hash as documents have it: 32 hex digits. */
static void os_hash_text(const uint8_t hash[OS_HASH_BYTES], char out[2 * OS_HASH_BYTES + 1])
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
	        "facts", "words"};
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
	if (!json_is_object(json_object_get(document, "words")))
		json_object_set_new(document, "words", json_object());
	return document;
}

/* ---- what searches look for */

/* Puts every end of a name that may be its extension: "tar.gz" and "gz". */
static json_t *os_extensions(const char *name)
{
	enum { LONGEST = 64 };
	g_autofree char *folded = g_utf8_strdown(name, -1);
	size_t length = strlen(folded);
	json_t *extensions = json_array();
	for (const char *dot = folded; (dot = strchr(dot, '.')); dot++)
		if (dot > folded && dot[-1] != '/' && !strchr(dot, '/') && dot[1] &&
		        folded + length - dot <= LONGEST)
			json_array_append_new(extensions, json_string(dot + 1));
	return extensions;
}

static void os_find_time(json_t *find, const char *key, const char *text)
{
	g_autoptr(GDateTime) time = *text ? g_date_time_new_from_iso8601(text, NULL) : NULL;
	if (time)
		json_object_set_new(find, key, json_integer(g_date_time_to_unix(time)));
}

static void os_find_times(json_t *find, const json_t *document, const json_t *place)
{
	bool inside = json_is_string(json_object_get(document, "member"));
	os_find_time(find, "modified", os_text(inside ? document : place, "mtime"));
	os_find_time(find, "dated", os_text(document, "date"));
	json_t *best = json_object_get(find, "dated");
	if (!best)
		best = json_object_get(find, "modified");
	if (best)
		json_object_set(find, "best", best);
}

/* A path that is longer than the server sorts by is in no directory. */
static void os_find_dir(json_t *find, const char *path)
{
	enum { LONGEST = 8191 };
	const char *slash = strrchr(path, '/');
	int length = slash ? slash + 1 - path : 0;
	g_autofree char *dir = g_strndup(path, length);
	g_autofree char *steps = g_strconcat(dir, ".", NULL);
	json_object_set_new(find, "dir", json_string(dir));
	json_object_set_new(find, "base", json_string(path + length));
	if (length <= LONGEST)
		json_object_set_new(find, "steps", json_string(steps));
}

static void os_find_name(json_t *find, const char *path, const char *member, bool file)
{
	size_t length = file ? strlen(path) : strcspn(path, "?#");
	g_autofree char *whole = member ? g_strdup(member) : g_strndup(path, length);
	g_autofree char *base = g_path_get_basename(member ? member : path);
	g_autofree char *folded = g_utf8_strdown(base, -1);
	json_object_set_new(find, "ext", os_extensions(whole));
	json_object_set_new(find, "name", json_string(folded));
}

static json_t *os_find(const json_t *document, const json_t *place)
{
	json_t *find = json_object(), *is = json_array();
	const char *path = os_text(place, "path"), *lang = os_text(document, "lang");
	const char *member = json_string_value(json_object_get(document, "member"));
	const char *slash = strrchr(path, '/');
	g_autofree char *language = g_ascii_strdown(lang, strcspn(lang, "-"));
	g_autofree char *id = g_strdup_printf(
	        "%s:%" G_GINT64_FORMAT, os_text(document, "instance"), os_int(document, "number"));
	json_array_append_new(is, json_string(member ? "member" : "file"));
	if (slash && slash[1] == '.')
		json_array_append_new(is, json_string("hidden"));
	json_object_set_new(find, "document", json_string(id));
	json_object_set_new(find, "path", json_string(path));
	json_object_set_new(find, "language", json_string(language));
	json_object_set_new(find, "is", is);
	os_find_dir(find, path);
	os_find_name(find, path, member, strcmp(os_text(place, "source"), "file") == 0);
	os_find_times(find, document, place);
	return find;
}

/* "rest" has the streams of all columns but the body, one after the other. */
static void os_document_set_words(json_t *document, const json_t *place)
{
	json_t *words = json_object_get(document, "words"), *stream, *rest = json_array();
	const char *column;
	json_object_del(words, "rest");
	json_object_del(words, "filename");
	json_object_foreach(words, column, stream) if (strcmp(column, "body") != 0)
	        json_array_append(rest, stream);
	json_t *of_name = json_object_get(place, "words"),
	       *member = json_object_get(words, "member");
	if (of_name)
		json_array_append(rest, of_name);
	if (member || of_name)
		json_object_set(words, "filename",
		        json_is_string(json_object_get(document, "member")) ? member : of_name);
	json_object_set_new(words, "rest", rest);
}

/* The words of each column that is searched, with the language of the document. */
static void os_document_set_forms(json_t *document)
{
	const char *language = os_text(document, "find.language"), *column;
	json_t *forms = json_object(), *stream;
	json_object_foreach(json_object_get(document, "words"), column, stream)
	        json_object_set_new(forms, column, os_forms_of(stream, language));
	json_object_del(forms, "member");
	json_object_del(forms, "noise");
	json_object_set_new(document, "forms", forms);
}

void os_document_set_class(json_t *document, const OsClass *class, unsigned n)
{
	char hash[2 * OS_HASH_BYTES + 1];
	json_t *place = json_copy(class->place);
	g_autofree char *name = g_path_get_basename(os_text(place, "path"));
	os_hash_text(class->hash, hash);
	os_document_set_words(document, place);
	json_object_del(place, "words");
	json_object_set_new(document, "find", os_find(document, place));
	os_document_set_forms(document);
	json_object_set_new(document, "places", json_pack("[o]", place));
	json_object_set(document, "allow", class->allow);
	json_object_set(document, "deny", class->deny);
	json_object_set_new(document, "name", json_string(name));
	json_object_set_new(document, "access", json_string(hash));
	json_object_set_new(document, "class", json_integer(n));
}
