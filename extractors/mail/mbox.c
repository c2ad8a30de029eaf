/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/mail/mbox.h"
#include <string.h>

bool mbox_is(const uint8_t *data, size_t size)
{
	return size > 5 && memcmp(data, "From ", 5) == 0;
}

static const uint8_t *skip_line(const uint8_t *at, const uint8_t *end)
{
	const uint8_t *eol = at < end ? memchr(at, '\n', end - at) : NULL;
	return eol ? eol + 1 : end;
}

/* Thunderbird writes "From " and nothing else before each message, since 2023. A header follows. */
static bool is_bare(const uint8_t *at, const uint8_t *end)
{
	const uint8_t *name = skip_line(at, end), *colon = name;
	while (colon < end && (g_ascii_isalnum(*colon) || *colon == '-'))
		colon++;
	for (at += strlen("From "); at < name; at++)
		if (!g_ascii_isspace(*at))
			return false;
	return colon > name && colon < end && *colon == ':';
}

/* A separator is "From sender date" after an empty line (RFC 4155). A text line that begins with
 * "From " rarely contains a time. */
static bool is_separator(const uint8_t *at, const uint8_t *end)
{
	const uint8_t *eol = memchr(at, '\n', MIN(end - at, 512));
	const uint8_t *colon = eol ? memchr(at, ':', eol - at) : NULL;

	return (colon && colon + 2 < eol && g_ascii_isdigit(colon[-1]) &&
	               g_ascii_isdigit(colon[1])) ||
	       is_bare(at, end);
}

/* Returns the next separator at the beginning of a line, at or after `at`; end if there is none. */
static const uint8_t *find_separator(const uint8_t *at, const uint8_t *end)
{
	while (at < end) {
		const uint8_t *found = memmem(at, end - at, "\nFrom ", 6);
		if (!found)
			return end;
		if (is_separator(found + 1, end))
			return found + 1;
		at = found + 1;
	}
	return end;
}

/* Thunderbird leaves a message that was deleted or moved away in its mailbox until that is
 * compacted, and marks it in a header of its own. Its headers come first: no sender can add one
 * there. */
static bool is_expunged(const uint8_t *at, const uint8_t *end)
{
	enum { EXPUNGED = 0x8 };
	static const char name[] = "X-Mozilla-Status:";
	const size_t length = strlen(name);
	for (; end - at > 2 && memcmp(at, "X-", 2) == 0; at = skip_line(at, end)) {
		if ((size_t)(end - at) < length || memcmp(at, name, length) != 0)
			continue;
		char value[8] = "";
		memcpy(value, at + length, MIN((size_t)(end - at) - length, sizeof(value) - 1));
		return g_ascii_strtoull(value, NULL, 16) & EXPUNGED;
	}
	return false;
}

ExtractResult mbox_extract(const Input *in, Sink *sink)
{
	const uint8_t *end = in->data + in->size, *at = in->data;
	unsigned number = 0;

	while (at < end) {
		const uint8_t *begin = skip_line(at, end);
		const uint8_t *next = begin > at ? find_separator(begin - 1, end) : end;
		char name[32];
		g_snprintf(name, sizeof(name), "%u.eml", ++number);
		SinkMember member = {.name = name,
		        .data = begin,
		        .size = next > begin ? (size_t)(next - begin) : 0,
		        .mime = "message/rfc822"};
		if (!is_expunged(begin, next) && !sink_member(sink, &member))
			break;
		at = next;
	}
	return number > 0 ? EXTRACT_DONE : EXTRACT_NOTHING;
}
