/* SPDX-License-Identifier: GPL-3.0-or-later */
/* blank.h - text of white space alone */
#pragma once
#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

/* True if all characters are ASCII white space, or there are none. */
static inline bool is_blank(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (!g_ascii_isspace(text[i]))
			return false;
	return true;
}
