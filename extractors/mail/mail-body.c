/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/mail/mail-body.h"
#include "common/base/text.h"
#include <string.h>

bool body_is_encrypted(const char *text)
{
	return g_str_has_prefix(text + strspn(text, " \t\r\n"), "-----BEGIN PGP MESSAGE-----");
}

typedef struct {
	const char *text;
	size_t length; /* without the line end */
	unsigned quotes; /* number of leading '>' */
	bool soft; /* a soft line break: the paragraph continues in the next line */
} MailLine;

static MailLine mail_parse_line(const char *at, size_t length, bool flowed)
{
	MailLine line = {at, length, 0, false};

	if (line.length > 0 && at[line.length - 1] == '\r')
		line.length--;
	if (!flowed)
		return line;
	while (line.length > 0 && *line.text == '>') {
		line.text++;
		line.length--;
		line.quotes++;
	}
	if (line.length > 0 && *line.text == ' ') {
		line.text++;
		line.length--;
	}
	line.soft = line.length > 0 && line.text[line.length - 1] == ' ' &&
	            !(line.length == 3 && memcmp(line.text, "-- ", 3) == 0);
	return line;
}

/* "-- " (RFC 3676, 4.3), or the line that mailing lists put above their footer. */
static bool is_footer_mark(const MailLine *line)
{
	enum { DRAWN = 20 };
	if (line->quotes == 0 && line->length == 3 && memcmp(line->text, "-- ", 3) == 0)
		return true;
	size_t drawn = 0;
	while (drawn < line->length && line->text[drawn] == '_')
		drawn++;
	return drawn >= DRAWN && drawn == line->length;
}

/* A longer rest is not a footer, whatever the line above it. */
static bool is_short(const char *at, const char *end)
{
	enum { FOOTER_LINES = 20 };
	for (unsigned lines = 0; lines <= FOOTER_LINES; lines++) {
		at = at < end ? memchr(at, '\n', end - at) : NULL;
		if (!at)
			return true;
		at++;
	}
	return false;
}

static bool mail_flush(Sink *sink, DocTag tag, GString *paragraph)
{
	bool more = paragraph->len == 0 ||
	            (sink_block(sink, tag) && sink_text(sink, tag, paragraph->str, paragraph->len));

	g_string_truncate(paragraph, 0);
	return more;
}

bool body_send(Sink *sink, const char *text, size_t length, bool flowed, bool delsp)
{
	g_autoptr(GString) paragraph = g_string_new(NULL);
	const char *end = text + length;
	MailLine last = {NULL};
	DocTag tag = TAG_BODY;

	for (const char *at = text, *eol; at < end; at = eol + 1) {
		eol = memchr(at, '\n', end - at);
		eol = eol ? eol : end;
		MailLine line = mail_parse_line(at, eol - at, flowed);
		if (tag == TAG_BODY && is_footer_mark(&line) && is_short(eol, end)) {
			if (!mail_flush(sink, tag, paragraph))
				return false;
			tag = TAG_NOISE;
		}
		if (text_is_blank(line.text, line.length) ||
		        (flowed && paragraph->len > 0 && line.quotes != last.quotes)) {
			if (!mail_flush(sink, tag, paragraph))
				return false;
		} else if (paragraph->len > 0 && !last.soft) {
			g_string_append_c(paragraph, '\n');
		}
		if (!text_is_blank(line.text, line.length))
			g_string_append_len(
			        paragraph, line.text, line.length - (delsp && line.soft));
		last = line;
	}
	return mail_flush(sink, tag, paragraph);
}
