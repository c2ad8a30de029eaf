/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-bus/hit-id.h"
#include "common/base/paths.h"
#include <string.h>

char *hit_id_new(const char *path, const char *member)
{
	g_autofree char *outer = g_uri_escape_bytes((const guint8 *)path, strlen(path), "/");
	if (!member)
		return g_steal_pointer(&outer);
	g_autofree char *inner = g_uri_escape_bytes((const guint8 *)member, strlen(member), "/");
	return g_strconcat(outer, "|", inner, NULL);
}

/* NULL: malformed, or with a NUL byte. */
static char *hit_id_unescape(const char *text, size_t length)
{
	g_autoptr(GBytes) bytes = g_uri_unescape_bytes(text, length, NULL, NULL);
	size_t size = 0;
	const char *data = bytes ? g_bytes_get_data(bytes, &size) : NULL;
	return size > 0 && !memchr(data, 0, size) ? g_strndup(data, size) : NULL;
}

bool hit_id_parse(const char *id, char **path_r, char **member_r)
{
	size_t length = strlen(id), outer = strcspn(id, "|");
	g_autofree char *path = length <= HIT_ID_BYTES ? hit_id_unescape(id, outer) : NULL;
	if (!path || (*path != '/' && !path_is_web(path)))
		return false;
	if (id[outer] == '\0') {
		*member_r = NULL;
		*path_r = g_steal_pointer(&path);
		return true;
	}
	*member_r = hit_id_unescape(id + outer + 1, length - outer - 1);
	if (*member_r)
		*path_r = g_steal_pointer(&path);
	return *member_r != NULL;
}
