/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/store/web-hash.h"
#include <glib.h>
#include <string.h>
#include <xxhash.h>

int64_t web_hash(const char *text, size_t length)
{
	return (int64_t)XXH3_64bits(text, length);
}

int64_t web_harvest_key(const char *prefix)
{
	g_autofree char *key = g_strconcat("harvest ", prefix, NULL);
	return web_hash(key, strlen(key));
}
