/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/shared/linejoin.h"

enum { SOFT_HYPHEN = 0xad, REAL_HYPHEN = 0x2010 };

bool line_is_hyphen(gunichar c)
{
	return c == '-' || c == SOFT_HYPHEN || c == REAL_HYPHEN;
}

bool line_splits_word(gunichar before, gunichar after)
{
	return g_unichar_isalpha(before) && g_unichar_islower(after);
}

bool line_join_word(GString *out, const char *next)
{
	const char *last = g_utf8_find_prev_char(out->str, out->str + out->len);
	gunichar hyphen = last ? g_utf8_get_char(last) : 0, after = g_utf8_get_char(next);

	if (!line_is_hyphen(hyphen))
		return false;
	const char *end = g_utf8_find_prev_char(out->str, last);
	gunichar before = end ? g_utf8_get_char(end) : 0;
	if (!g_unichar_isalnum(before) || !g_unichar_isalnum(after))
		return false;
	if (hyphen == SOFT_HYPHEN || line_splits_word(before, after))
		g_string_truncate(out, last - out->str);
	return true;
}
