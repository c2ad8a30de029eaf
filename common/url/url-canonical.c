/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/url/url-canonical.h"
#include "common/url/url-percent.h"
#include <string.h>

/* Parameters that name a session, not a page. */
static const char *const session_parameters[] = {"phpsessid", "jsessionid", "sessionid"};

/* A parameter of a query: "name=value" or "name". */
typedef struct {
	const char *text;
	size_t length, name_length;
} QueryParameter;

static int parameter_compare(const void *a, const void *b)
{
	const QueryParameter *x = a, *y = b;
	int order = memcmp(x->text, y->text, MIN(x->name_length, y->name_length));

	return order != 0 ? order
	                  : (x->name_length > y->name_length) - (x->name_length < y->name_length);
}

static bool parameter_counts(const QueryParameter *parameter)
{
	for (size_t i = 0; i < G_N_ELEMENTS(session_parameters); i++) {
		const char *name = session_parameters[i];
		if (parameter->name_length == strlen(name) &&
		        g_ascii_strncasecmp(parameter->text, name, parameter->name_length) == 0)
			return false;
	}
	return parameter->name_length > 0;
}

static GArray *query_parameters(const char *query)
{
	GArray *parameters = g_array_new(FALSE, FALSE, sizeof(QueryParameter));

	while (*query) {
		QueryParameter parameter = {query, strcspn(query, "&"), strcspn(query, "=&")};
		query += parameter.length + (query[parameter.length] == '&');
		/* "name=" is the same as "name". */
		if (parameter.length == parameter.name_length + 1)
			parameter.length--;
		if (parameter_counts(&parameter))
			g_array_append_val(parameters, parameter);
	}
	g_array_sort(parameters, parameter_compare);
	return parameters;
}

static void append_query(GString *out, const char *query)
{
	g_autoptr(GString) spelt = g_string_new(NULL);
	g_autoptr(GArray) parameters = NULL;

	url_percent_normalise(spelt, query, strlen(query));
	parameters = query_parameters(spelt->str);
	for (guint i = 0; i < parameters->len; i++) {
		const QueryParameter *parameter = &g_array_index(parameters, QueryParameter, i);
		g_string_append_c(out, i == 0 ? '?' : '&');
		g_string_append_len(out, parameter->text, parameter->length);
	}
}

/* Appends the path without empty segments but the last. */
static void append_path(GString *out, const char *path)
{
	g_autoptr(GString) spelt = g_string_new(NULL);

	url_percent_normalise(spelt, path, strlen(path));
	for (const char *at = spelt->str; *at; at++) {
		if (at[0] != '/' || at[1] != '/')
			g_string_append_c(out, *at);
	}
}

static void append_host(GString *out, const Url *url)
{
	size_t length = strlen(url->host);

	if (length > 1 && url->host[length - 1] == '.' && url->host[length - 2] != '.')
		length--;
	g_string_append_len(out, url->host, length);
	if (url->port != URL_NO_PORT)
		g_string_append_printf(out, ":%d", url->port);
}

/* Schemes of which little is known keep their path and query. */
static char *canonical_other(Url *url)
{
	g_clear_pointer(&url->fragment, g_free);
	*url->username = 0;
	*url->password = 0;
	return url_text(url);
}

static char *canonical_text(Url *url, bool without_authority)
{
	if (!url_scheme_is_special(url->scheme))
		return canonical_other(url);
	GString *out = g_string_new(url->scheme);
	g_string_append_c(out, ':');
	if (!without_authority || *url->host) {
		g_string_append(out, "//");
		append_host(out, url);
	}
	append_path(out, url->path);
	if (url->query)
		append_query(out, url->query);
	return g_string_free(out, FALSE);
}

/* The length of "scheme:" at the beginning, 0 if there is none. */
static size_t scheme_length(const char *text, size_t length)
{
	size_t i = 0;

	if (length == 0 || !g_ascii_isalpha(*text))
		return 0;
	while (i < length && (g_ascii_isalnum(text[i]) || (text[i] && strchr("+-.", text[i]))))
		i++;
	return i < length && text[i] == ':' ? i + 1 : 0;
}

/* Does it begin with a name of at least two labels, as "example.org/page" does? */
static bool begins_with_domain(const char *text, size_t length)
{
	bool dot = false;
	size_t i;

	for (i = 0; i < length && !(text[i] && strchr("/\\?#", text[i])); i++) {
		if (text[i] == '.')
			dot = dot || (i > 0 && i + 1 < length && text[i + 1] != '.');
		else if (!g_ascii_isalnum(text[i]) && text[i] != '-' && !(text[i] & 0x80))
			return false;
	}
	return dot && text[0] != '.';
}

/* "http:////": a special scheme and nothing but slashes. It names nothing that can be fetched, and
 * url_parse() refuses it. */
static char *canonical_slashes(const char *text, size_t length)
{
	size_t scheme = scheme_length(text, length), i = scheme;
	g_autofree char *name = g_ascii_strdown(text, scheme > 0 ? scheme - 1 : 0);

	while (i < length && text[i] == '/')
		i++;
	if (scheme == 0 || i == scheme || i < length || url_scheme_port(name) == URL_NO_PORT)
		return NULL;
	return g_strconcat(name, ":/", NULL);
}

char *url_canonical(const char *text, gssize length, const Url *base, const char **reason_r)
{
	size_t left = length < 0 ? strlen(text) : (size_t)length;
	g_autofree char *prefixed = NULL;

	for (; left > 0 && (unsigned char)*text <= ' '; left--)
		text++;
	while (left > 0 && (unsigned char)text[left - 1] <= ' ')
		left--;
	if (!base) {
		char *slashes = canonical_slashes(text, left);
		if (slashes)
			return slashes;
	}
	size_t scheme = scheme_length(text, left);
	if (!base && scheme == 0 && left <= URL_MAX_BYTES && begins_with_domain(text, left)) {
		prefixed = g_malloc(left + strlen("http://"));
		memcpy(prefixed, "http://", strlen("http://"));
		memcpy(prefixed + strlen("http://"), text, left);
		left += strlen("http://");
		text = prefixed;
	}
	g_autoptr(Url) url = url_parse(text, left, base, reason_r);
	if (!url)
		return NULL;
	bool file_path = scheme > 0 && left > scheme && text[scheme] == '/' &&
	                 !(left > scheme + 1 && strchr("/\\", text[scheme + 1]));
	return canonical_text(url, file_path && strcmp(url->scheme, "file") == 0);
}
