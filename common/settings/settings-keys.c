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
		"directories to watch and index, with everything below them"},
	{"index", "hidden", SETTING_LIST, "", true, 0, 0, NULL,
		"names of hidden entries (they begin with a dot) to take all the same; * takes all"},
	{"index", "exclude", SETTING_LIST, "", true, 0, 0, NULL,
		"patterns of entries to skip, as in .tarsierignore; one that begins with / or ~/ is a "
		"whole path"},
	{"index", "include", SETTING_LIST, "", true, 0, 0, NULL,
		"patterns of entries to take although they are hidden or \"skip\" leaves them out; not "
		"for secrets"},
	{"index", "skip", SETTING_LIST,
		"version-control;builds;caches;trash;snapshots;secrets;browsers", true, 0, 0,
		"version-control builds caches trash snapshots secrets browsers",
		"kinds of directories and files that are left out"},
	{"index", "markers", SETTING_LIST, "tarsierignore;cachedir;nomedia;trackerignore;noindex", true, 0,
		0, "tarsierignore cachedir nomedia trackerignore noindex",
		"marker files that are obeyed: .tarsierignore, CACHEDIR.TAG, .nomedia, .trackerignore, "
		".noindex"},

	{"limits", "file", SETTING_SIZE, "500 MiB", false, 1, TIB, NULL,
		"larger files are not read; they are found by name and facts"},
	{"limits", "text", SETTING_SIZE, "10 MiB", false, 4 * KIB, GIB, NULL,
		"text of one document that is indexed; the rest is cut off"},
	{"limits", "unpacked", SETTING_SIZE, "2 GiB", false, MIB, TIB, NULL,
		"bytes that one file may unpack to, all members together"},
	{"limits", "members", SETTING_INT, "20000", false, 1, 1000000, NULL,
		"members of one archive or mailbox"},
	{"limits", "depth", SETTING_INT, "5", false, 1, 32, NULL, "archives inside archives"},
	{"limits", "ratio", SETTING_INT, "200", false, 2, 1000000, NULL,
		"unpacked to packed size, once more than 16 MiB are unpacked"},
	{"limits", "time", SETTING_TIME, "60 s", false, 1, 3600, NULL, "for one conversion, by the clock"},
	{"limits", "memory", SETTING_SIZE, "512 MiB", false, 64 * MIB, 64 * GIB, NULL,
		"address space of one conversion"},
	{"limits", "memory-pdf", SETTING_SIZE, "1 GiB", false, 64 * MIB, 64 * GIB, NULL,
		"the same for PDF"},

	{"daemon", "converters", SETTING_INT, "2", false, 1, 64, NULL, "conversions at the same time"},
	{"daemon", "cpu", SETTING_INT, "0", false, 0, 100, NULL,
		"ceiling for a backlog, in percent of one processor; 0: none. Saved files are exempt"},
	{"daemon", "pause-on-battery", SETTING_INT, "30", false, 0, 100, NULL,
		"a backlog waits while the battery discharges and holds less than this, in percent; 0: never"},
	{"daemon", "watch-share", SETTING_INT, "50", false, 1, 100, NULL,
		"part of the inotify watches the system grants that may be used, in percent; the rest is "
		"polled"},
	{"daemon", "poll", SETTING_TIME, "1 min", false, 1, DAY, NULL,
		"shortest time between two looks at a directory that has no watch"},
	{"daemon", "verify", SETTING_TIME, "1 d", false, 60, 366 * DAY, NULL,
		"time between two comparisons of the whole index with the file systems"},
	{"daemon", "disk-reserve", SETTING_SIZE, "1 GiB", false, 0, TIB, NULL,
		"nothing is written while the file system of the index has less free space"},
	{"daemon", "text-cache", SETTING_SIZE, "256 MiB", false, 0, TIB, NULL,
		"budget for kept text of files that are slow to convert, for previews; 0: keep none"},
	{"daemon", "ocr", SETTING_STRING, "", false, 0, 0, NULL,
		"language of text in pictures, as tesseract names it (eng), that is recognised when nothing "
		"else is to do; empty: none"},
	{"daemon", "unsandboxed", SETTING_BOOL, "false", false, 0, 0, NULL,
		"convert even where the kernel cannot confine converters; unsafe"},

	{"search", "limit", SETTING_INT, "20", false, 1, 100000, NULL, "hits shown on a terminal"},
	{NULL},
};
/* clang-format on */

const SettingKey *settings_find_key(const char *section, const char *name)
{
	bool per_dir = g_str_has_prefix(section, "dir:");
	for (const SettingKey *key = setting_keys; key->section; key++) {
		bool here = per_dir ? key->per_dir : strcmp(key->section, section) == 0;
		if (here && strcmp(key->name, name) == 0)
			return key;
	}
	return NULL;
}
