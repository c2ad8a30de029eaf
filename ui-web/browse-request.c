/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-web/browse-request.h"

const char *browse_field(const BrowseRequest *request, const char *name)
{
	const char *value = g_hash_table_lookup(request->fields, name);
	return value ? value : "";
}

bool browse_has_field(const BrowseRequest *request, const char *name)
{
	return *browse_field(request, name) != '\0';
}

unsigned browse_number(
        const BrowseRequest *request, const char *name, unsigned preset, unsigned max)
{
	guint64 number;
	if (!g_ascii_string_to_unsigned(browse_field(request, name), 10, 0, max, &number, NULL))
		return preset;
	return (unsigned)number;
}
