/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/archive/warc.h"
#include "extractors/archive/archive-format.h"
#include "common/base/time-ns.h"
#include <archive_entry.h>
#include <string.h>

enum { MAX_HEADER = 64 << 10, PIECE = 64 << 10, MAX_LINES = 200 };

typedef struct {
	Sink *sink;
	size_t cap;
	struct archive *archive; /* source of more bytes; NULL: all bytes are there */
	GByteArray *buffer; /* bytes that were read from archive */
	const uint8_t *at, *end;
	bool full; /* the sink wants nothing more */
} Warc;

typedef struct {
	char *type, *address, *date;
	uint64_t length;
} WarcRecord;

static void record_clear(WarcRecord *record)
{
	g_free(record->type);
	g_free(record->address);
	g_free(record->date);
}

bool warc_is(const Input *in)
{
	if (in->size >= 5 && memcmp(in->data, "WARC/", 5) == 0)
		return true;
	g_autofree char *name = g_ascii_strdown(in->name, -1);
	return strstr(name, ".warc.") && !g_str_has_suffix(in->mime, "warc");
}

/* Reads more bytes and appends them. False: there are none. */
static bool warc_fill(Warc *warc)
{
	const void *block;
	size_t size;
	la_int64_t offset;

	if (!warc->archive ||
	        archive_read_data_block(warc->archive, &block, &size, &offset) != ARCHIVE_OK)
		return false;
	size_t used = warc->at ? warc->at - warc->buffer->data : 0;
	if (used > 0)
		g_byte_array_remove_range(warc->buffer, 0, used);
	g_byte_array_append(warc->buffer, block, size);
	warc->at = warc->buffer->data;
	warc->end = warc->at + warc->buffer->len;
	warc->full = !sink_unpacked(warc->sink, size);
	return !warc->full;
}

/* True if that many bytes are there. */
static bool warc_have(Warc *warc, size_t wanted)
{
	while ((size_t)(warc->end - warc->at) < wanted)
		if (!warc_fill(warc))
			return false;
	return true;
}

static void warc_skip(Warc *warc, uint64_t length)
{
	while (length > 0) {
		warc_have(warc, MIN(length, (uint64_t)PIECE));
		size_t step = MIN(length, (uint64_t)(warc->end - warc->at));
		if (step == 0)
			return;
		warc->at += step;
		length -= step;
	}
}

/* Returns the place after the empty line that ends the headers; NULL: there is none. */
static const uint8_t *headers_end(const uint8_t *at, size_t size)
{
	const uint8_t *end = memmem(at, size, "\r\n\r\n", 4);
	if (end)
		return end + 4;
	end = memmem(at, size, "\n\n", 2);
	return end ? end + 2 : NULL;
}

/* Returns the value of a header, or NULL if it is missing. The caller owns it. */
static char *warc_header(char **lines, const char *name)
{
	size_t length = strlen(name);
	for (char **line = lines; *line; line++)
		if (g_ascii_strncasecmp(*line, name, length) == 0 && (*line)[length] == ':')
			return g_strstrip(g_strdup(*line + length + 1));
	return NULL;
}

static char **lines_of(const uint8_t *from, const uint8_t *to)
{
	g_autofree char *text = g_strndup((const char *)from, to - from);
	return g_strsplit(text, "\n", MAX_LINES);
}

/* Returns the address without brackets and scheme: "<http://example.org/page.html>". */
static char *address_of(char **lines)
{
	char *address = warc_header(lines, "WARC-Target-URI");
	if (!address)
		return NULL;
	size_t length = strlen(address);
	if (*address == '<' && address[length - 1] == '>') {
		address[length - 1] = '\0';
		memmove(address, address + 1, length - 1);
	}
	const char *host = strstr(address, "://");
	if (host)
		memmove(address, host + 3, strlen(host + 3) + 1);
	return address;
}

/* False: this is the end. */
static bool skip_empty_lines(Warc *warc)
{
	while (warc_have(warc, 1) && (*warc->at == '\r' || *warc->at == '\n'))
		warc->at++;
	return warc->at < warc->end;
}

/* False: no record begins here. */
static bool warc_read_record(Warc *warc, WarcRecord *record)
{
	const uint8_t *end = NULL;
	for (size_t look = PIECE / 16; !end && look <= MAX_HEADER; look *= 2) {
		warc_have(warc, look);
		end = headers_end(warc->at, MIN((size_t)(warc->end - warc->at), look));
	}
	if (!end || end - warc->at < 5 || memcmp(warc->at, "WARC/", 5) != 0)
		return false;
	g_auto(GStrv) lines = lines_of(warc->at, end);
	g_autofree char *length = warc_header(lines, "Content-Length");
	warc->at = end;
	record->type = warc_header(lines, "WARC-Type");
	record->address = address_of(lines);
	record->date = warc_header(lines, "WARC-Date");
	guint64 number;
	if (!length || !g_ascii_string_to_unsigned(length, 10, 0, G_MAXINT64, &number, NULL))
		return false;
	record->length = number;
	return true;
}

/* Joins the chunks of a response body (RFC 9112, 7.1). The caller owns the result. */
static GByteArray *without_chunks(const uint8_t *at, const uint8_t *end)
{
	GByteArray *body = g_byte_array_new();
	const uint8_t *eol;
	while (at < end && (eol = memchr(at, '\n', end - at)) != NULL) {
		g_autofree char *line = g_strndup((const char *)at, eol - at);
		guint64 size = g_ascii_strtoull(line, NULL, 16);
		at = eol + 1;
		if (size == 0)
			break;
		size = MIN(size, (guint64)(end - at));
		g_byte_array_append(body, at, size);
		at += size;
		if (end - at >= 2 && memcmp(at, "\r\n", 2) == 0)
			at += 2;
	}
	return body;
}

static void warc_send(Warc *warc, SinkMember *member)
{
	if (!sink_member(warc->sink, member))
		warc->full = true;
}

/* Sends the answer of a server without its headers. */
static void send_response(Warc *warc, SinkMember *member)
{
	const uint8_t *end = member->data + member->size;
	const uint8_t *body = headers_end(member->data, member->size);
	if (member->size < 5 || memcmp(member->data, "HTTP/", 5) != 0 || !body) {
		warc_send(warc, member);
		return;
	}
	g_auto(GStrv) lines = lines_of(member->data, body);
	g_autofree char *mime = warc_header(lines, "Content-Type");
	g_autofree char *coding = warc_header(lines, "Transfer-Encoding");
	g_autoptr(GByteArray) whole = NULL;
	if (coding && g_ascii_strcasecmp(coding, "chunked") == 0)
		whole = without_chunks(body, end);
	member->data = !whole ? body : whole->data ? whole->data : (const uint8_t *)"";
	member->size = whole ? whole->len : (size_t)(end - body);
	if (mime)
		mime[strcspn(mime, "; \t")] = '\0';
	member->mime = mime && *mime ? mime : NULL;
	warc_send(warc, member);
}

static int64_t time_of(const char *date)
{
	g_autoptr(GTimeZone) utc = g_time_zone_new_utc();
	g_autoptr(GDateTime) time = date ? g_date_time_new_from_iso8601(date, utc) : NULL;
	int64_t seconds = time ? g_date_time_to_unix(time) : 0;
	return seconds > 0 ? time_ns(seconds, 0) : 0;
}

/* False: the record is truncated. */
static bool send_record(Warc *warc, const WarcRecord *record)
{
	SinkMember member = {
	        .name = record->address, .size = record->length, .mtime_ns = time_of(record->date)};
	if (record->length > warc->cap) {
		member.reason = REASON_LIMIT_UNPACKED;
		warc_send(warc, &member);
		warc_skip(warc, record->length);
		return true;
	}
	bool whole = warc_have(warc, record->length);
	if (!warc->archive && !sink_unpacked(warc->sink, record->length))
		warc->full = true;
	size_t there = MIN(record->length, (uint64_t)(warc->end - warc->at));
	member.data = there > 0 ? warc->at : (const uint8_t *)"";
	member.size = there;
	if (!warc->full)
		send_response(warc, &member);
	warc->at += there;
	return whole;
}

static bool warc_is_wanted(const WarcRecord *record)
{
	static const char *const types[] = {"response", "resource", "conversion", NULL};
	return record->type && record->address && *record->address &&
	       g_strv_contains(types, record->type);
}

static ExtractResult warc_read_records(Warc *warc)
{
	unsigned records = 0;
	bool whole = true;
	while (!warc->full && whole && skip_empty_lines(warc)) {
		WarcRecord record = {NULL};
		whole = warc_read_record(warc, &record);
		if (whole && warc_is_wanted(&record))
			whole = send_record(warc, &record);
		else if (whole)
			warc_skip(warc, record.length);
		records += whole;
		record_clear(&record);
	}
	if (!whole && !warc->full)
		sink_truncated(warc->sink, REASON_DAMAGED, NULL);
	return records > 0 || !whole ? EXTRACT_DONE : EXTRACT_NOTHING;
}

ExtractResult warc_extract(const Input *in, Sink *sink, size_t cap)
{
	Warc warc = {.sink = sink, .cap = cap, .at = in->data, .end = in->data + in->size};
	if (memcmp(in->data, "WARC/", MIN(in->size, 5)) == 0)
		return warc_read_records(&warc);
	struct archive_entry *entry;
	warc.at = warc.end = NULL;
	warc.buffer = g_byte_array_new();
	warc.archive = format_raw_reader();
	ExtractResult result;
	if (archive_read_open_memory(warc.archive, in->data, in->size) < ARCHIVE_WARN ||
	        archive_read_next_header(warc.archive, &entry) < ARCHIVE_WARN)
		result = sink_fail(sink, REASON_DAMAGED, archive_error_string(warc.archive));
	else
		result = warc_read_records(&warc);
	archive_read_free(warc.archive);
	g_byte_array_unref(warc.buffer);
	return result;
}
