/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/cmd/export/opensearch-setup.h"
#include "ui-cli/cmd/export/opensearch-json.h"
#include "common/base/i18n.h"
#include <curl/curl.h>
#include <string.h>

enum { INDEX_BYTES = 100, MAPPING_VERSION = 3, SHOWN_BYTES = 40 };

static bool os_refuse(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);
static bool os_refuse(GError **error, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	g_autofree char *text = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	g_set_error_literal(error, EXPORT_ERROR, EXPORT_ERROR_REFUSED, text);
	return false;
}

static bool os_refuse_quickwit(GError **error)
{
	return os_refuse(
	        error, _("Quickwit cannot be a target: it ignores deletions and changes, so "
	                 "what was deleted or closed would stay readable"));
}

/* ---- the address */

static char *os_url_part(CURLU *url, CURLUPart part, unsigned flags)
{
	char *value = NULL;
	curl_url_get(url, part, &value, flags);
	char *copy = g_strdup(value);
	curl_free(value);
	return copy;
}

static bool os_is_loopback(const char *host)
{
	return strcmp(host, "localhost") == 0 || strcmp(host, "[::1]") == 0 ||
	       (g_str_has_prefix(host, "127.") && strspn(host, "0123456789.") == strlen(host));
}

/* As both engines allow, without the signs that have a meaning in a URL or a pattern. */
static bool os_is_index_name(const char *name)
{
	size_t length = strlen(name);
	return length <= INDEX_BYTES && (g_ascii_islower(*name) || g_ascii_isdigit(*name)) &&
	       strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-_.") == length &&
	       !strstr(name, "..");
}

static bool os_address_take(CURLU *url, const char *target, OsAddress *out, GError **error)
{
	g_autofree char *scheme = os_url_part(url, CURLUPART_SCHEME, 0);
	g_autofree char *host = os_url_part(url, CURLUPART_HOST, 0);
	g_autofree char *port = os_url_part(url, CURLUPART_PORT, CURLU_DEFAULT_PORT);
	g_autofree char *user = os_url_part(url, CURLUPART_USER, 0);
	g_autofree char *password = os_url_part(url, CURLUPART_PASSWORD, 0);
	g_autofree char *path = os_url_part(url, CURLUPART_PATH, 0);
	g_autofree char *query = os_url_part(url, CURLUPART_QUERY, 0);
	g_autofree char *fragment = os_url_part(url, CURLUPART_FRAGMENT, 0);
	if (user || password)
		return os_refuse(error, _("user and password do not belong in the address, which "
		                          "everybody on this machine can read; use a file of "
		                          "credentials"));
	if (path && strstr(path, "/_elastic"))
		return os_refuse_quickwit(error);
	const char *name = path && strcmp(path, "/") != 0 ? path + 1 : "tarsier";
	if (!scheme || !host || !port || query || fragment || !os_is_index_name(name))
		return os_refuse(error,
		        _("%s is not like https://HOST:PORT/INDEX, where INDEX has "
		          "small letters, digits, \"-\", \"_\" and \".\""),
		        target);
	if (strcmp(scheme, "http") == 0 && !os_is_loopback(host))
		return os_refuse(error, _("http:// would send all documents and the credentials in "
		                          "the clear; it is for this machine alone, use https://"));
	out->server = g_strdup_printf("%s://%s:%s", scheme, host, port);
	out->index = g_strdup(name);
	return true;
}

bool os_address_read(const char *target, OsAddress *out, GError **error)
{
	CURLU *url = curl_url();
	*out = (OsAddress){0};
	bool ok = url && curl_url_set(url, CURLUPART_URL, target, 0) == CURLUE_OK;
	ok = ok ? os_address_take(url, target, out, error)
	        : os_refuse(error, _("%s is not an address"), target);
	curl_url_cleanup(url);
	return ok;
}

void os_address_clear(OsAddress *address)
{
	g_clear_pointer(&address->server, g_free);
	g_clear_pointer(&address->index, g_free);
}

/* ---- the server */

/* Quickwit shows pages at its root. */
static bool os_is_quickwit(OsClient *client, const json_t *answer)
{
	unsigned status;
	if (answer)
		return strcmp(os_text(answer, "version.distribution"), "quickwit") == 0;
	json_t *other = os_client_ask(client, "GET", "/api/v1/_elastic", NULL, &status, NULL);
	bool found = other && os_is_quickwit(client, other);
	json_decref(other);
	return found;
}

static bool os_take_version(const json_t *answer, OsKind *kind_r, GError **error)
{
	const char *distribution = os_text(answer, "version.distribution"),
	           *number = os_text(answer, "version.number"),
	           *tagline = os_text(answer, "tagline");
	int64_t major = g_ascii_strtoll(number, NULL, 10);
	if (strcmp(distribution, "opensearch") == 0 && major >= 2)
		*kind_r = OS_OPENSEARCH;
	else if (*distribution == '\0' && strstr(tagline, "for Search") && major >= 8)
		*kind_r = OS_ELASTICSEARCH;
	else {
		g_autofree char *name = os_clean(*distribution ? distribution : "?", SHOWN_BYTES);
		g_autofree char *shown = os_clean(*number ? number : "?", SHOWN_BYTES);
		return os_refuse(error,
		        _("the server is %s %s; Elasticsearch 8, OpenSearch 2 and "
		          "later ones are known"),
		        name, shown);
	}
	return true;
}

bool os_setup_recognise(OsClient *client, OsKind *kind_r, GError **error)
{
	g_autoptr(GError) why = NULL;
	unsigned status = 0;
	json_t *answer = os_client_ask(client, "GET", "/", NULL, &status, &why);
	bool ok = false;
	if (status == 401 || status == 403)
		os_refuse(error, _("the search engine does not take the credentials (status %u)"),
		        status);
	else if (status != 0 && os_is_quickwit(client, answer))
		os_refuse_quickwit(error);
	else if (answer && status / 100 != 2)
		os_client_fail(answer, status, error);
	else if (answer)
		ok = os_take_version(answer, kind_r, error);
	else if (status != 0)
		os_refuse(error, _("the server is neither Elasticsearch nor OpenSearch"));
	else
		g_propagate_error(error, g_steal_pointer(&why));
	json_decref(answer);
	return ok;
}

/* ---- the role, by which people read */

static char *os_replace(const char *text, const char *word, const char *by)
{
	g_auto(GStrv) parts = g_strsplit(text, word, -1);
	return g_strjoinv(by, parts);
}

/* The query that each reading is confined to. A user without tokens makes it invalid, so that he
 * reads nothing. */
static char *os_readable(const json_t *setup, OsKind kind)
{
	return os_replace(os_text(setup, "readable"), "TOKENS",
	        os_text(setup,
	                kind == OS_OPENSEARCH ? "tokens_opensearch" : "tokens_elasticsearch"));
}

static json_t *os_role(const json_t *setup, OsKind kind, const char *index)
{
	g_autofree char *query = os_readable(setup, kind);
	if (kind == OS_OPENSEARCH)
		return json_pack("{s:[], s:[{s:[s], s:s, s:[s]}]}", "cluster_permissions",
		        "index_permissions", "index_patterns", index, "dls", query,
		        "allowed_actions", "read");
	return json_pack("{s:[{s:[s], s:[s], s:{s:{s:s}}}]}", "indices", "names", index,
	        "privileges", "read", "query", "template", "source", query);
}

static bool os_make_role(
        OsClient *client, const json_t *setup, OsKind kind, const char *index, GError **error)
{
	unsigned status = 0;
	g_autoptr(GError) why = NULL;
	g_autofree char *path = g_strdup_printf("/%s/tarsier_%s",
	        kind == OS_OPENSEARCH ? "_plugins/_security/api/roles" : "_security/role", index);
	json_t *role = os_role(setup, kind, index);
	json_t *answer = os_client_ask(client, "PUT", path, role, &status, &why);
	json_decref(role);
	bool ok = answer && status / 100 == 2;
	if (!ok && answer)
		os_client_fail(answer, status, &why);
	json_decref(answer);
	if (ok)
		return true;
	if (status == 0) {
		g_propagate_error(error, g_steal_pointer(&why));
		return false;
	}
	return os_refuse(error,
	        _("the search engine has no document-level security, or does not let "
	          "us set it up; without it everybody could read everything (%s)"),
	        why->message);
}

/* ---- the indices */

/* Asks, and forgets an answer of success. */
static bool os_do(
        OsClient *client, const char *method, const char *path, const json_t *body, GError **error)
{
	json_t *answer = os_client_need(client, method, path, body, 0, error);
	json_decref(answer);
	return answer != NULL;
}

/* For an index of this name that somebody makes later, with other settings. */
static bool os_make_template(
        OsClient *client, const char *index, json_t *settings, json_t *mapping, GError **error)
{
	g_autofree char *path = g_strconcat("/_index_template/", index, NULL);
	json_t *template = json_pack("{s:[s], s:i, s:{s:O, s:O}}", "index_patterns", index,
	        "priority", 500, "template", "settings", settings, "mappings", mapping);
	bool ok = os_do(client, "PUT", path, template, error);
	json_decref(template);
	return ok;
}

/* 1: it was made; 0: there was one; -1: error. */
static int os_create_index(OsClient *client, const char *index, GError **error)
{
	g_autofree char *path = g_strconcat("/", index, NULL);
	json_t *answer = os_client_need(client, "PUT", path, NULL, 400, error);
	const char *fault = os_text(answer, "error.type");
	bool failed = json_object_get(answer, "error") != NULL;
	int made = !answer ? -1 : !failed;
	if (failed && strcmp(fault, "resource_already_exists_exception") != 0) {
		os_client_fail(answer, 400, error);
		made = -1;
	}
	json_decref(answer);
	return made;
}

/* Analyzers can be added to an index only while it is closed. */
static bool os_add_settings(
        OsClient *client, const char *index, const json_t *settings, GError **error)
{
	g_autofree char *close = g_strdup_printf("/%s/_close", index),
	                *open = g_strdup_printf("/%s/_open", index),
	                *path = g_strdup_printf("/%s/_settings", index);
	if (json_object_size(settings) == 0)
		return true;
	if (!os_do(client, "POST", close, NULL, error))
		return false;
	bool ok = os_do(client, "PUT", path, settings, error);
	return os_do(client, "POST", open, NULL, ok ? error : NULL) && ok;
}

/* Whose mapping has the index? 0: nobody's; -1: error. */
static int64_t os_mapping_version(OsClient *client, const char *index, GError **error)
{
	g_autofree char *path = g_strdup_printf("/%s/_mapping", index);
	json_t *answer = os_client_need(client, "GET", path, NULL, 0, error);
	const json_t *mappings = json_object_get(json_object_get(answer, index), "mappings");
	int64_t version = answer ? os_int(mappings, "_meta.tarsier") : -1;
	json_decref(answer);
	return version;
}

static bool os_prepare_index(
        OsClient *client, const char *index, const json_t *settings, GError **error)
{
	int64_t version = os_mapping_version(client, index, error);
	if (version > 0 && version != MAPPING_VERSION)
		return os_refuse(error,
		        _("the index \"%s\" is of another version of Tarsier; delete it, and add "
		          "--setup again"),
		        index);
	return version == MAPPING_VERSION ||
	       (version == 0 && os_add_settings(client, index, settings, error));
}

static bool os_make_index(
        OsClient *client, const char *index, json_t *settings, json_t *mapping, GError **error)
{
	g_autofree char *path = g_strdup_printf("/%s/_mapping", index);
	if (!os_make_template(client, index, settings, mapping, error))
		return false;
	int made = os_create_index(client, index, error);
	return made >= 0 && (made > 0 || os_prepare_index(client, index, settings, error)) &&
	       os_do(client, "PUT", path, mapping, error);
}

bool os_setup_make(OsClient *client, OsKind kind, const char *index, GError **error)
{
	g_autofree char *state = g_strconcat(index, "-state", NULL);
	json_t *setup = os_parse(opensearch_json, strlen(opensearch_json));
	json_t *none = json_object();
	bool ok = os_make_role(client, setup, kind, index, error) &&
	          os_make_index(client, index, json_object_get(setup, "settings"),
	                  json_object_get(setup, "index"), error) &&
	          os_make_index(client, state, none, json_object_get(setup, "state"), error);
	json_decref(none);
	json_decref(setup);
	return ok;
}

/* Without our mapping the server would guess one, and split the tokens into words. */
bool os_setup_check(OsClient *client, const char *index, GError **error)
{
	g_autofree char *path = g_strdup_printf("/%s/_mapping", index);
	json_t *answer = os_client_need(client, "GET", path, NULL, 404, error);
	if (!answer)
		return false;
	const json_t *mappings = json_object_get(json_object_get(answer, index), "mappings");
	bool ok = os_int(mappings, "_meta.tarsier") == MAPPING_VERSION &&
	          strcmp(os_text(mappings, "properties.allow.type"), "keyword") == 0 &&
	          strcmp(os_text(mappings, "properties.deny.type"), "keyword") == 0;
	json_decref(answer);
	return ok || os_refuse(error,
	                     _("the search engine has no index \"%s\" of this version of "
	                       "Tarsier yet; add --setup once"),
	                     index);
}
