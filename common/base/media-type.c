/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/base/media-type.h"
#include <glib.h>
#include <string.h>

bool media_type_is_valid(const char *type)
{
	const char *slash = type ? strchr(type, '/') : NULL;
	size_t length = slash ? strlen(type) : 0;
	if (!slash || slash == type || !slash[1] || length > MEDIA_TYPE_BYTES)
		return false;
	for (size_t i = 0; i < length; i++) {
		if (!g_ascii_isalnum(type[i]) && !strchr("!#$&-^_.+", type[i]) && type + i != slash)
			return false;
	}
	return true;
}

char *media_charset(const char *media_type)
{
	const char *at = media_type ? strchr(media_type, ';') : NULL;
	for (; at; at = strchr(at, ';')) {
		at += 1 + strspn(at + 1, " \t");
		if (g_ascii_strncasecmp(at, "charset=", 8) != 0)
			continue;
		at += 8;
		at += *at == '"' || *at == '\'';
		size_t length = strcspn(at, "\"'; \t,");
		return length > 0 && length < 40 ? g_strndup(at, length) : NULL;
	}
	return NULL;
}
