/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/url/url-origin.h"
#include <string.h>

char *url_origin(const char *url, const char **path_r)
{
	bool is_web = g_str_has_prefix(url, "http://") || g_str_has_prefix(url, "https://");
	const char *host = is_web ? strstr(url, "://") + strlen("://") : NULL;
	const char *path = host ? strchr(host, '/') : NULL;

	if (!path || path == host)
		return NULL;
	if (path_r)
		*path_r = path;
	return g_strndup(url, path - url);
}

size_t url_site_length(const char *path_or_url)
{
	size_t length = strcspn(path_or_url, "?"), name = length;
	while (name > 0 && path_or_url[name - 1] != '/')
		name--;
	bool is_file = name > 0 && memchr(path_or_url + name, '.', length - name);
	return is_file ? name : length;
}

bool url_site_has(const char *beginning, const char *path_or_url)
{
	size_t length = strlen(beginning);
	if (strncmp(path_or_url, beginning, length) != 0)
		return false;
	char next = path_or_url[length];
	return length == 0 || beginning[length - 1] == '/' || next == '\0' || next == '/' ||
	       next == '?';
}

char *url_place(const char *url)
{
	g_autofree char *origin = url_origin(url, NULL);
	g_autoptr(Url) parsed = origin ? url_parse(origin, -1, NULL, NULL) : NULL;

	if (!parsed || !parsed->host)
		return NULL;
	int port = parsed->port == URL_NO_PORT ? url_scheme_port(parsed->scheme) : parsed->port;
	return g_strdup_printf("%s:%d", parsed->host, port);
}

bool url_host_is_local(const char *url)
{
	static const char *const endings[] = {
	        ".localhost", ".local", ".lan", ".internal", ".home.arpa"};
	g_autofree char *origin = url_origin(url, NULL);
	g_autoptr(Url) parsed = origin ? url_parse(origin, -1, NULL, NULL) : NULL;

	if (!parsed || !parsed->host)
		return false;
	for (size_t i = 0; i < G_N_ELEMENTS(endings); i++)
		if (g_str_has_suffix(parsed->host, endings[i]))
			return true;
	return *parsed->host == '[' || !strchr(parsed->host, '.') ||
	       g_hostname_is_ip_address(parsed->host);
}
