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
	{"index", "roots", SETTING_LIST, "", false, 0, 0, NULL},
	{"index", "hidden", SETTING_LIST, "", true, 0, 0, NULL},
	{"index", "exclude", SETTING_LIST, "", true, 0, 0, NULL},
	{"index", "include", SETTING_LIST, "", true, 0, 0, NULL},
	{"index", "skip", SETTING_LIST,
		"version-control;builds;caches;trash;snapshots;secrets;browsers", true, 0, 0,
		"version-control builds caches trash snapshots secrets browsers"},
	{"index", "markers", SETTING_LIST,
		"tarsierignore;cachedir;nomedia;trackerignore;noindex", true, 0, 0,
		"tarsierignore cachedir nomedia trackerignore noindex"},

	{"limits", "file", SETTING_SIZE, "500 MiB", false, 1, TIB, NULL},
	{"limits", "text", SETTING_SIZE, "10 MiB", false, 4 * KIB, GIB, NULL},
	{"limits", "unpacked", SETTING_SIZE, "2 GiB", false, MIB, TIB, NULL},
	{"limits", "members", SETTING_INT, "20000", false, 1, 1000000, NULL},
	{"limits", "depth", SETTING_INT, "5", false, 1, 32, NULL},
	{"limits", "ratio", SETTING_INT, "200", false, 2, 1000000, NULL},
	{"limits", "time", SETTING_TIME, "60 s", false, 1, 3600, NULL},
	{"limits", "memory", SETTING_SIZE, "512 MiB", false, 64 * MIB, 64 * GIB, NULL},
	{"limits", "memory-pdf", SETTING_SIZE, "1 GiB", false, 64 * MIB, 64 * GIB, NULL},
	{"limits", "daily-words", SETTING_INT, "20000000", false, 0, 2000000000, NULL},
	{"limits", "daily-text", SETTING_SIZE, "50 GiB", false, 0, 1024 * TIB, NULL},

	{"daemon", "converters", SETTING_INT, "2", false, 1, 64, NULL},
	{"daemon", "cpu", SETTING_INT, "0", false, 0, 100, NULL},
	{"daemon", "pause-on-battery", SETTING_INT, "30", false, 0, 100, NULL},
	{"daemon", "watch-share", SETTING_INT, "50", false, 1, 100, NULL},
	{"daemon", "poll", SETTING_TIME, "1 min", false, 1, DAY, NULL},
	{"daemon", "verify", SETTING_TIME, "1 d", false, 60, 366 * DAY, NULL},
	{"daemon", "disk-reserve", SETTING_SIZE, "1 GiB", false, 0, TIB, NULL},
	{"daemon", "text-cache", SETTING_SIZE, "256 MiB", false, 0, TIB, NULL},
	{"daemon", "ocr", SETTING_STRING, "", false, 0, 0, NULL},
	{"daemon", "unsandboxed", SETTING_BOOL, "false", false, 0, 0, NULL},

	{"search", "limit", SETTING_INT, "20", false, 1, 100000, NULL},
	{"search", "meaning", SETTING_BOOL, "true", false, 0, 0, NULL},
	{"search", "embedding", SETTING_STRING, "", false, 0, 0, NULL},
	{"search", "remember-opened", SETTING_BOOL, "true", false, 0, 0, NULL},

	{"web", "kind", SETTING_STRING, "site", false, 0, 0, "site feed"},
	{"web", "pages", SETTING_INT, "5000", false, 1, 1000000, NULL},
	{"web", "depth", SETTING_INT, "0", false, 0, 1000, NULL},
	{"web", "bytes", SETTING_SIZE, "1 GiB", false, MIB, TIB, NULL},
	{"web", "every", SETTING_TIME, "60 d", false, 3600, 366 * DAY, NULL},
	{"web", "include", SETTING_LIST, "", false, 0, 0, NULL},
	{"web", "exclude", SETTING_LIST, "", false, 0, 0, NULL},
	{"web", "about", SETTING_STRING, "", false, 0, 0, NULL},
	{"web", "full", SETTING_BOOL, "false", false, 0, 0, NULL},
	{"web", "keep", SETTING_STRING, "page", false, 0, 0, "page text nothing"},
	{"web", "contact", SETTING_STRING, "", false, 0, 0, NULL},
	{"web", "partition", SETTING_STRING, "", false, 0, 0, NULL},

	{"export", "to", SETTING_STRING, "", false, 0, 0, NULL},
	{"export", "credentials", SETTING_STRING, "", false, 0, 0, NULL},
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
