/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/mail/uuencoded.h"
#include <stdint.h>
#include <string.h>

enum { LINE_CHARACTERS = 84, UU_NAME = 255, BYTES_OF_LINE = 63 };

typedef struct {
	const char *at; /* start of the next line */
	const char *end; /* end of the text */
} Lines;

/* Returns the next line without its line end. */
static bool next_line(Lines *lines, const char **line_r, size_t *length_r)
{
	if (lines->at >= lines->end)
		return false;
	const char *newline = memchr(lines->at, '\n', lines->end - lines->at);
	const char *after = newline ? newline + 1 : lines->end;
	size_t length = (newline ? newline : lines->end) - lines->at;
	*line_r = lines->at;
	*length_r = length > 0 && lines->at[length - 1] == '\r' ? length - 1 : length;
	lines->at = after;
	return true;
}

/* Returns the name in "begin 644 NAME" or "begin-base64 644 NAME"; NULL if it is neither. The
 * caller frees it. */
static char *uuencoded_name_of(const char *line, size_t length, bool *base64_r)
{
	static const char plain[] = "begin ", base64[] = "begin-base64 ";
	*base64_r = length > sizeof base64 && memcmp(line, base64, sizeof base64 - 1) == 0;
	size_t at = *base64_r ? sizeof base64 - 1 : sizeof plain - 1, digits = 0;
	if (length <= at || memcmp(line, *base64_r ? base64 : plain, at) != 0)
		return NULL;
	while (at + digits < length && line[at + digits] >= '0' && line[at + digits] <= '7')
		digits++;
	at += digits;
	if (digits < 3 || digits > 4 || at + 1 >= length || line[at] != ' ' ||
	        length - at - 1 > UU_NAME)
		return NULL;
	return g_strndup(line + at + 1, length - at - 1);
}

/* Returns six bits; trailing blanks of a line may have been removed. */
static unsigned uuencoded_sextet(const char *line, size_t length, size_t at)
{
	return at < length ? (line[at] - ' ') & 63 : 0;
}

/* The first character of a line says how many bytes the line holds. False: it is not an encoded
 * line. */
static bool decode_line(const char *line, size_t length, GByteArray *bytes)
{
	size_t n = uuencoded_sextet(line, length, 0), whole = 1 + (n + 2) / 3 * 4;
	if (n == 0 || length > LINE_CHARACTERS || length > whole + 2 || length < 2)
		return false;
	for (size_t i = 0; i < length; i++)
		if (line[i] < ' ' || line[i] > '`')
			return false;
	for (size_t in = 1, out = 0; out < n; in += 4, out += 3) {
		unsigned bits = uuencoded_sextet(line, length, in) << 18 |
		                uuencoded_sextet(line, length, in + 1) << 12 |
		                uuencoded_sextet(line, length, in + 2) << 6 |
		                uuencoded_sextet(line, length, in + 3);
		const uint8_t three[] = {bits >> 16, bits >> 8, bits};
		g_byte_array_append(bytes, three, MIN(n - out, sizeof three));
	}
	return true;
}

static bool decode_base64(const char *line, size_t length, GByteArray *bytes)
{
	if (length == 0 || length > LINE_CHARACTERS || length % 4 != 0)
		return false;
	for (size_t i = 0; i < length; i++)
		if (!g_ascii_isalnum(line[i]) && !strchr("+/=", line[i]))
			return false;
	if (*line == '=')
		return false;
	uint8_t decoded[LINE_CHARACTERS];
	int state = 0;
	unsigned save = 0;
	size_t n = g_base64_decode_step(line, length, decoded, &state, &save);
	g_byte_array_append(bytes, decoded, n);
	return true;
}

/* Skips the lines that end a file: "`" or a blank one, then "end"; after Base64 "====". */
static void skip_end(Lines *lines, bool base64)
{
	const char *line;
	size_t length;
	Lines before = *lines;
	while (next_line(lines, &line, &length)) {
		bool last = base64 ? length == 4 && memcmp(line, "====", 4) == 0
		                   : length == 3 && memcmp(line, "end", 3) == 0;
		if (last)
			return;
		if (base64 || (length > 0 && uuencoded_sextet(line, length, 0) != 0))
			break;
	}
	*lines = before;
}

static bool uuencoded_read_file(Lines *lines, bool base64, GByteArray *bytes)
{
	const char *line;
	size_t length;
	Lines before = *lines;
	while (next_line(lines, &line, &length)) {
		if (!(base64 ? decode_base64 : decode_line)(line, length, bytes)) {
			*lines = before;
			break;
		}
		before = *lines;
	}
	skip_end(lines, base64);
	return bytes->len > 0;
}

void uu_take(GByteArray *text, UuFile *file, void *data)
{
	if (text->len == 0)
		return;
	Lines lines = {(const char *)text->data, (const char *)text->data + text->len};
	guint kept = 0;
	bool more = true;
	const char *line;
	size_t length;
	while (next_line(&lines, &line, &length)) {
		bool base64;
		Lines after = lines;
		g_autofree char *name = more ? uuencoded_name_of(line, length, &base64) : NULL;
		g_autoptr(GByteArray) bytes = name ? g_byte_array_new() : NULL;
		if (name && uuencoded_read_file(&after, base64, bytes)) {
			more = file(g_steal_pointer(&name), bytes, data);
			lines = after;
			continue;
		}
		size_t n = lines.at - line;
		memmove(text->data + kept, line, n);
		kept += n;
	}
	g_byte_array_set_size(text, kept);
}
