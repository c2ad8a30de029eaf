/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/sandbox/lane.h"
#include <string.h>

typedef struct {
	const char *extension;
	WireLane lane;
} LaneOfName;

/* Extensions of other lanes than LANE_CHEAP, sorted. */
static const LaneOfName lanes_by_name[] = {{"7z", LANE_OWN}, {"ar", LANE_OWN}, {"avi", LANE_MEDIA},
        {"bz2", LANE_OWN}, {"cab", LANE_OWN}, {"chm", LANE_OWN}, {"cpio", LANE_OWN},
        {"deb", LANE_OWN}, {"djv", LANE_OWN}, {"djvu", LANE_OWN}, {"doc", LANE_OWN},
        {"epub", LANE_OWN}, {"flac", LANE_MEDIA}, {"gif", LANE_IMAGE}, {"gz", LANE_OWN},
        {"heic", LANE_IMAGE}, {"iso", LANE_OWN}, {"jar", LANE_OWN}, {"jpeg", LANE_IMAGE},
        {"jpg", LANE_IMAGE}, {"lz", LANE_OWN}, {"lz4", LANE_OWN}, {"lzma", LANE_OWN},
        {"m4a", LANE_MEDIA}, {"mbox", LANE_OWN}, {"mkv", LANE_MEDIA}, {"mobi", LANE_OWN},
        {"mov", LANE_MEDIA}, {"mp3", LANE_MEDIA}, {"mp4", LANE_MEDIA}, {"msg", LANE_OWN},
        {"ogg", LANE_MEDIA}, {"opus", LANE_MEDIA}, {"pdf", LANE_PDF}, {"png", LANE_IMAGE},
        {"ppt", LANE_OWN}, {"pub", LANE_VINTAGE}, {"rar", LANE_OWN}, {"rpm", LANE_OWN},
        {"tar", LANE_OWN}, {"tbz2", LANE_OWN}, {"tgz", LANE_OWN}, {"tif", LANE_IMAGE},
        {"tiff", LANE_IMAGE}, {"txz", LANE_OWN}, {"tzst", LANE_OWN}, {"vsd", LANE_VINTAGE},
        {"warc", LANE_OWN}, {"webm", LANE_MEDIA}, {"webp", LANE_IMAGE}, {"wma", LANE_MEDIA},
        {"wmv", LANE_MEDIA}, {"wpd", LANE_VINTAGE}, {"xls", LANE_OWN}, {"xz", LANE_OWN},
        {"zip", LANE_OWN}, {"zst", LANE_OWN}};

static int lane_compare(const void *key, const void *item)
{
	return g_ascii_strcasecmp(key, ((const LaneOfName *)item)->extension);
}

static const char *extension_of(const char *name)
{
	const char *dot = strrchr(name, '.');
	return dot ? dot + 1 : "";
}

WireLane lane_by_name(const char *name)
{
	const LaneOfName *found = bsearch(extension_of(name), lanes_by_name,
	        G_N_ELEMENTS(lanes_by_name), sizeof *lanes_by_name, lane_compare);
	return found ? found->lane : LANE_CHEAP;
}

bool lane_includes(WireLane lane, WireLane other)
{
	return lane == other || lane == LANE_ALL || (lane == LANE_OWN && other == LANE_CHEAP);
}

#define CHEAP_PLUGINS                                                                              \
	"cards", "dbf", "feed", "html", "mail", "markup", "odf", "oldbook", "ooxml", "postscript", \
	        "robots", "rtf", "sitemap", "text", "torrent", "trec", "xml"

const char *const *lane_usual_plugins(WireLane lane)
{
	static const char *const cheap[] = {CHEAP_PLUGINS, NULL};
	static const char *const own[] = {CHEAP_PLUGINS, "archive", "chm", "djvu", "epub", "legacy",
	        "mobi", "pst", "tnef", "xps", NULL};
	static const char *const pdf[] = {"ocr", "pdf", "text", NULL};
	static const char *const media[] = {"audio", "text", "video", NULL};
	static const char *const image[] = {"image", "ocr", "text", NULL};
	static const char *const vintage[] = {"text", "vintage", NULL};
	static const char *const *const usual[N_LANES] = {[LANE_CHEAP] = cheap,
	        [LANE_OWN] = own,
	        [LANE_PDF] = pdf,
	        [LANE_MEDIA] = media,
	        [LANE_IMAGE] = image,
	        [LANE_VINTAGE] = vintage};
	return usual[lane];
}

uint64_t lane_memory(WireLane lane, const char *name, uint64_t size, const ExtractLimits *limits)
{
	/* Children of the cheap lane are shared, so all have the same limit. */
	if (lane == LANE_CHEAP)
		return limits->memory_bytes;
	bool is_pdf = lane == LANE_PDF ||
	              (lane == LANE_ALL && g_ascii_strcasecmp(extension_of(name), "pdf") == 0);
	return (is_pdf ? limits->memory_pdf_bytes : limits->memory_bytes) + size;
}
