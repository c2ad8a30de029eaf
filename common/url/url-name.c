/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/url/url-name.h"
#include "common/base/paths.h"
#include "common/url/url-percent.h"
#include <string.h>

/* ---- names */

/* The offset after "scheme://". */
static size_t url_authority(const char *url, size_t length)
{
	const char *mark = g_strstr_len(url, length, "://");
	return mark ? (size_t)(mark - url) + strlen("://") : 0;
}

const char *url_last_segment(const char *url, size_t length, size_t *length_r)
{
	size_t begin = url_authority(url, length), end = begin;
	while (end < length && url[end] != '?' && url[end] != '#')
		end++;
	while (end > begin && url[end - 1] == '/')
		end--;
	size_t start = end;
	while (start > begin && url[start - 1] != '/')
		start--;
	*length_r = end - start;
	return url + start;
}

static bool is_shown_as_name(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if ((unsigned char)text[i] < 0x20 || text[i] == 0x7f || text[i] == '/')
			return false;
	return length > 0 && g_utf8_validate(text, length, NULL);
}

char *url_name(const char *url)
{
	size_t length;
	const char *segment = url_last_segment(url, strlen(url), &length);
	g_autoptr(GString) decoded = g_string_new(NULL);
	url_percent_decode(decoded, segment, length);
	if (is_shown_as_name(decoded->str, decoded->len))
		return g_strndup(decoded->str, decoded->len);
	return g_strndup(segment, length);
}

char *url_or_path_name(const char *path)
{
	return path_is_web(path) ? url_name(path) : g_strdup(path_base_name(path));
}

/* ---- sites */

/* The parts of "[scheme://]host[:port][/path]". */
typedef struct {
	size_t scheme; /* bytes with "://"; 0: none */
	const char *host, *port, *path; /* port: ":8080" or "" */
	size_t host_length, port_length;
} SiteParts;

static SiteParts site_parts(const char *text)
{
	SiteParts parts = {.scheme = url_authority(text, strcspn(text, "/?#") + strlen("//"))};
	parts.host = text + parts.scheme;
	size_t authority = strcspn(parts.host, "/?#");
	parts.path = parts.host + authority;
	parts.host_length =
	        *parts.host == '[' ? strcspn(parts.host, "]") : strcspn(parts.host, ":/?#");
	if (parts.host_length < authority && parts.host[parts.host_length] == ']')
		parts.host_length++;
	parts.host_length = MIN(parts.host_length, authority);
	parts.port = parts.host + parts.host_length;
	parts.port_length = authority - parts.host_length;
	return parts;
}

static bool site_has_host(const SiteParts *url, const SiteParts *site)
{
	size_t more = url->host_length - MIN(site->host_length, url->host_length);
	if (url->host_length < site->host_length ||
	        memcmp(url->host + more, site->host, site->host_length) != 0)
		return false;
	return more == 0 || (site->scheme == 0 && url->host[more - 1] == '.');
}

/* "example.org:443" is the default of one scheme, which canonical forms leave out. */
static bool site_has_port(const char *url, const SiteParts *parts, const SiteParts *site)
{
	if (parts->port_length == site->port_length)
		return memcmp(parts->port, site->port, site->port_length) == 0;
	const char *usual = g_str_has_prefix(url, "https:") ? ":443" : ":80";
	if (site->scheme > 0 || parts->port_length > 0)
		return site->scheme == 0 && site->port_length == 0;
	return strlen(usual) == site->port_length &&
	       memcmp(usual, site->port, site->port_length) == 0;
}

bool url_is_of_site(const char *url, const char *site)
{
	SiteParts page = site_parts(url), wanted = site_parts(site);
	size_t length = strlen(wanted.path);
	if (page.scheme == 0 || wanted.host_length == 0)
		return false;
	if (wanted.scheme > 0 &&
	        (wanted.scheme != page.scheme || memcmp(url, site, wanted.scheme) != 0))
		return false;
	return site_has_host(&page, &wanted) && site_has_port(url, &page, &wanted) &&
	       strncmp(page.path, wanted.path, length) == 0 &&
	       (length == 0 || strchr("/?#", page.path[length]) != NULL);
}
