/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/search/sole-member.h"
#include <glib.h>
#include <string.h>

bool sole_member_name(const char *name, int length)
{
	static const char *const endings[] = {".gz", ".bz2", ".xz", ".zst", ".lz4", ".lzma", ".lz",
	        ".br", ".sz", ".zz", ".zlib", ".z", ".tgz", ".tbz2", ".txz"};
	for (size_t i = 0; i < G_N_ELEMENTS(endings); i++) {
		int n = strlen(endings[i]);
		if (length > n && g_ascii_strncasecmp(name + length - n, endings[i], n) == 0)
			return true;
	}
	return false;
}
