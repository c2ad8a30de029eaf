/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/meaning/word-file.h"
#include "common/base/i18n.h"
#include "index/store/db.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum { FEW_BAD_LINES = 3 };

struct WordFile {
	const WordFileFuncs *f;
	void *data;
	GByteArray *line; /* the beginning of a line that is not complete */
	uint64_t lines, bad; /* lines with a word, and those that were left out */
	uint64_t told; /* the number of words by the first line; 0: it does not say */
	unsigned dimensions; /* 0: not known yet */
	bool begun; /* the first line was read */
	float numbers[WORD_FILE_MOST_DIMENSIONS];
};

WordFile *word_file_new(const WordFileFuncs *f, void *data)
{
	WordFile *file = g_new0(WordFile, 1);
	file->f = f;
	file->data = data;
	file->line = g_byte_array_new();
	return file;
}

void word_file_free(WordFile *file)
{
	if (!file)
		return;
	g_byte_array_unref(file->line);
	g_free(file);
}

static bool word_file_refuse(GError **error, const char *why)
{
	g_set_error_literal(error, INDEX_ERROR, INDEX_ERROR_OTHER, why);
	return false;
}

/* ---- a line */

static bool word_file_is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* The next field from *at on, which moves past it. Returns false if there is none. */
static bool word_file_field(const char **at, const char *end, const char **field_r)
{
	while (*at < end && word_file_is_blank(**at))
		(*at)++;
	*field_r = *at;
	while (*at < end && !word_file_is_blank(**at))
		(*at)++;
	return *at > *field_r;
}

static unsigned word_file_count_fields(const char *at, const char *end)
{
	const char *field;
	unsigned n = 0;
	while (n <= WORD_FILE_MOST_DIMENSIONS + 1 && word_file_field(&at, end, &field))
		n++;
	return n;
}

/* Reads a field as a number; it is at most as long as numbers are. */
static bool word_file_number(const char *field, size_t length, float *out)
{
	char text[48], *end;
	if (length >= sizeof text)
		return false;
	memcpy(text, field, length);
	text[length] = '\0';
	double value = g_ascii_strtod(text, &end);
	*out = value;
	return *end == '\0' && isfinite(value) && fabs(value) <= FLT_MAX;
}

/* Returns false if a number is none. *all_zero_r: nothing follows from the line. */
static bool word_file_numbers(WordFile *file, const char *at, const char *end, bool *all_zero_r)
{
	const char *field;
	*all_zero_r = true;
	for (unsigned i = 0; i < file->dimensions; i++) {
		if (!word_file_field(&at, end, &field) ||
		        !word_file_number(field, at - field, &file->numbers[i]))
			return false;
		*all_zero_r &= file->numbers[i] == 0;
	}
	return true;
}

/* "400000 300" */
static bool word_file_take_head(WordFile *file, const char *line, const char *end)
{
	const char *at = line, *field;
	guint64 numbers[2];
	if (word_file_count_fields(line, end) != 2)
		return false;
	for (int i = 0; i < 2; i++) {
		char text[24] = "";
		word_file_field(&at, end, &field);
		memcpy(text, field, MIN((size_t)(at - field), sizeof text - 1));
		if (!g_ascii_string_to_unsigned(
		            text, 10, 1, WORD_FILE_MOST_LINES, &numbers[i], NULL))
			return false;
	}
	file->told = numbers[0];
	file->dimensions = numbers[1];
	return true;
}

static bool word_file_begin(
        WordFile *file, const char *line, const char *end, bool *head_r, GError **error)
{
	file->begun = true;
	*head_r = word_file_take_head(file, line, end);
	if (!*head_r)
		file->dimensions = MAX(word_file_count_fields(line, end), 1) - 1;
	if (file->dimensions >= WORD_FILE_LEAST_DIMENSIONS &&
	        file->dimensions <= WORD_FILE_MOST_DIMENSIONS)
		return true;
	return word_file_refuse(error, _("its first line is not a word with 2 to 512 numbers"));
}

static bool word_file_line(WordFile *file, const char *line, size_t length, GError **error)
{
	const char *end = line + length, *at = line, *word;
	bool head = false, all_zero;
	if (memchr(line, '\0', length))
		return word_file_refuse(
		        error, _("it is not text: vectors must be in the text format"));
	if (!file->begun && !word_file_begin(file, line, end, &head, error))
		return false;
	if (head || !word_file_field(&at, end, &word))
		return true;
	if (++file->lines > WORD_FILE_MOST_LINES)
		return word_file_refuse(error, _("it has too many lines"));
	size_t word_length = at - word;
	if (word_file_count_fields(at, end) != file->dimensions)
		file->bad++;
	else if (file->f->wants(file->data, word, word_length)) {
		if (!word_file_numbers(file, at, end, &all_zero))
			file->bad++;
		else if (!all_zero)
			file->f->take(file->data, file->numbers, file->dimensions);
	}
	return true;
}

/* ---- the bytes */

static bool word_file_end_line(WordFile *file, const char *bytes, size_t length, GError **error)
{
	if (file->line->len + length > WORD_FILE_MOST_LINE)
		return word_file_refuse(error, _("it has a line of more than 32 KiB"));
	if (file->line->len == 0)
		return word_file_line(file, bytes, length, error);
	g_byte_array_append(file->line, (const uint8_t *)bytes, length);
	bool ok = word_file_line(file, (const char *)file->line->data, file->line->len, error);
	g_byte_array_set_size(file->line, 0);
	return ok;
}

bool word_file_feed(WordFile *file, const char *bytes, size_t length, GError **error)
{
	const char *end = bytes + length, *newline;
	while (bytes < end && (newline = memchr(bytes, '\n', end - bytes))) {
		if (!word_file_end_line(file, bytes, newline - bytes, error))
			return false;
		bytes = newline + 1;
	}
	if (file->line->len + (size_t)(end - bytes) > WORD_FILE_MOST_LINE)
		return word_file_refuse(error, _("it has a line of more than 32 KiB"));
	g_byte_array_append(file->line, (const uint8_t *)bytes, end - bytes);
	return true;
}

bool word_file_end(WordFile *file, GError **error)
{
	if (file->line->len > 0 && !word_file_end_line(file, "", 0, error))
		return false;
	if (file->lines == 0)
		return word_file_refuse(error, _("it has no words"));
	if (file->told > 0 && file->told != file->lines)
		return word_file_refuse(error, _("it has fewer or more words than its first line "
		                                 "says: it may be cut off"));
	if (file->bad > FEW_BAD_LINES && file->bad > file->lines / WORD_FILE_BAD_FRACTION)
		return word_file_refuse(
		        error, _("too many of its lines are not a word with numbers"));
	return true;
}
