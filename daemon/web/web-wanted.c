/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/web/web-wanted.h"
#include "common/url/url-name.h"
#include <string.h>

static bool begins_with_any(const char *text, const char *const *beginnings, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (g_ascii_strncasecmp(text, beginnings[i], strlen(beginnings[i])) == 0)
			return true;
	return false;
}

bool web_type_is_wanted(const char *media_type)
{
	static const char *const unwanted[] = {"image/", "audio/", "video/", "font/",
	        "application/zip", "application/gzip", "application/x-gzip", "application/x-tar",
	        "application/x-xz", "application/x-bzip", "application/x-7z", "application/java",
	        "application/javascript", "application/x-javascript", "application/octet-stream",
	        "application/x-iso", "application/vnd.debian", "application/x-debian",
	        "application/x-rpm", "application/wasm", "application/font", "application/x-font",
	        "application/pgp-signature", "text/css", "text/javascript"};
	return !media_type || !begins_with_any(media_type, unwanted, G_N_ELEMENTS(unwanted));
}

/* ---- documents that are declared as bytes */

static bool type_is_vague(const char *media_type)
{
	static const char *const vague[] = {"application/octet-stream", "application/zip"};
	return begins_with_any(media_type, vague, G_N_ELEMENTS(vague));
}

static bool has_document_name(const char *url)
{
	static const char *const endings[] = {".pdf", ".ps", ".djvu", ".rtf", ".doc", ".docx",
	        ".docm", ".odt", ".ods", ".odp", ".odg", ".xls", ".xlsx", ".xlsm", ".ppt", ".pptx",
	        ".epub", ".txt", ".md", ".rst", ".adoc", ".org", ".tex", ".html", ".htm"};
	size_t length;
	const char *name = url_last_segment(url, strlen(url), &length);
	if (name < url + 3 || memcmp(name - 3, "://", 3) == 0)
		return false; /* the host */
	for (size_t i = 0; i < G_N_ELEMENTS(endings); i++) {
		size_t n = strlen(endings[i]);
		if (length > n && g_ascii_strncasecmp(name + length - n, endings[i], n) == 0)
			return true;
	}
	return false;
}

/* OpenDocument, EPUB and Office files are ZIP archives with one of these members in front. */
static bool is_document_archive(const char *bytes, size_t size)
{
	static const char *const members[] = {
	        "mimetypeapplication/", "[Content_Types].xml", "_rels/.rels", "docProps/"};
	enum { NAME_AT = 30 };
	for (size_t i = 0; i < G_N_ELEMENTS(members); i++) {
		size_t n = strlen(members[i]);
		if (size >= NAME_AT + n && memcmp(bytes + NAME_AT, members[i], n) == 0)
			return memcmp(bytes, "PK\3\4", 4) == 0;
	}
	return false;
}

static bool begins_as_document(GBytes *body)
{
	gsize size;
	const char *bytes = g_bytes_get_data(body, &size);
	return (size >= 5 && memcmp(bytes, "%PDF-", 5) == 0) ||
	       (size >= 5 && memcmp(bytes, "{\\rtf", 5) == 0) || is_document_archive(bytes, size);
}

bool web_answer_is_wanted(const char *media_type, const char *url, GBytes *body)
{
	if (!body)
		return false;
	if (web_type_is_wanted(media_type))
		return true;
	return type_is_vague(media_type) && (has_document_name(url) || begins_as_document(body));
}
