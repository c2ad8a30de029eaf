/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/text/licence-notice.h"
#include "common/base/text.h"
#include <glib.h>
#include <stdbool.h>
#include <string.h>

enum { MAX_LINES = 200 };

static size_t line_end(const char *text, size_t length, size_t at)
{
	const char *newline = memchr(text + at, '\n', length - at);
	return newline ? (size_t)(newline - text) + 1 : length;
}

static bool notice_has_prefix(const char *text, size_t length, const char *prefix)
{
	size_t n = strlen(prefix);
	return length >= n && memcmp(text, prefix, n) == 0;
}

/* "#include" begins no comment. */
static bool is_line_comment(const char *line, size_t length)
{
	static const char *const marks[] = {"//", "--", ";", "%", "dnl"};
	while (length > 0 && (*line == ' ' || *line == '\t')) {
		line++;
		length--;
	}
	if (notice_has_prefix(line, length, "#"))
		return length == 1 || !g_ascii_isalnum(line[1]);
	for (size_t i = 0; i < G_N_ELEMENTS(marks); i++)
		if (notice_has_prefix(line, length, marks[i]))
			return true;
	return false;
}

/* Returns the offset after the end of the comment and its line; 0: the comment does not end. */
static size_t block_comment(const char *text, size_t length)
{
	const char *end = g_strstr_len(text, (gssize)length, "*/");
	return end ? line_end(text, length, end - text) : 0;
}

static size_t line_comments(const char *text, size_t length)
{
	size_t at = 0;
	for (unsigned lines = 0; at < length && lines < MAX_LINES; lines++) {
		size_t end = line_end(text, length, at);
		if (!is_line_comment(text + at, end - at))
			break;
		at = end;
	}
	return at;
}

static bool speaks_of_licence(const char *text, size_t length)
{
	static const char *const words[] = {"licen", "copyright", "spdx-", "all rights reserved"};
	g_autofree char *lower = g_ascii_strdown(text, (gssize)length);
	for (size_t i = 0; i < G_N_ELEMENTS(words); i++)
		if (strstr(lower, words[i]))
			return true;
	return false;
}

/* Of several comments in a row, the notice ends with the last one that mentions a licence. */
size_t notice_length(const char *text, size_t length)
{
	size_t at = 0, notice = 0, more;
	do {
		more = notice_has_prefix(text + at, length - at, "/*")
		               ? block_comment(text + at, length - at)
		               : line_comments(text + at, length - at);
		if (more > 0 && speaks_of_licence(text + at, more))
			notice = at + more;
		at += more;
	} while (more > 0 && at < length);
	return text_is_blank(text + notice, length - notice) ? 0 : notice;
}
