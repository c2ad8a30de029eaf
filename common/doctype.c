/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/doctype.h"
#include <glib.h>
#include <stdbool.h>
#include <string.h>

const DocType doctypes[] = {
	{"inode/directory", "folder"},
	{"application/pdf", "document"},
	{"application/postscript", "document"},
	{"application/rtf", "document"},
	{"text/rtf", "document"},
	{"text/html", "document"},
	{"application/xhtml+xml", "document"},
	{"application/msword", "document"},
	{"application/epub+zip", "document"},
	{"application/x-fictionbook+xml", "document"},
	{"application/x-abiword", "document"},
	{"application/vnd.sun.xml.writer*", "document"},
	{"application/vnd.stardivision.writer", "document"},
	{"application/vnd.wordperfect", "document"},
	{"application/x-wordperfect", "document"},
	{"application/vnd.ms-works", "document"},
	{"application/x-mswrite", "document"},
	{"application/clarisworks", "document"},
	{"application/x-macw*", "document"},
	{"application/x-mspublisher", "document"},
	{"application/vnd.ms-publisher", "document"},
	{"application/vnd.apple.pages", "document"},
	{"application/x-mobipocket-ebook", "document"},
	{"application/vnd.amazon.mobi8-ebook", "document"},
	{"application/vnd.palm", "document"},
	{"application/vnd.ms-htmlhelp", "document"},
	{"application/x-mimearchive", "document"},
	{"multipart/related", "document"},
	{"application/docbook+xml", "document"},
	{"application/tei+xml", "document"},
	{"application/dita+xml", "document"},
	{"image/vnd.djvu", "document"},
	{"application/vnd.oasis.opendocument.text*", "document"},
	{"application/vnd.openxmlformats-officedocument.wordprocessingml.*", "document"},
	{"application/vnd.ms-word*", "document"},
	{"application/vnd.oasis.opendocument.spreadsheet*", "spreadsheet"},
	{"application/vnd.openxmlformats-officedocument.spreadsheetml.*", "spreadsheet"},
	{"application/vnd.ms-excel*", "spreadsheet"},
	{"application/vnd.sun.xml.calc*", "spreadsheet"},
	{"application/vnd.stardivision.calc", "spreadsheet"},
	{"application/vnd.lotus-1-2-3", "spreadsheet"},
	{"application/x-123", "spreadsheet"},
	{"application/x-quattro-pro", "spreadsheet"},
	{"application/vnd.apple.numbers", "spreadsheet"},
	{"text/csv", "spreadsheet"},
	{"text/tab-separated-values", "spreadsheet"},
	{"application/vnd.oasis.opendocument.presentation*", "presentation"},
	{"application/vnd.openxmlformats-officedocument.presentationml.*", "presentation"},
	{"application/vnd.ms-powerpoint*", "presentation"},
	{"application/vnd.sun.xml.impress*", "presentation"},
	{"application/vnd.stardivision.impress", "presentation"},
	{"application/vnd.apple.keynote", "presentation"},
	{"application/vnd.oasis.opendocument.graphics*", "image"},
	{"application/vnd.sun.xml.draw*", "image"},
	{"application/vnd.stardivision.draw", "image"},
	{"application/vnd.visio", "image"},
	{"application/vnd.ms-visio.*", "image"},
	{"message/*", "message"},
	{"application/mbox", "message"},
	{"application/vnd.ms-outlook", "message"},
	{"application/vnd.ms-tnef", "message"},
	{"application/ms-tnef", "message"},
	{"application/x-tnef", "message"},
	{"image/*", "image"},
	{"audio/*", "audio"},
	{"application/ogg", "audio"},
	{"video/*", "video"},
	{"text/x-tex", "text"},
	{"text/x-po", "text"},
	{"text/x-*", "code"},
	{"text/javascript", "code"},
	{"text/css", "code"},
	{"application/javascript", "code"},
	{"application/json", "code"},
	{"application/yaml", "code"},
	{"application/toml", "code"},
	{"application/x-shellscript", "code"},
	{"application/x-perl", "code"},
	{"application/x-ruby", "code"},
	{"application/sql", "code"},
	{"application/xml", "text"},
	{"application/rss+xml", "text"},
	{"application/atom+xml", "text"},
	{"application/x-subrip", "text"},
	{"text/*", "text"},
	{"application/zip", "archive"},
	{"application/gzip", "archive"},
	{"application/zstd", "archive"},
	{"application/x-tar", "archive"},
	{"application/x-gtar*", "archive"},
	{"application/x-compressed-tar", "archive"},
	{"application/x-bzip*", "archive"},
	{"application/x-xz*", "archive"},
	{"application/x-lzip", "archive"},
	{"application/x-lzma", "archive"},
	{"application/x-7z-compressed", "archive"},
	{"application/vnd.rar", "archive"},
	{"application/x-rar*", "archive"},
	{"application/x-cpio", "archive"},
	{"application/x-archive", "archive"},
	{"application/vnd.debian.binary-package", "archive"},
	{"application/x-rpm", "archive"},
	{"application/x-iso9660-image", "archive"},
	{"application/java-archive", "archive"},
	{"application/vnd.ms-cab-compressed", "archive"},
	{"application/vnd.android.package-archive", "archive"},
	{"application/x-gzip", "archive"},
	{"application/x-zstd", "archive"},
	{"application/x-lz4", "archive"},
	{"application/x-compress", "archive"},
	{"application/x-unix-archive", "archive"},
	{"application/x-debian-package", "archive"},
	{"application/x-lha", "archive"},
	{"application/x-lzh-compressed", "archive"},
	{"application/x-lharc", "archive"},
	{"application/x-xar", "archive"},
	{"application/warc", "archive"},
	{"application/x-warc", "archive"},
	{"*", "other"},
};
const size_t n_doctypes = G_N_ELEMENTS(doctypes);

static bool matches(const char *pattern, const char *mime, size_t length)
{
	const char *star = strchr(pattern, '*');
	size_t fixed = star ? (size_t)(star - pattern) : strlen(pattern);
	return length >= fixed && (star || length == fixed) &&
		g_ascii_strncasecmp(pattern, mime, fixed) == 0;
}

const char *doctype_of(const char *mime)
{
	size_t length = mime ? strcspn(mime, "; ") : 0;
	size_t i = 0;

	if (!mime)
		return doctypes[n_doctypes - 1].type;
	while (!matches(doctypes[i].pattern, mime, length))
		i++;
	return doctypes[i].type;
}
