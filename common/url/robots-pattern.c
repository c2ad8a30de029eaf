/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/url/robots-pattern.h"
#include <string.h>

/* Each piece between stars is taken at its first place, which leaves the most for the next ones. */
bool robots_match(const char *pattern, const char *path, size_t length)
{
	size_t all = strlen(pattern);
	bool whole = all > 0 && pattern[all - 1] == '$';
	const char *end = pattern + all - whole;
	const char *star = memchr(pattern, '*', end - pattern);
	size_t first = (star ? star : end) - pattern;

	if (first > length || memcmp(pattern, path, first) != 0)
		return false;
	path += first;
	length -= first;
	if (!star)
		return !whole || length == 0;
	for (;;) {
		const char *piece = star + 1;
		star = memchr(piece, '*', end - piece);
		size_t n = (star ? star : end) - piece;
		if (!star && whole)
			return n <= length && memcmp(path + length - n, piece, n) == 0;
		const char *place = n > 0 ? memmem(path, length, piece, n) : path;
		if (!place)
			return false;
		if (!star)
			return true;
		length -= place + n - path;
		path = place + n;
	}
}
