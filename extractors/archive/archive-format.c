/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/archive/archive-format.h"
#include <glib.h>
#include <iconv.h>
#include <string.h>
#include <time.h>

typedef int (*Support)(struct archive *archive);

static const Support filters[] = {
        archive_read_support_filter_gzip,
        archive_read_support_filter_bzip2,
        archive_read_support_filter_xz,
        archive_read_support_filter_lzma,
        archive_read_support_filter_lzip,
        archive_read_support_filter_zstd,
        archive_read_support_filter_lz4,
        archive_read_support_filter_compress,
        archive_read_support_filter_rpm,
};

static const Support formats[] = {
        archive_read_support_format_tar,
        archive_read_support_format_7zip,
        archive_read_support_format_cpio,
        archive_read_support_format_ar,
        archive_read_support_format_iso9660,
        archive_read_support_format_cab,
        archive_read_support_format_rar,
        archive_read_support_format_rar5,
        archive_read_support_format_lha,
        archive_read_support_format_xar,
        archive_read_support_format_empty,
        archive_read_support_format_raw,
};

struct archive *format_reader(bool zip_directory)
{
	struct archive *archive = archive_read_new();
	for (size_t i = 0; i < G_N_ELEMENTS(filters); i++)
		filters[i](archive);
	for (size_t i = 0; i < G_N_ELEMENTS(formats); i++)
		formats[i](archive);
	archive_read_support_format_zip_streamable(archive);
	if (zip_directory)
		archive_read_support_format_zip_seekable(archive);
	/* libarchive stops at a name that it cannot convert; with this charset it converts every
	 * name */
	archive_read_set_format_option(archive, "lha", "hdrcharset", "ISO-8859-1");
	return archive;
}

struct archive *format_raw_reader(void)
{
	struct archive *archive = archive_read_new();
	for (size_t i = 0; i < G_N_ELEMENTS(filters); i++)
		filters[i](archive);
	archive_read_support_format_raw(archive);
	return archive;
}

const char *format_preload(void)
{
	tzset();
	/* stays open so that iconv keeps the module loaded */
	static iconv_t names;
	if (!names)
		names = iconv_open("UTF-8", "ISO-8859-1");
	return NULL;
}

static int base_format(struct archive *archive)
{
	return archive_format(archive) & ARCHIVE_FORMAT_BASE_MASK;
}

bool format_is_zip(struct archive *archive)
{
	return base_format(archive) == ARCHIVE_FORMAT_ZIP;
}

bool format_is_lha(struct archive *archive)
{
	return base_format(archive) == ARCHIVE_FORMAT_LHA;
}

char *format_raw_name(const char *name)
{
	GString *raw = g_string_new(NULL);
	if (!g_utf8_validate(name, -1, NULL))
		return g_string_free(g_string_append(raw, name), FALSE);
	for (; *name; name = g_utf8_next_char(name))
		g_string_append_c(raw, (char)MIN(g_utf8_get_char(name), 0xff));
	return g_string_free(raw, FALSE);
}

bool format_is_none(struct archive *archive)
{
	return base_format(archive) == ARCHIVE_FORMAT_RAW && archive_filter_count(archive) <= 1;
}

bool format_can_resume(struct archive *archive)
{
	int format = base_format(archive);
	return format == ARCHIVE_FORMAT_7ZIP || format == ARCHIVE_FORMAT_RAR;
}

bool format_skips_freely(struct archive *archive)
{
	switch (base_format(archive)) {
	case ARCHIVE_FORMAT_ZIP:
	case ARCHIVE_FORMAT_TAR:
	case ARCHIVE_FORMAT_CPIO:
	case ARCHIVE_FORMAT_AR:
	case ARCHIVE_FORMAT_ISO9660:
		return archive_filter_count(archive) <= 1;
	default:
		return false;
	}
}

static const struct {
	const char *suffix, *instead;
} suffixes[] = {
        {".tgz", ".tar"},
        {".tbz2", ".tar"},
        {".txz", ".tar"},
        {".svgz", ".svg"},
        {".gz", ""},
        {".bz2", ""},
        {".xz", ""},
        {".zst", ""},
        {".lz4", ""},
        {".lzma", ""},
        {".lz", ""},
        {".tbr", ".tar"},
        {".br", ""},
        {".sz", ""},
        {".zz", ""},
        {".zlib", ""},
        {".z", ""},
};

char *format_inner_name(const char *name)
{
	size_t length = strlen(name);
	for (size_t i = 0; i < G_N_ELEMENTS(suffixes); i++) {
		size_t cut = strlen(suffixes[i].suffix);
		if (length <= cut ||
		        g_ascii_strcasecmp(name + length - cut, suffixes[i].suffix) != 0)
			continue;
		g_autofree char *stem = g_strndup(name, length - cut);
		return g_strconcat(stem, suffixes[i].instead, NULL);
	}
	return g_strdup(length > 0 ? name : "1");
}

int64_t format_dos_time(uint32_t dos)
{
	struct tm tm = {.tm_sec = (dos & 31) * 2,
	        .tm_min = dos >> 5 & 63,
	        .tm_hour = dos >> 11 & 31,
	        .tm_mday = dos >> 16 & 31,
	        .tm_mon = (int)(dos >> 21 & 15) - 1,
	        .tm_year = (dos >> 25) + 80,
	        .tm_isdst = -1};
	time_t seconds = dos ? mktime(&tm) : 0;
	return seconds > 0 ? (int64_t)seconds * 1000000000 : 0;
}
