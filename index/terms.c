/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/terms.h"
#include "index/tokenizer.h"

/* A stream for 'delete': every term at one position, then as many tokens as are missing from the
 * count. */
static int replay_delete(const uint8_t *s, const uint8_t *end, void *data, TermFunc function)
{
	if (end - s < 5)
		return SQLITE_CORRUPT;
	uint32_t tokens = s[1] | s[2] << 8 | s[3] << 16 | (uint32_t)s[4] << 24;
	const uint8_t *first = s + 5;
	for (const uint8_t *p = first; p < end; p += 1 + *p) {
		if (*p == 0 || *p >= end - p)
			return SQLITE_CORRUPT;
		int result = function(
		        data, p == first ? 0 : FTS5_TOKEN_COLOCATED, (const char *)p + 1, *p, 0, 0);
		if (result != 0)
			return result;
	}
	for (uint32_t i = 1; i < tokens && first < end; i++) {
		int result = function(data, 0, (const char *)first + 1, *first, 0, 0);
		if (result != 0)
			return result;
	}
	return 0;
}

int terms_replay(const char *stream, int length, void *data, TermFunc function)
{
	const uint8_t *s = (const uint8_t *)stream, *end = s + length;
	if (length > 0 && *s == 0)
		return replay_delete(s, end, data, function);
	while (s < end) {
		if (*s == 0 || *s >= end - s)
			return SQLITE_CORRUPT;
		int result = function(data, 0, (const char *)s + 1, *s, 0, 0);
		if (result != 0)
			return result;
		s += 1 + *s;
	}
	return 0;
}
