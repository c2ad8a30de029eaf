/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/shared/encoded-text.h"
#include <glib.h>
#include <stdbool.h>
#include <string.h>

enum {
	LINES_MIN = 8,
	BASE64_MIN = 60,
	BASE64_MAX = 80,
	RUN_MIN = 256,
	UU_LENGTH = 61, /* 'M' and 60 characters that encode 45 bytes */
	SHARE_MIN = 20, /* in Base64, each class of letters is at least 1/20 of all */
};

typedef struct {
	size_t small, capital, digit, all;
} Letters;

/* Returns the length of a line without its end, or of its beginning if it is longer than lines of
 * encoded data; *next_r: offset of what follows. */
static size_t encoded_line_length(const char *text, size_t length, size_t *next_r)
{
	size_t most = MIN(length, BASE64_MAX + sizeof "\r\n");
	const char *newline = memchr(text, '\n', most);
	size_t n = newline ? (size_t)(newline - text) : most;
	*next_r = newline ? n + 1 : n;
	return n > 0 && text[n - 1] == '\r' ? n - 1 : n;
}

static bool base64_count(char c, Letters *letters)
{
	letters->small += g_ascii_islower(c);
	letters->capital += g_ascii_isupper(c);
	letters->digit += g_ascii_isdigit(c);
	return g_ascii_isalnum(c) || c == '+' || c == '/';
}

static bool base64_line(const char *line, size_t length, Letters *letters)
{
	size_t n = length;
	while (n > 0 && length - n < 2 && line[n - 1] == '=')
		n--;
	for (size_t i = 0; i < n; i++)
		if (!base64_count(line[i], letters))
			return false;
	letters->all += length;
	return n > 0;
}

static bool uu_line(const char *line, size_t length)
{
	if (length == 0 || length > UU_LENGTH || (length == UU_LENGTH && *line != 'M'))
		return false;
	for (size_t i = 0; i < length; i++)
		if (line[i] < ' ' || line[i] > '`')
			return false;
	return true;
}

static bool of_bytes(const Letters *letters)
{
	return letters->small * SHARE_MIN >= letters->all &&
	       letters->capital * SHARE_MIN >= letters->all &&
	       letters->digit * SHARE_MIN >= letters->all;
}

/* Can encoded data begin with a line of this length? *uu_r tells the encoding. */
static bool encoded_begins(const char *line, size_t full, bool *uu_r)
{
	Letters letters = {0};
	*uu_r = full == UU_LENGTH && uu_line(line, full);
	return *uu_r || (full >= BASE64_MIN && full <= BASE64_MAX && full % 4 == 0 &&
	                        base64_line(line, full, &letters));
}

/* The first lines decide. The lines after them may be as long as the file, so each is read only
 * once. */
size_t encoded_length(const char *text, size_t length, unsigned *lines_r)
{
	size_t next, at = 0, full = encoded_line_length(text, length, &next);
	unsigned lines = 0;
	bool uu, encoded = false, more = encoded_begins(text, full, &uu);
	Letters letters = {0};
	while (more && at < length) {
		size_t n = encoded_line_length(text + at, length - at, &next);
		if (n > full || !(uu ? uu_line(text + at, n) : base64_line(text + at, n, &letters)))
			break;
		at += next;
		if (++lines == LINES_MIN)
			encoded = uu || of_bytes(&letters);
		more = n == full && (lines < LINES_MIN || encoded);
	}
	*lines_r = lines;
	return encoded ? at : 0;
}

size_t encoded_run(const char *text, size_t length)
{
	Letters letters = {0};
	while (letters.all < length && base64_count(text[letters.all], &letters))
		letters.all++;
	size_t run = letters.all;
	while (run < length && run - letters.all < 2 && text[run] == '=')
		run++;
	return run >= RUN_MIN && of_bytes(&letters) ? run : 0;
}
