/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/sandbox/lane.h"
#include <string.h>

/* Extensions of LANE_OWN, sorted. */
static const char *const own_lane[] = {"7z", "ar", "bz2", "cab", "chm", "cpio", "deb", "doc",
        "epub", "flac", "gif", "gz", "heic", "iso", "jar", "jpeg", "jpg", "lz", "lz4", "lzma",
        "mbox", "mobi", "mp3", "msg", "ogg", "pdf", "png", "ppt", "rar", "rpm", "tar", "tbz2",
        "tgz", "tif", "tiff", "txz", "tzst", "warc", "webp", "xls", "xz", "zip", "zst"};

static int lane_compare(const void *key, const void *item)
{
	return g_ascii_strcasecmp(key, *(const char *const *)item);
}

static const char *extension_of(const char *name)
{
	const char *dot = strrchr(name, '.');
	return dot ? dot + 1 : "";
}

WireLane lane_by_name(const char *name)
{
	bool own = bsearch(extension_of(name), own_lane, G_N_ELEMENTS(own_lane), sizeof *own_lane,
	                   lane_compare) != NULL;
	const char *extension = extension_of(name);
	if (g_ascii_strcasecmp(extension, "djvu") == 0 || g_ascii_strcasecmp(extension, "djv") == 0)
		return LANE_THREADS;
	return own ? LANE_OWN : LANE_CHEAP;
}

uint64_t lane_memory(WireLane lane, const char *name, uint64_t size, const ExtractLimits *limits)
{
	/* Children of the cheap lane are shared, so all have the same limit. */
	if (lane == LANE_CHEAP)
		return limits->memory_bytes;
	bool is_pdf = g_ascii_strcasecmp(extension_of(name), "pdf") == 0;
	return (is_pdf ? limits->memory_pdf_bytes : limits->memory_bytes) + size;
}
