/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/mail/body-letters.h"
#include "common/base/utf8.h"
#include <glib.h>
#include <stdbool.h>
#include <string.h>

typedef struct {
	const uint8_t *at, *end;
	bool utf8;
	size_t quotes; /* open quotations */
	size_t letters;
} BodyCount;

static BodyCount body_count(const uint8_t *text, size_t size)
{
	return (BodyCount){
	        .at = text, .end = text + size, .utf8 = utf8_is_valid((const char *)text, size)};
}

static bool body_is_letter(const BodyCount *count, uint8_t byte)
{
	return g_ascii_isalnum(byte) || byte >= (count->utf8 ? 0xc0 : 0x80);
}

static bool body_is_address(const uint8_t *word, size_t length)
{
	return memmem(word, length, "://", 3) || (length > 4 && memcmp(word, "www.", 4) == 0);
}

/* Numbers of letters that are not in ASCII. Newsletters fill their first line with invisible
 * characters, all in the block of general punctuation and before it. */
static bool is_letter_reference(const uint8_t *reference, size_t length)
{
	enum { FIRST = 0xc0, GRAPHEME_JOINER = 0x34f, SIGNS = 0x2000, LETTERS = 0x2c00 };
	bool hex = length > 3 && (reference[2] == 'x' || reference[2] == 'X');
	unsigned number = 0;
	if (length < 4 || reference[1] != '#')
		return false;
	for (size_t i = hex ? 3 : 2; i < length && number < 0x110000; i++) {
		int digit = g_ascii_xdigit_value(reference[i]);
		if (digit < 0 || (!hex && digit > 9))
			break;
		number = number * (hex ? 16 : 10) + digit;
	}
	return number >= FIRST && number != GRAPHEME_JOINER && number != 0xfeff &&
	       (number < SIGNS || number >= LETTERS);
}

/* Skips "&nbsp;" and the like, and counts it if it stands for a letter. */
static void body_count_reference(BodyCount *count)
{
	enum { LONGEST = 12 };
	const uint8_t *from = count->at++;
	while (count->at < count->end && count->at - from < LONGEST &&
	        (g_ascii_isalnum(*count->at) || *count->at == '#'))
		count->at++;
	count->letters += count->quotes == 0 && is_letter_reference(from, count->at - from);
	if (count->at < count->end && *count->at == ';')
		count->at++;
}

/* Counts up to the next white space, and in HTML up to the next tag or reference. */
static void body_count_word(BodyCount *count, bool html)
{
	const uint8_t *from = count->at;
	size_t letters = 0;
	do
		letters += body_is_letter(count, *count->at++);
	while (count->at<count->end && * count->at> ' ' &&
	        !(html && (*count->at == '<' || *count->at == '&')));
	if (count->quotes == 0 && !body_is_address(from, count->at - from))
		count->letters += letters;
}

size_t body_letters_plain(const uint8_t *text, size_t size)
{
	BodyCount count = body_count(text, size);
	while (count.at < count.end) {
		if (*count.at <= ' ')
			count.at++;
		else
			body_count_word(&count, false);
	}
	return count.letters;
}

/* Skips up to and including an end; all, if there is none. */
static void body_skip_past(BodyCount *count, const char *end)
{
	size_t left = count->end - count->at;
	const uint8_t *found = memmem(count->at, left, end, strlen(end));
	count->at = found ? found + strlen(end) : count->end;
}

/* True for "<name" and "</name". */
static bool tag_is(const BodyCount *count, const char *tag)
{
	size_t n = strlen(tag), left = count->end - count->at;
	return left > n && g_ascii_strncasecmp((const char *)count->at, tag, n) == 0 &&
	       !g_ascii_isalnum(count->at[n]);
}

/* Skips the text of an element that is not shown. */
static void body_skip_hidden(BodyCount *count, const char *end_tag)
{
	while (count->at < count->end && !tag_is(count, end_tag)) {
		size_t left = count->end - count->at;
		const uint8_t *next = left > 1 ? memchr(count->at + 1, '<', left - 1) : NULL;
		count->at = next ? next : count->end;
	}
}

static bool begins_tag(const BodyCount *count)
{
	return *count->at == '<' && count->end - count->at > 1 &&
	       (g_ascii_isalpha(count->at[1]) || memchr("/!?", count->at[1], 3));
}

static void body_skip_tag(BodyCount *count)
{
	static const char *const hidden[][2] = {
	        {"<style", "</style"}, {"<script", "</script"}, {"<title", "</title"}};
	if (count->end - count->at > 3 && memcmp(count->at, "<!--", 4) == 0) {
		body_skip_past(count, "-->");
		return;
	}
	for (size_t i = 0; i < G_N_ELEMENTS(hidden); i++)
		if (tag_is(count, hidden[i][0]))
			body_skip_hidden(count, hidden[i][1]);
	if (tag_is(count, "<blockquote"))
		count->quotes++;
	else if (tag_is(count, "</blockquote") && count->quotes > 0)
		count->quotes--;
	body_skip_past(count, ">");
}

size_t body_letters_html(const uint8_t *text, size_t size)
{
	BodyCount count = body_count(text, size);
	while (count.at < count.end) {
		if (*count.at <= ' ')
			count.at++;
		else if (begins_tag(&count))
			body_skip_tag(&count);
		else if (*count.at == '&')
			body_count_reference(&count);
		else
			body_count_word(&count, true);
	}
	return count.letters;
}
