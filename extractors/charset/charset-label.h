/* SPDX-License-Identifier: GPL-3.0-or-later */
/* charset-label.h - compares names of charsets without case and punctuation */
#pragma once
#include <stdbool.h>
#include <stddef.h>

enum { LABEL_SIZE = 48 };

/* Keeps letters, in lower case, and digits. False: there are none, or too many. */
static inline bool label_normalise(const char *label, char out[LABEL_SIZE])
{
	size_t used = 0;
	for (; *label; label++) {
		char c = *label >= 'A' && *label <= 'Z' ? *label - 'A' + 'a' : *label;
		if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')))
			continue;
		if (used + 1 == LABEL_SIZE)
			return false;
		out[used++] = c;
	}
	out[used] = '\0';
	return used > 0;
}
