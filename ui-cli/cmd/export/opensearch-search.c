/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/cmd/export/opensearch-search.h"
#include "ui-cli/cmd/export/opensearch-query.h"
#include "common/base/i18n.h"
#include <string.h>

enum { MOST_COPIES = 1001 }; /* that are told of a hit; more than are shown, so that this is seen */

typedef struct {
	OsClient *client;
	char *path;
	OsQuery query;
	unsigned most, skip;
	ExportAnswer *answer;
	GError **error;
} OsSearch;

/* The places of a document that match. */
typedef struct {
	json_t *first; /* the hit of the first place */
	GString *copies; /* base64 of the paths of the others */
	unsigned n;
} OsPlaces;

static bool os_malformed(const char *what, GError **error)
{
	g_set_error(error, EXPORT_ERROR, EXPORT_ERROR_UNAVAILABLE,
	        _("malformed answer of the target: %s"), what);
	return false;
}

/* ---- a request */

static bool os_search_refused(const json_t *answer, unsigned status, GError **error)
{
	g_autofree char *text = json_dumps(json_object_get(answer, "error"), JSON_ENCODE_ANY);
	const char *why = NULL;
	if (status == 401 || status == 403)
		why = _("the search engine does not take the credentials, or does not let you read "
		        "there");
	else if (status == 404 || (status == 400 && text && strstr(text, "No mapping found")))
		why = _("the search engine has no index of this version of Tarsier; its owner "
		        "makes "
		        "it by \"tarsier export --setup\"");
	else if (text && (strstr(text, "too_many") || strstr(text, "axClauseCount")))
		why = _("the query has more words, or beginnings of words with more ends, than the "
		        "search engine takes");
	if (!why)
		return os_client_fail(answer, status, error);
	g_set_error(error, EXPORT_ERROR, EXPORT_ERROR_REFUSED, _("%s (status %u)"), why, status);
	return false;
}

/* A part of the index may be away, or too slow. */
static bool os_search_note_parts(OsSearch *s, const json_t *answer)
{
	const json_t *shards = json_object_get(answer, "_shards"),
	             *late = json_object_get(answer, "timed_out");
	static const char *const counts[] = {"total", "successful", "failed"};
	json_int_t n[G_N_ELEMENTS(counts)];
	for (size_t i = 0; i < G_N_ELEMENTS(counts); i++) {
		const json_t *value = json_object_get(shards, counts[i]);
		n[i] = json_integer_value(value);
		if (!json_is_integer(value) || n[i] < 0)
			return os_malformed("_shards", s->error);
	}
	if (!json_is_boolean(late) || n[1] > n[0])
		return os_malformed(json_is_boolean(late) ? "_shards" : "timed_out", s->error);
	s->answer->partial |= json_is_true(late) || n[2] > 0 || n[1] < n[0];
	return true;
}

/* Returns the answer, whose hits are an array of objects; NULL with error. */
static json_t *os_search_ask(OsSearch *s, const json_t *request)
{
	unsigned status = 0;
	json_t *hit,
	        *answer = os_client_ask(s->client, "POST", s->path, request, &status, s->error);
	size_t i;
	if (!answer)
		return NULL;
	const json_t *hits = os_value(answer, "hits.hits");
	bool ok = status / 100 == 2 ? os_search_note_parts(s, answer)
	                            : os_search_refused(answer, status, s->error);
	if (ok && !json_is_array(hits))
		ok = os_malformed("hits", s->error);
	json_array_foreach((json_t *)(ok ? hits : NULL), i, hit) if (ok && !json_is_object(hit))
	        ok = os_malformed("hits", s->error);
	if (ok)
		return answer;
	json_decref(answer);
	return NULL;
}

/* ---- equal files */

static void os_places_free(gpointer data)
{
	OsPlaces *places = data;
	json_decref(places->first);
	g_string_free(places->copies, TRUE);
	g_free(places);
}

/* The path of a hit in base64, which the caller frees. NULL: it has none. */
static char *os_hit_path(const json_t *hit)
{
	const json_t *place = json_array_get(os_value(hit, "_source.places"), 0);
	const json_t *exact = json_object_get(place, "path_b64"),
	             *path = json_object_get(place, "path");
	if (json_is_string(exact))
		return g_strdup(json_string_value(exact));
	if (!json_is_string(path))
		return NULL;
	return g_base64_encode((const guchar *)json_string_value(path), json_string_length(path));
}

static bool os_take_place(OsSearch *s, GHashTable *all, json_t *hit)
{
	OsPlaces *places = g_hash_table_lookup(all, os_text(hit, "_source.find.document"));
	g_autofree char *path = os_hit_path(hit);
	if (!places || !path || strlen(path) > EXPORT_MOST_PATH)
		return os_malformed(places ? "path" : "document", s->error);
	if (places->n == 0)
		places->first = json_incref(hit);
	else if (places->n <= MOST_COPIES)
		g_string_append_printf(
		        places->copies, "%s%s", places->copies->len > 0 ? " " : "", path);
	places->n++;
	return true;
}

/* Takes the places of a page, and goes on after it. *more_r: it was full. */
static bool os_take_places(
        OsSearch *s, GHashTable *all, json_t *request, const json_t *hits, bool *more_r)
{
	size_t size = json_integer_value(json_object_get(request, "size")), i;
	json_t *hit, *sort = NULL;
	*more_r = json_array_size(hits) == size;
	if (json_array_size(hits) > size)
		return os_malformed("number of hits", s->error);
	json_array_foreach((json_t *)hits, i, hit)
	{
		if (!os_take_place(s, all, hit))
			return false;
		sort = json_object_get(hit, "sort");
	}
	if (*more_r && (json_array_size(sort) != 3 ||
	                       json_equal(sort, json_object_get(request, "search_after"))))
		return os_malformed("sort", s->error);
	json_object_set(request, "search_after", sort);
	return true;
}

/* One page is in memory at a time: a document may have hundreds of thousands of places. */
static bool os_read_places(OsSearch *s, GHashTable *all, json_t *request)
{
	bool more = true;
	while (more) {
		json_t *answer = os_search_ask(s, request);
		bool ok = answer &&
		          os_take_places(s, all, request, os_value(answer, "hits.hits"), &more);
		json_decref(answer);
		if (!ok)
			return false;
	}
	return true;
}

static bool os_read_copies(OsSearch *s, GHashTable *all, const json_t *hits)
{
	json_t *hit, *documents = json_array();
	size_t i;
	json_array_foreach((json_t *)hits, i, hit)
	{
		const char *document = os_text(hit, "_source.find.document");
		OsPlaces *places = g_new0(OsPlaces, 1);
		places->copies = g_string_new(NULL);
		g_hash_table_replace(all, g_strdup(document), places);
		json_array_append_new(documents, json_string(document));
	}
	json_t *request = os_query_places(&s->query, documents);
	json_decref(documents);
	bool ok = os_read_places(s, all, request);
	json_decref(request);
	return ok;
}

/* ---- a hit */

static bool os_hit_text(const json_t *value, char **out_r)
{
	const char *text = json_string_value(value);
	*out_r = NULL;
	if (json_is_integer(value))
		*out_r = g_strdup_printf("%" JSON_INTEGER_FORMAT, json_integer_value(value));
	else if (json_is_real(value))
		*out_r = g_strdup_printf("%.17g", json_real_value(value));
	else if (text && strlen(text) == json_string_length(value))
		*out_r = g_strdup(text);
	return *out_r || !value || json_is_null(value);
}

/* Sets the values that stand in the hit as they are. */
static bool os_hit_values(const json_t *hit, char *values[N_HIT_VALUES], GError **error)
{
	static const char *const paths[N_HIT_VALUES] = {[HIT_MEMBER] = "_source.member",
	        [HIT_KIND] = "_source.kind",
	        [HIT_MIME] = "_source.mime",
	        [HIT_TITLE] = "_source.title",
	        [HIT_AUTHOR] = "_source.author",
	        [HIT_LANG] = "_source.lang",
	        [HIT_DATE] = "_source.find.dated",
	        [HIT_SIZE] = "_source.size",
	        [HIT_STATE] = "_source.state",
	        [HIT_PAGES] = "_source.pages",
	        [HIT_SECONDS] = "_source.seconds",
	        [HIT_SCORE] = "_score",
	        [HIT_HOST] = "_source.host"};
	for (int i = 0; i < N_HIT_VALUES; i++)
		if (paths[i] && !os_hit_text(os_value(hit, paths[i]), &values[i]))
			return os_malformed(paths[i], error);
	const json_t *snippet = json_array_get(os_value(hit, "highlight.text"), 0);
	return os_hit_text(snippet, &values[HIT_SNIPPET]) || os_malformed("snippet", error);
}

/* place: the hit whose place is shown. */
static bool os_hit_place(const json_t *place, char *values[N_HIT_VALUES], GError **error)
{
	const json_t *source = json_array_get(os_value(place, "_source.places"), 0);
	values[HIT_PATH] = os_hit_path(place);
	return (os_hit_text(json_object_get(source, "source"), &values[HIT_SOURCE]) &&
	               os_hit_text(os_value(place, "_source.find.modified"), &values[HIT_MTIME])) ||
	       os_malformed("places", error);
}

static bool os_give_hit(
        OsSearch *s, const json_t *hit, const OsPlaces *places, ExportHitFunc f, void *data)
{
	char *values[N_HIT_VALUES] = {NULL};
	const json_t *first = places && places->first ? places->first : hit;
	bool ok = os_hit_values(hit, values, s->error) && os_hit_place(first, values, s->error);
	if (ok && places && places->copies->len > 0)
		values[HIT_COPIES] = g_strdup(places->copies->str);
	ok = ok && f((const char *const *)values, data, s->error);
	for (int i = 0; i < N_HIT_VALUES; i++)
		g_free(values[i]);
	return ok;
}

/* ---- a page */

/* The number of all hits. Where equal files are one hit, the server counts documents only about:
 * but if that is the number of places too, there are no equal files. */
static bool os_take_total(OsSearch *s, const json_t *answer, size_t n)
{
	const json_t *total = os_value(answer, "hits.total.value"),
	             *documents = os_value(answer, "aggregations.documents.value");
	json_int_t places = json_integer_value(total), all = places;
	size_t page = s->most > 0 ? s->most : OS_WINDOW - s->skip;
	bool known = s->query.places;
	if (!json_is_integer(total) || places < (json_int_t)n ||
	        strcmp(os_text(answer, "hits.total.relation"), "eq") != 0 ||
	        (!known && !json_is_integer(documents)) || n > page)
		return os_malformed("number of hits", s->error);
	if (!known && n < page && (n > 0 || s->skip == 0)) {
		all = s->skip + n;
		known = true;
	}
	s->answer->at_most = !known && json_integer_value(documents) != places;
	s->answer->total = g_strdup_printf("%" JSON_INTEGER_FORMAT, all);
	return true;
}

static bool os_give_page(OsSearch *s, const json_t *answer, ExportHitFunc f, void *data)
{
	const json_t *hits = os_value(answer, "hits.hits");
	g_autoptr(GHashTable) all =
	        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, os_places_free);
	json_t *hit;
	size_t i, n = json_array_size(hits);
	bool copies = !s->query.places && n > 0 && os_int(answer, "hits.total.value") > (int64_t)n;
	if (copies && !os_read_copies(s, all, hits))
		return false;
	json_array_foreach((json_t *)hits, i, hit)
	{
		const char *document = os_text(hit, "_source.find.document");
		if (!os_give_hit(s, hit, g_hash_table_lookup(all, document), f, data))
			return false;
	}
	return true;
}

static bool os_search_run(OsSearch *s, ExportHitFunc f, void *data)
{
	json_t *answer = os_search_ask(s, s->query.request);
	bool ok = answer &&
	          os_take_total(s, answer, json_array_size(os_value(answer, "hits.hits"))) &&
	          (s->most == 0 || os_give_page(s, answer, f, data));
	json_decref(answer);
	return ok;
}

bool os_search(OsClient *client, const char *index, const ExportSearch *search,
        ExportAnswer *answer, ExportHitFunc f, void *data, GError **error)
{
	g_auto(OsQuery) query = {0};
	g_autofree char *path = g_strdup_printf("/%s/_search", index);
	if (search->skip >= OS_WINDOW || search->most > OS_WINDOW - search->skip) {
		g_set_error(error, EXPORT_ERROR, EXPORT_ERROR_REFUSED,
		        _("a search engine tells the first %d hits only; --limit and --offset "
		          "are more together"),
		        OS_WINDOW);
		return false;
	}
	if (!os_query_read(&query, search, error))
		return false;
	OsSearch s = {client, path, query, search->most, search->skip, answer, error};
	return os_search_run(&s, f, data);
}
