/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/sniff/sniff-mail.h"
#include <glib.h>
#include <stdbool.h>
#include <string.h>

enum { MAIL_LINES = 40, HEADERS_OF_A_MAIL = 3, MAIL_BYTES = 8 << 10 };

static const char *const mail_headers[] = {"arc-seal", "authentication-results", "bcc", "cc",
        "content-transfer-encoding", "content-type", "date", "delivered-to", "dkim-signature",
        "envelope-to", "from", "in-reply-to", "list-id", "message-id", "mime-version", "received",
        "references", "reply-to", "return-path", "sender", "subject", "to", "user-agent",
        "x-mailer", "x-original-to"};

static bool is_mail_header(const char *line, size_t length)
{
	const char *colon = memchr(line, ':', length);
	while (colon && colon > line && (colon[-1] == ' ' || colon[-1] == '\t'))
		colon--;
	for (size_t i = 0; colon && i < G_N_ELEMENTS(mail_headers); i++)
		if (strlen(mail_headers[i]) == (size_t)(colon - line) &&
		        g_ascii_strncasecmp(line, mail_headers[i], colon - line) == 0)
			return true;
	return false;
}

static bool is_header_name(const char *line, size_t length)
{
	size_t n = 0;
	while (n < length && line[n] > ' ' && line[n] != ':' && (uint8_t)line[n] < 0x7f)
		n++;
	bool named = n > 0;
	while (n < length && (line[n] == ' ' || line[n] == '\t')) /* RFC 5322, 4.5.8 */
		n++;
	return named && n < length && line[n] == ':';
}

/* A header that announces parts counts as much as three others. */
static unsigned sniff_worth(const char *line, size_t length)
{
	static const char parts[] = "content-type: multipart/";
	if (length >= sizeof parts && g_ascii_strncasecmp(line, parts, sizeof parts - 1) == 0)
		return HEADERS_OF_A_MAIL;
	return is_mail_header(line, length);
}

typedef struct {
	unsigned known; /* mail headers */
	bool addressed; /* has a recipient, or was on its way to one */
	bool saved; /* the sender is a browser that saved a page */
} SniffedHeaders;

static bool sniff_header_is(const char *line, size_t length, const char *start)
{
	size_t n = strlen(start);
	return length >= n && g_ascii_strncasecmp(line, start, n) == 0;
}

static void sniff_header(SniffedHeaders *headers, const char *line, size_t length)
{
	static const char *const of_mails[] = {"to:", "cc:", "bcc:", "received:", "message-id:",
	        "delivered-to:", "return-path:", "newsgroups:"};
	for (size_t i = 0; i < G_N_ELEMENTS(of_mails); i++)
		headers->addressed |= sniff_header_is(line, length, of_mails[i]);
	headers->saved |= sniff_header_is(line, length, "From: <Saved by ") ||
	                  sniff_header_is(line, length, "From: \"Saved by ") ||
	                  sniff_header_is(line, length, "From: Saved by ") ||
	                  sniff_header_is(line, length, "Snapshot-Content-Location:");
	headers->known += sniff_worth(line, length);
}

/* Reads the headers before the first line that is none (RFC 5322, 2.2). */
static SniffedHeaders sniff_headers(const char *text, size_t size)
{
	SniffedHeaders headers = {0};
	size_t at = 0, end = MIN(size, MAIL_BYTES);
	while (at < end && (text[at] == '\n' || text[at] == '\r'))
		at++;
	for (unsigned lines = 0; at < end && lines < MAIL_LINES; lines++) {
		const char *line = text + at, *newline = memchr(line, '\n', end - at);
		size_t length = newline ? (size_t)(newline - line) : end - at;
		bool folded = line[0] == ' ' || line[0] == '\t';
		if (length == 0 || line[0] == '\r' || (folded && lines == 0) ||
		        (!folded && !is_header_name(line, length)))
			break;
		sniff_header(&headers, line, length);
		at += length + 1;
	}
	return headers;
}

static bool is_mail(const char *text, size_t size, unsigned wanted)
{
	return sniff_headers(text, size).known >= wanted;
}

/* True for "From someone Thu Jan 1 10:00:00 2026" and then a mail (RFC 4155). */
static bool is_mbox(const char *text, size_t size)
{
	const char *newline = size > 5 && memcmp(text, "From ", 5) == 0
	                              ? memchr(text, '\n', MIN(size, 512))
	                              : NULL;
	return newline && is_mail(newline + 1, text + size - newline - 1, 1);
}

/* Apple Mail writes a line with the length of the mail, then the mail, then a property list. */
static bool is_emlx(const char *text, size_t size)
{
	size_t digits = 0, blanks = 0;
	while (digits < size && digits < 10 && g_ascii_isdigit(text[digits]))
		digits++;
	while (digits + blanks < size && text[digits + blanks] == ' ')
		blanks++;
	size_t at = digits + blanks;
	return digits > 0 && at < size && text[at] == '\n' &&
	       is_mail(text + at + 1, size - at - 1, 2);
}

static bool sniff_name_ends(const char *name, const char *const *endings)
{
	const char *dot = strrchr(name, '.');
	for (; dot && *endings; endings++)
		if (g_ascii_strcasecmp(dot, *endings) == 0)
			return true;
	return false;
}

/* True for a page that a browser or an office program saved with its pictures. Outlook gives its
 * mails the same names. */
static bool is_saved_page(const SniffedHeaders *headers, const char *name)
{
	static const char *const endings[] = {".mht", ".mhtml", NULL};
	return headers->saved || (!headers->addressed && sniff_name_ends(name, endings));
}

/* True for the names of messages in a Maildir ("1700000000.M1P2.host:2,S"), and for those that mail
 * programs use for saved mails. */
static bool names_mail(const char *name)
{
	static const char *const endings[] = {
	        ".eml", ".mbox", ".mbx", ".mht", ".mhtml", ".nws", NULL};
	return sniff_name_ends(name, endings) ||
	       (g_ascii_isdigit(*name) && strstr(name, ":2,") != NULL);
}

const char *sniff_mail_type(const uint8_t *data, size_t size, const char *name)
{
	if (is_mbox((const char *)data, size))
		return "application/mbox";
	if (is_emlx((const char *)data, size))
		return "message/x-emlx";
	SniffedHeaders headers = sniff_headers((const char *)data, size);
	if (headers.known < (names_mail(name) ? 1 : HEADERS_OF_A_MAIL))
		return NULL;
	return is_saved_page(&headers, name) ? "application/x-mimearchive" : "message/rfc822";
}
