/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/settings/settings.h"
#include <string.h>

#define KIB INT64_C(1024)
#define MIB (1024 * KIB)
#define GIB (1024 * MIB)
#define TIB (1024 * GIB)
#define DAY (24 * 3600)

/* clang-format off */
const SettingKey setting_keys[] = {
	{"index", "roots", SETTING_LIST, "", false, 0, 0, NULL,
		"directories to watch and index, including everything below them"},
	{"index", "hidden", SETTING_LIST, "", true, 0, 0, NULL,
		"names of hidden entries (beginning with a dot) to index anyway; * means all"},
	{"index", "exclude", SETTING_LIST, "", true, 0, 0, NULL,
		"patterns of entries to skip, as in .tarsierignore; a pattern that begins with "
		"/ or ~/ is an absolute path"},
	{"index", "include", SETTING_LIST, "", true, 0, 0, NULL,
		"patterns of entries to index although they are hidden or \"skip\" skips them; "
		"secrets stay skipped"},
	{"index", "skip", SETTING_LIST,
		"version-control;builds;caches;trash;snapshots;secrets;browsers", true, 0, 0,
		"version-control builds caches trash snapshots secrets browsers",
		"kinds of directories and files to skip"},
	{"index", "markers", SETTING_LIST, "tarsierignore;cachedir;nomedia;trackerignore;noindex", true, 0,
		0, "tarsierignore cachedir nomedia trackerignore noindex",
		"marker files to obey: .tarsierignore, CACHEDIR.TAG, .nomedia, .trackerignore, "
		".noindex"},

	{"limits", "file", SETTING_SIZE, "500 MiB", false, 1, TIB, NULL,
		"larger files are not read; only their names and metadata are indexed"},
	{"limits", "text", SETTING_SIZE, "10 MiB", false, 4 * KIB, GIB, NULL,
		"indexed text per document; the rest is cut off"},
	{"limits", "unpacked", SETTING_SIZE, "2 GiB", false, MIB, TIB, NULL,
		"total unpacked size of all members of one file"},
	{"limits", "members", SETTING_INT, "20000", false, 1, 1000000, NULL,
		"members per archive or mailbox"},
	{"limits", "depth", SETTING_INT, "5", false, 1, 32, NULL,
		"nesting depth of archives inside archives"},
	{"limits", "ratio", SETTING_INT, "200", false, 2, 1000000, NULL,
		"ratio of unpacked to packed size, checked once more than 16 MiB are unpacked"},
	{"limits", "time", SETTING_TIME, "60 s", false, 1, 3600, NULL,
		"wall-clock time per conversion"},
	{"limits", "memory", SETTING_SIZE, "512 MiB", false, 64 * MIB, 64 * GIB, NULL,
		"address space per conversion"},
	{"limits", "memory-pdf", SETTING_SIZE, "1 GiB", false, 64 * MIB, 64 * GIB, NULL,
		"address space per PDF conversion"},
	{"limits", "daily-words", SETTING_INT, "20000000", false, 0, 2000000000, NULL,
		"different words that the files below each directory right below a root may "
		"bring in a day; the next files are read on the next day; 0: no limit"},
	{"limits", "daily-text", SETTING_SIZE, "50 GiB", false, 0, 1024 * TIB, NULL,
		"text that they may bring in a day; 0: no limit"},

	{"daemon", "converters", SETTING_INT, "2", false, 1, 64, NULL,
		"concurrent conversions"},
	{"daemon", "cpu", SETTING_INT, "0", false, 0, 100, NULL,
		"CPU limit for a backlog, in percent of one processor; 0: none. Saved files "
		"are exempt"},
	{"daemon", "pause-on-battery", SETTING_INT, "30", false, 0, 100, NULL,
		"a backlog waits while the battery discharges and is below this level, in "
		"percent; 0: never"},
	{"daemon", "watch-share", SETTING_INT, "50", false, 1, 100, NULL,
		"share of the system's inotify watches to use, in percent; other directories "
		"are polled"},
	{"daemon", "poll", SETTING_TIME, "1 min", false, 1, DAY, NULL,
		"minimum time between two checks of a directory without a watch"},
	{"daemon", "verify", SETTING_TIME, "1 d", false, 60, 366 * DAY, NULL,
		"time between two comparisons of the whole index with the file systems"},
	{"daemon", "disk-reserve", SETTING_SIZE, "1 GiB", false, 0, TIB, NULL,
		"nothing is written to the index while its file system has less free space"},
	{"daemon", "text-cache", SETTING_SIZE, "256 MiB", false, 0, TIB, NULL,
		"size of the cache for the text of slowly converted files, used for previews; "
		"0: no cache"},
	{"daemon", "ocr", SETTING_STRING, "", false, 0, 0, NULL,
		"OCR language in tesseract's naming (eng); pictures and scanned pages are read "
		"when there is nothing else to do; empty: off"},
	{"daemon", "unsandboxed", SETTING_BOOL, "false", false, 0, 0, NULL,
		"convert files even if the kernel cannot provide a sandbox; unsafe"},

	{"search", "limit", SETTING_INT, "20", false, 1, 100000, NULL,
		"hits shown on a terminal"},
	{"search", "meaning", SETTING_BOOL, "true", false, 0, 0, NULL,
		"documents about the subject of a query come earlier, as the index has learned it"},
	{"search", "embedding", SETTING_STRING, "", false, 0, 0, NULL,
		"file of word vectors, as text, that tells the subjects of words instead of what the "
		"index has learned; empty: none"},
	{"search", "remember-opened", SETTING_BOOL, "true", false, 0, 0, NULL,
		"hits that were opened come first the next time that the same words are searched"},

	{"web", "kind", SETTING_STRING, "site", false, 0, 0, "site feed",
		"what a source is: the pages below its URL, or the items of a feed"},
	{"web", "pages", SETTING_INT, "5000", false, 1, 1000000, NULL,
		"pages of a source"},
	{"web", "depth", SETTING_INT, "0", false, 0, 1000, NULL,
		"links between the start of a source and its pages; 0: any number"},
	{"web", "bytes", SETTING_SIZE, "1 GiB", false, MIB, TIB, NULL,
		"bytes that are fetched of a source"},
	{"web", "every", SETTING_TIME, "60 d", false, 3600, 366 * DAY, NULL,
		"maximum time between two visits of a page or feed"},
	{"web", "include", SETTING_LIST, "", false, 0, 0, NULL,
		"patterns of the URLs to fetch; empty: all below the source"},
	{"web", "exclude", SETTING_LIST, "", false, 0, 0, NULL,
		"patterns of URLs to leave out"},
	{"web", "about", SETTING_STRING, "", false, 0, 0, NULL,
		"query that tells which pages are visited first; empty: all alike"},
	{"web", "full", SETTING_BOOL, "false", false, 0, 0, NULL,
		"fetch the page of each item of a feed, in place of its text"},
	{"web", "keep", SETTING_STRING, "page", false, 0, 0, "page text nothing",
		"what is kept of a page for previews"},
	{"web", "contact", SETTING_STRING, "", false, 0, 0, NULL,
		"mail address or URL that each request tells webmasters; empty: none"},
	{"web", "partition", SETTING_STRING, "", false, 0, 0, NULL,
		"address of the PostgreSQL database by which several crawlers share the hosts of "
		"sources; empty: this one reads them alone"},

	{"export", "to", SETTING_STRING, "", false, 0, 0, NULL,
		"address of the search engine that an export sends to"},
	{"export", "credentials", SETTING_STRING, "", false, 0, 0, NULL,
		"file with user and password, or api-key, for it, which only you may read; empty: "
		"none"},
	{NULL},
};
/* clang-format on */

const SettingKey *settings_find_key(const char *section, const char *name)
{
	bool per_dir = g_str_has_prefix(section, "dir:");
	if (g_str_has_prefix(section, "web:"))
		section = "web";
	if (g_str_has_prefix(section, SETTINGS_EXPORT))
		section = "export";
	for (const SettingKey *key = setting_keys; key->section; key++) {
		bool here = per_dir ? key->per_dir : strcmp(key->section, section) == 0;
		if (here && strcmp(key->name, name) == 0)
			return key;
	}
	return NULL;
}
