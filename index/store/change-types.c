/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/store/change-types.h"
#include <glib.h>
#include <string.h>

bool consumer_name_is_valid(const char *name)
{
	size_t length = strlen(name);
	if (length == 0 || length > CONSUMER_NAME_BYTES || !g_ascii_isalnum(name[0]))
		return false;
	for (; *name; name++)
		if (!g_ascii_isalnum(*name) && !strchr("-_.", *name))
			return false;
	return true;
}
