/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/store/links.h"
#include "common/base/paths.h"
#include "common/url/url-canonical.h"
#include <string.h>
#include <zstd.h>

enum { ZSTD_LEVEL = 9 };

typedef struct {
	char *target;
	const char *text;
} LinkTarget;

static void clear_link(void *data)
{
	g_free(((LinkTarget *)data)->target);
}

static bool links_has_scheme(const char *href)
{
	size_t n = g_ascii_isalpha(*href) ? 1 : 0;
	while (n > 0 && (g_ascii_isalnum(href[n]) || strchr("+-.", href[n]) != NULL) && href[n])
		n++;
	return n > 0 && href[n] == ':';
}

static bool links_is_http(const char *href)
{
	return g_ascii_strncasecmp(href, "http://", 7) == 0 ||
	       g_ascii_strncasecmp(href, "https://", 8) == 0;
}

/* The part of a href (RFC 3986) that names a local file, or the URL of a page; NULL if there is
 * none. The caller owns it. */
static char *target_of(const char *href)
{
	if (links_is_http(href)) {
		g_autofree char *url = url_canonical(href, -1, NULL, NULL);
		return url && path_is_web(url) ? g_steal_pointer(&url) : NULL;
	}
	if (g_ascii_strncasecmp(href, "file://", 7) == 0) {
		href += 7;
		if (g_ascii_strncasecmp(href, "localhost/", 10) == 0)
			href += 9;
		if (*href != '/')
			return NULL;
	} else if (links_has_scheme(href) || g_str_has_prefix(href, "//")) {
		return NULL;
	}
	size_t length = strcspn(href, "#?");
	if (length == 0 || href[length] == '?')
		return NULL;
	char *target = g_uri_unescape_segment(href, href + length, NULL);
	return target ? target : g_strndup(href, length);
}

static int compare_links(gconstpointer a, gconstpointer b)
{
	const LinkTarget *x = a, *y = b;
	int order = strcmp(x->target, y->target);
	return order != 0 ? order : strcmp(x->text, y->text);
}

static GArray *links_collect(const Document *doc, LinksAllowed allowed, void *data)
{
	GArray *links = g_array_new(FALSE, FALSE, sizeof(LinkTarget));
	g_array_set_clear_func(links, clear_link);
	for (guint i = 0; i < doc->links->len; i++) {
		const DocLink *from = &g_array_index(doc->links, DocLink, i);
		bool canonical = from->kind == LINK_CANONICAL;
		if (!canonical && (from->kind != LINK_ANCHOR || !from->text || !*from->text))
			continue;
		LinkTarget link = {target_of(from->href), canonical ? "" : from->text};
		bool beside = link.target && *link.target != '/' && !path_is_web(link.target);
		if (link.target && (beside || allowed(data, link.target)))
			g_array_append_val(links, link);
		else
			g_free(link.target);
	}
	g_array_sort(links, compare_links);
	return links;
}

static GByteArray *links_join(const GArray *links)
{
	GByteArray *out = g_byte_array_new();
	const LinkTarget *before = NULL;
	for (guint i = 0; i < links->len; i++) {
		const LinkTarget *link = &g_array_index(links, LinkTarget, i);
		bool same = before && strcmp(before->target, link->target) == 0;
		if (same && strcmp(before->text, link->text) == 0)
			continue;
		const char *target = same ? "" : link->target;
		size_t n = strlen(target) + 1, m = strlen(link->text) + 1;
		if (out->len + n + m > LINKS_MAX_BYTES)
			break;
		g_byte_array_append(out, (const uint8_t *)target, n);
		g_byte_array_append(out, (const uint8_t *)link->text, m);
		before = link;
	}
	return out;
}

GByteArray *links_pack(const Document *doc, LinksAllowed allowed, void *data)
{
	if (doc->links->len == 0)
		return NULL;
	g_autoptr(GArray) links = links_collect(doc, allowed, data);
	if (links->len == 0)
		return NULL;
	g_autoptr(GByteArray) plain = links_join(links);
	GByteArray *out = g_byte_array_new();
	g_byte_array_set_size(out, ZSTD_compressBound(plain->len));
	size_t length = ZSTD_compress(out->data, out->len, plain->data, plain->len, ZSTD_LEVEL);
	g_assert(!ZSTD_isError(length));
	g_byte_array_set_size(out, length);
	return out;
}

bool links_unpack(const void *bytes, size_t length, LinksFunc function, void *data)
{
	unsigned long long size = ZSTD_getFrameContentSize(bytes, length);
	if (size == 0 || size > LINKS_MAX_BYTES) /* error codes are huge numbers */
		return false;
	g_autofree char *plain = g_malloc(size);
	if (ZSTD_decompress(plain, size, bytes, length) != size || plain[size - 1] != '\0')
		return false;
	const char *target = NULL, *end = plain + size;
	for (const char *at = plain; at < end;) {
		target = *at ? at : target;
		const char *text = at + strlen(at) + 1;
		if (text >= end || !target)
			return false;
		function(data, target, text);
		at = text + strlen(text) + 1;
	}
	return true;
}

char *links_resolve(const char *dir, const char *target)
{
	g_auto(GStrv) parts = g_strsplit(target, "/", -1);
	GString *path = g_string_new(*target == '/' ? "" : dir);
	while (path->len > 0 && path->str[path->len - 1] == '/')
		g_string_truncate(path, path->len - 1);
	for (char **part = parts; *part; part++) {
		if (strcmp(*part, "..") == 0) {
			char *slash = strrchr(path->str, '/');
			if (!slash)
				return g_string_free(path, TRUE);
			g_string_truncate(path, slash - path->str); /* the path may become "/" */
		} else if (**part && strcmp(*part, ".") != 0) {
			g_string_append_printf(path, "/%s", *part);
		}
	}
	return g_string_free(path, FALSE);
}
