/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mail.c - the plugin for messages (RFC 5322, MIME), saved web pages (MHTML) and mailboxes */
#include <config.h>
#include "extractors/shared/extractor.h"
#include "extractors/shared/keywords.h"
#include "extractors/mail/cms.h"
#include "extractors/mail/mail-header.h"
#include "extractors/mail/mbox.h"
#include "extractors/mail/mail-parts.h"
#include "common/base/time-ns.h"
#include <gmime/gmime.h>
#include <string.h>

enum { MAX_HEADERS = 10000 };

static const char *const mime_types[] = {"message/rfc822", "message/global", "message/news",
        "application/mbox", "multipart/related", "application/x-mimearchive",
        "application/pkcs7-mime", "application/x-pkcs7-mime", "application/pgp-encrypted",
        "text/x-uuencode", "message/x-emlx", NULL};

static char library[32]; /* set by mail_preload() */

static const char *mail_preload(void)
{
	static bool done;

	g_snprintf(library, sizeof(library), "GMime %u.%u.%u", gmime_major_version,
	        gmime_minor_version, gmime_micro_version);
	if (!done)
		g_mime_init();
	done = true;
	return NULL;
}

static void mail_send_text(Sink *sink, DocField field, const char *raw)
{
	g_autofree char *text = header_text(raw);
	sink_field(sink, field, text, -1);
}

static void send_addresses(Sink *sink, DocField field, const char *raw)
{
	g_auto(GStrv) addresses = header_addresses(raw);

	for (char **address = addresses; *address; address++)
		sink_field(sink, field, *address, -1);
}

static void send_date(Sink *sink, DocField field, const char *raw)
{
	g_autoptr(GDateTime) date = g_mime_utils_header_decode_date(raw);
	g_autoptr(GDateTime) utc = date ? g_date_time_to_utc(date) : NULL;
	g_autofree char *text = utc ? g_date_time_format(utc, "%Y-%m-%dT%H:%M:%SZ") : NULL;

	if (text)
		sink_field(sink, field, text, -1);
}

static void send_id(Sink *sink, DocField field, const char *raw)
{
	g_autofree char *text = header_text(raw);
	char *begin = text + strspn(text, " <");

	begin[strcspn(begin, "> ")] = '\0';
	sink_field(sink, field, begin, -1);
}

/* Each Message-ID becomes one word, whatever signs it has: a hash in letters that no word of a
 * language has in this order. */
static void send_thread_word(Sink *sink, const char *id, size_t length)
{
	enum { HASH_LETTERS = 16 };
	g_autofree char *hash =
	        g_compute_checksum_for_data(G_CHECKSUM_SHA256, (const guchar *)id, length);
	GString *word = g_string_new("zq");
	for (int i = 0; i < HASH_LETTERS; i++)
		g_string_append_c(word, 'a' + g_ascii_xdigit_value(hash[i]));
	sink_field(sink, FIELD_THREAD, word->str, word->len);
	g_string_free(word, TRUE);
}

/* The first reference is the beginning of the thread, the last ones are the nearest. */
static void send_thread(Sink *sink, DocField field, const char *raw)
{
	enum { MAX_IDS = 20 };
	g_autofree char *text = header_text(raw);
	g_auto(GStrv) parts = g_strsplit(text, "<", -1);
	guint n = g_strv_length(parts);
	for (guint i = 1; i < n; i++) {
		const char *id = parts[i];
		size_t length = strcspn(id, "> ");
		if (length > 0 && id[length] == '>' && (i == 1 || i + MAX_IDS > n))
			send_thread_word(sink, id, length);
	}
}

static void mail_send_topics(Sink *sink, DocField field, const char *raw)
{
	g_autofree char *text = header_text(raw);
	send_keywords(sink, text);
}

static void send_language(Sink *sink, DocField field, const char *raw)
{
	g_autofree char *text = g_ascii_strdown(raw, -1);
	char *begin = text + strspn(text, " \t");

	begin[strspn(begin, "abcdefghijklmnopqrstuvwxyz-")] = '\0';
	sink_field(sink, field, begin, -1);
}

static const struct {
	const char *name;
	DocField field;
	void (*send)(Sink *sink, DocField field, const char *raw);
} headers[] = {
        {"Subject", FIELD_TITLE, mail_send_text},
        {"From", FIELD_AUTHOR, send_addresses},
        /* comes first, because recipients may use up all places for facts */
        {"Date", FIELD_DATE, send_date},
        {"Message-ID", FIELD_MESSAGE_ID, send_id},
        {"Message-ID", FIELD_THREAD, send_thread},
        {"References", FIELD_THREAD, send_thread},
        {"In-Reply-To", FIELD_THREAD, send_thread},
        {"To", FIELD_TO, send_addresses},
        {"Newsgroups", FIELD_TO, send_addresses},
        {"Cc", FIELD_CC, send_addresses},
        {"Bcc", FIELD_CC, send_addresses},
        {"Keywords", FIELD_KEYWORD, mail_send_topics},
        {"Content-Language", FIELD_LANGUAGE, send_language},
        {"User-Agent", FIELD_GENERATOR, mail_send_text},
        {"X-Mailer", FIELD_GENERATOR, mail_send_text},
};

/* Sends every header of that name, because some programs repeat a header for more recipients.
 * Returns how many there are. */
static unsigned send_all(Sink *sink, GMimeHeaderList *list, size_t which)
{
	int count = MIN(g_mime_header_list_get_count(list), MAX_HEADERS);
	unsigned sent = 0;

	for (int i = 0; i < count; i++) {
		GMimeHeader *header = g_mime_header_list_get_header_at(list, i);
		const char *raw = g_mime_header_get_raw_value(header);
		if (!raw || g_ascii_strcasecmp(g_mime_header_get_name(header), headers[which].name))
			continue;
		headers[which].send(sink, headers[which].field, raw);
		sent++;
		if (headers[which].send != send_addresses &&
		        headers[which].send != mail_send_topics)
			break;
	}
	return sent;
}

static unsigned send_headers(Sink *sink, GMimeMessage *message, bool page)
{
	GMimeHeaderList *list = g_mime_object_get_header_list(GMIME_OBJECT(message));
	unsigned sent = 0;

	for (size_t i = 0; i < G_N_ELEMENTS(headers); i++)
		if (!page || headers[i].field != FIELD_AUTHOR)
			sent += send_all(sink, list, i);
	return sent;
}

/* Browsers name themselves as the sender of a page that they save: "<Saved by Blink>". */
static void send_browser(Sink *sink, GMimeMessage *message)
{
	const char *from = g_mime_object_get_header(GMIME_OBJECT(message), "From");
	const char *browser = from ? strstr(from, "Saved by ") : NULL;

	if (!browser)
		return;
	browser += strlen("Saved by ");
	sink_field(sink, FIELD_GENERATOR, browser, strcspn(browser, "<>\""));
}

/* The time of its Date header; 0 without a plausible one. */
static int64_t mail_time_ns(GMimeMessage *message)
{
	GDateTime *date = g_mime_message_get_date(message);
	int64_t seconds = date ? g_date_time_to_unix(date) : 0;
	return seconds > 0 ? time_ns(seconds, 0) : 0;
}

/* GMime reads the input in place: the stream and the array around it only borrow the bytes. */
static GMimeMessage *mail_parse(const uint8_t *data, size_t size, GByteArray *borrowed)
{
	borrowed->data = (guint8 *)data;
	borrowed->len = size;
	GMimeStream *stream = g_mime_stream_mem_new_with_byte_array(borrowed);
	g_mime_stream_mem_set_owner(GMIME_STREAM_MEM(stream), FALSE);
	GMimeParser *parser = g_mime_parser_new_with_stream(stream);
	GMimeMessage *message = g_mime_parser_construct_message(parser, NULL);
	g_object_unref(parser);
	g_object_unref(stream);
	return message;
}

static bool is_header(const uint8_t *line, const uint8_t *end)
{
	const uint8_t *at = line;
	while (at<end && * at> ' ' && *at != ':')
		at++;
	while (at < end && (*at == ' ' || *at == '\t'))
		at++;
	return at > line && at < end && *at == ':';
}

/* If the empty line before the text is missing, GMime takes the whole text for headers. The text
 * then begins with the first line that is not a header. */
static void send_unseparated(Parts *parts, const Input *in)
{
	const uint8_t *line = in->data, *end = in->data + in->size;
	g_autoptr(GByteArray) bytes = g_byte_array_new();

	while (line < end && (*line == ' ' || *line == '\t' || is_header(line, end))) {
		const uint8_t *newline = memchr(line, '\n', end - line);
		line = newline ? newline + 1 : end;
	}
	if (line == end || *line == '\n' || *line == '\r')
		return;
	g_byte_array_append(bytes, line, end - line);
	parts_send_plain(parts, bytes, in->charset, (BodyForm){false, false});
}

static ExtractResult extract_message(const Input *in, Sink *sink)
{
	GByteArray borrowed;
	GMimeMessage *message = mail_parse(in->data, in->size, &borrowed);
	Parts parts;

	if (!message)
		return sink_fail(sink, REASON_DAMAGED, "not a message");
	bool page = in->mime && strcmp(in->mime, "application/x-mimearchive") == 0;
	unsigned sent = send_headers(sink, message, page);
	if (page)
		send_browser(sink, message);
	parts_init(&parts, sink, in->limits);
	parts.mtime_ns = mail_time_ns(message);
	if (g_mime_message_get_mime_part(message))
		parts_send(&parts, g_mime_message_get_mime_part(message));
	if (!page)
		parts_send_attachments(&parts);
	if (!memmem(in->data, in->size, "\n\n", 2) && !memmem(in->data, in->size, "\n\r\n", 3))
		send_unseparated(&parts, in);
	bool any = parts.any || sent > 0;
	parts_clear(&parts);
	g_object_unref(message);
	return any ? EXTRACT_DONE : EXTRACT_NOTHING;
}

static void mail_skip(Input *in, size_t bytes)
{
	in->data += bytes;
	in->size -= bytes;
}

/* Skips what may precede the headers: the separator of the mailbox that the message was taken from,
 * and a byte-order mark or empty lines from an editor. */
static Input without_separator(const Input *in)
{
	Input rest = *in;

	if (rest.size > 3 && memcmp(rest.data, "\xef\xbb\xbf", 3) == 0)
		mail_skip(&rest, 3);
	while (rest.size > 0 && (*rest.data == '\n' || *rest.data == '\r'))
		mail_skip(&rest, 1);
	const uint8_t *eol =
	        mbox_is(rest.data, rest.size) ? memchr(rest.data, '\n', rest.size) : NULL;
	if (eol)
		mail_skip(&rest, eol + 1 - rest.data);
	return rest;
}

/* Apple Mail: the first line is the length of the message. */
static Input without_length(const Input *in)
{
	Input message = *in;
	size_t length = 0;
	for (; message.size > 0 && g_ascii_isdigit(*message.data); message.data++, message.size--)
		length = MIN(length, in->size) * 10 + (*message.data - '0');
	while (message.size > 0 && (*message.data == ' ' || *message.data == '\n')) {
		message.size--;
		if (*message.data++ == '\n')
			break;
	}
	message.size = MIN(message.size, length);
	return message;
}

/* A signed file: "contract.pdf.p7m" has the member "contract.pdf". */
static ExtractResult extract_signed(const Input *in, Sink *sink)
{
	g_autoptr(GByteArray) content = NULL;
	CmsKind kind = cms_read(in->data, in->size, &content);
	if (kind == CMS_ENCRYPTED)
		return sink_fail(sink, REASON_ENCRYPTED, NULL);
	if (kind == CMS_NOTHING || !sink_unpacked(sink, content->len))
		return EXTRACT_NOTHING;
	const char *dot = strrchr(in->name, '.');
	g_autofree char *name =
	        dot && dot > in->name ? g_strndup(in->name, dot - in->name) : g_strdup("1");
	SinkMember member = {.name = name,
	        .data = content->data ? content->data : (const uint8_t *)"",
	        .size = content->len};
	sink_member(sink, &member);
	return EXTRACT_DONE;
}

/* A text with uuencoded files, without a mail around it. */
static ExtractResult extract_uuencoded(const Input *in, Sink *sink)
{
	g_autoptr(GByteArray) bytes = g_byte_array_new();
	Parts parts;
	if (in->size > G_MAXUINT)
		return sink_fail(sink, REASON_LIMIT_FILE, NULL);
	g_byte_array_append(bytes, in->data, in->size);
	parts_init(&parts, sink, in->limits);
	parts_send_plain(&parts, bytes, in->charset, (BodyForm){false, false});
	parts_clear(&parts);
	return EXTRACT_DONE;
}

static ExtractResult mail_extract(const Input *in, Sink *sink)
{
	if (in->mime && strcmp(in->mime, "text/x-uuencode") == 0)
		return extract_uuencoded(in, sink);
	if (in->mime && strcmp(in->mime, "application/pgp-encrypted") == 0)
		return sink_fail(sink, REASON_ENCRYPTED, NULL);
	if (in->mime && g_str_has_suffix(in->mime, "pkcs7-mime"))
		return extract_signed(in, sink);
	if (in->mime && strcmp(in->mime, "application/mbox") == 0 && mbox_is(in->data, in->size))
		return mbox_extract(in, sink);
	bool measured = in->mime && strcmp(in->mime, "message/x-emlx") == 0;
	Input message = measured ? without_length(in) : without_separator(in);
	if (message.size > G_MAXUINT)
		return sink_fail(sink, REASON_LIMIT_FILE, NULL);
	return extract_message(&message, sink);
}

const Extractor tarsier_extractor = {
        .abi = EXTRACTOR_ABI,
        .name = "mail",
        .version = 18,
        .library = library,
        .lane = LANE_CHEAP,
        .mime_types = mime_types,
        .preload = mail_preload,
        .extract = mail_extract,
};
