/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/store/web-hash.h"
#include <xxhash.h>

int64_t web_hash(const char *text, size_t length)
{
	return (int64_t)XXH3_64bits(text, length);
}
