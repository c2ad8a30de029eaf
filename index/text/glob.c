/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/text/glob.h"
#include <glib.h>

static gunichar glob_take(const char **s)
{
	gunichar c = g_utf8_get_char(*s);
	*s = g_utf8_next_char(*s);
	return c;
}

/* *p points behind "[" and is moved behind "]". */
static bool class_matches(const char **p, gunichar c)
{
	bool inverted = **p == '^', matched = false;
	*p += inverted;
	for (bool first = true; **p && (first || **p != ']'); first = false) {
		gunichar low = glob_take(p), high = low;
		bool closing = first && low == ']';
		if (!closing && **p == '-' && (*p)[1] && (*p)[1] != ']') {
			++*p;
			high = glob_take(p);
		}
		matched |= c == low || (low <= c && c <= high);
	}
	if (!**p)
		return false;
	++*p;
	return matched != inverted;
}

/* Matches one character of a pattern that is not at its end; *p is moved behind it. */
static bool one_matches(const char **p, gunichar c)
{
	gunichar wanted = **p ? glob_take(p) : 0;
	if (wanted == '[')
		return class_matches(p, c);
	return wanted == '?' || wanted == c;
}

bool glob_matches(const char *pattern, const char *text)
{
	const char *star = NULL, *mark = text;
	while (*text) {
		if (*pattern == '*') {
			star = ++pattern;
			mark = text;
			continue;
		}
		gunichar c = glob_take(&text);
		if (one_matches(&pattern, c))
			continue;
		if (!star)
			return false;
		pattern = star;
		text = mark = g_utf8_next_char(mark);
	}
	while (*pattern == '*')
		pattern++;
	return !*pattern;
}
