/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/warc/warc-record.h"
#include <string.h>
#include <zlib.h>

#define REVISIT_PROFILE "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
enum { DIGEST_TEXT = 57 /* 32 bytes in base32 with its padding, and NUL */ };

static const struct {
	const char *name, *content_type; /* of the block; NULL: the record's own */
} types[N_WARC_TYPES] = {
        {"warcinfo", "application/warc-fields"},
        {"response", "application/http;msgtype=response"},
        {"resource", NULL},
        {"revisit", "application/http;msgtype=response"},
};

G_DEFINE_QUARK(tarsier - warc - error, warc_error)

static bool warc_invalid(GError **error, const char *what)
{
	g_set_error(error, WARC_ERROR, WARC_ERROR_INVALID, "a record cannot be archived: %s", what);
	return false;
}

static void warc_damaged(GError **error, const char *what)
{
	g_set_error(error, WARC_ERROR, WARC_ERROR_DAMAGED, "an archived page is damaged: %s", what);
}

/* Base32 (RFC 4648), as web archives write digests. */
static void digest_write(char text[DIGEST_TEXT], const uint8_t digest[WARC_DIGEST_BYTES])
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
	unsigned bits = 0, held = 0, used = 0;
	for (unsigned i = 0; i < WARC_DIGEST_BYTES; i++) {
		bits = bits << 8 | digest[i];
		for (held += 8; held >= 5; held -= 5)
			text[used++] = letters[bits >> (held - 5) & 31];
	}
	if (held > 0)
		text[used++] = letters[bits << (5 - held) & 31];
	while (used < DIGEST_TEXT - 1)
		text[used++] = '=';
	text[used] = '\0';
}

static void digest_compute(uint8_t digest[WARC_DIGEST_BYTES], const uint8_t *body, size_t length)
{
	g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
	g_checksum_update(sum, body, length);
	gsize size = WARC_DIGEST_BYTES;
	g_checksum_get_digest(sum, digest, &size);
}

static void append_date(GString *out, const char *name, int64_t seconds)
{
	g_autoptr(GDateTime) date = g_date_time_new_from_unix_utc(seconds);
	if (!date)
		date = g_date_time_new_from_unix_utc(0);
	g_autofree char *text = g_date_time_format(date, "%Y-%m-%dT%H:%M:%SZ");
	g_string_append_printf(out, "%s: %s\r\n", name, text);
}

static bool is_uri(const char *uri)
{
	size_t length = strlen(uri);
	for (size_t i = 0; i < length; i++)
		if (uri[i] <= ' ' || uri[i] >= 0x7f || uri[i] == '<' || uri[i] == '>')
			return false;
	return length > 0 && length <= WARC_MAX_URI_BYTES;
}

static bool is_header_value(const char *text)
{
	for (const char *p = text; *p; p++)
		if ((unsigned char)*p < ' ' || *p == 0x7f)
			return false;
	return *text && strlen(text) <= 256;
}

static bool header_is(const char *line, size_t length, const char *name)
{
	size_t n = strlen(name);
	return length > n && line[n] == ':' && g_ascii_strncasecmp(line, name, n) == 0;
}

/* Copies the server's lines up to the first empty one, so that the body begins where it seems to.
 */
static void append_head(GString *out, const WarcDraft *record)
{
	const char *end = record->head + record->head_length;
	for (const char *line = record->head; line < end;) {
		const char *next = memchr(line, '\n', end - line);
		size_t length = (next ? next : end) - line;
		while (length > 0 && (line[length - 1] == '\r' || line[length - 1] == '\n'))
			length--;
		if (length == 0)
			break;
		if (header_is(line, length, "Content-Encoding") ||
		        header_is(line, length, "Transfer-Encoding") ||
		        header_is(line, length, "Content-Length"))
			g_string_append(out, "X-Archive-Orig-");
		for (size_t i = 0; i < length; i++)
			g_string_append_c(out, line[i] == '\r' || !line[i] ? ' ' : line[i]);
		g_string_append(out, "\r\n");
		line = next ? next + 1 : end;
	}
	if (record->type == WARC_RESPONSE)
		g_string_append_printf(out, "Content-Length: %zu\r\n", record->body_length);
	g_string_append(out, "\r\n");
}

static bool has_head(WarcType type)
{
	return type == WARC_RESPONSE || type == WARC_REVISIT;
}

static bool record_check(const WarcDraft *record, GError **error)
{
	if (record->type >= N_WARC_TYPES)
		return warc_invalid(error, "unknown type");
	if (record->type == WARC_INFO ? record->uri != NULL : !record->uri || !is_uri(record->uri))
		return warc_invalid(error, "bad address");
	if (has_head(record->type) &&
	        (record->head_length < 5 || record->head_length > WARC_MAX_SERVER_BYTES ||
	                memcmp(record->head, "HTTP/", 5) != 0))
		return warc_invalid(error, "bad headers");
	if (record->type == WARC_RESOURCE &&
	        (!record->media_type || !is_header_value(record->media_type)))
		return warc_invalid(error, "bad type");
	if (record->type == WARC_REVISIT && (!record->digest || record->body_length > 0))
		return warc_invalid(error, "a page that has not changed, with a body");
	if (record->body_length > WARC_MAX_BODY_BYTES)
		return warc_invalid(error, "too large");
	return true;
}

/* Appends everything before the body: the headers of WARC and those of the server. */
static void append_front(GString *out, const WarcDraft *record, const uint8_t *digest)
{
	g_autoptr(GString) head = g_string_new(NULL);
	if (has_head(record->type))
		append_head(head, record);
	g_autofree char *uuid = g_uuid_string_random();
	char sum[DIGEST_TEXT];
	digest_write(sum, digest);

	g_string_append_printf(out,
	        "WARC/1.1\r\n"
	        "WARC-Type: %s\r\n"
	        "WARC-Record-ID: <urn:uuid:%s>\r\n",
	        types[record->type].name, uuid);
	append_date(out, "WARC-Date", record->date);
	if (record->uri)
		g_string_append_printf(out, "WARC-Target-URI: %s\r\n", record->uri);
	if (record->type == WARC_REVISIT) {
		g_string_append_printf(out,
		        "WARC-Profile: " REVISIT_PROFILE "\r\n"
		        "WARC-Refers-To-Target-URI: %s\r\n",
		        record->uri);
		append_date(out, "WARC-Refers-To-Date", record->former_date);
	}
	if (record->type != WARC_INFO)
		g_string_append_printf(out, "WARC-Payload-Digest: sha256:%s\r\n", sum);
	g_string_append_printf(out,
	        "Content-Type: %s\r\n"
	        "Content-Length: %zu\r\n\r\n",
	        types[record->type].content_type ? types[record->type].content_type
	                                         : record->media_type,
	        head->len + record->body_length);
	g_string_append_len(out, head->str, head->len);
}

/* Compresses bytes and appends what comes out; flush: Z_FINISH with the last ones. */
static bool deflate_bytes(
        z_stream *stream, const void *bytes, size_t length, int flush, GByteArray *out)
{
	uint8_t buffer[16 << 10];
	stream->next_in = (Bytef *)bytes;
	stream->avail_in = length;
	int result;
	do {
		stream->next_out = buffer;
		stream->avail_out = sizeof buffer;
		result = deflate(stream, flush);
		if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR)
			return false;
		g_byte_array_append(out, buffer, sizeof buffer - stream->avail_out);
	} while (stream->avail_out == 0);
	return flush != Z_FINISH || result == Z_STREAM_END;
}

enum { GZIP_WINDOW = 15 + 16 };

static bool pack_parts(const GString *front, const WarcDraft *record, GByteArray *out)
{
	z_stream stream = {0};
	if (deflateInit2(&stream, 6, Z_DEFLATED, GZIP_WINDOW, 8, Z_DEFAULT_STRATEGY) != Z_OK)
		return false;
	bool good = deflate_bytes(&stream, front->str, front->len, Z_NO_FLUSH, out) &&
	            deflate_bytes(&stream, record->body, record->body_length, Z_NO_FLUSH, out) &&
	            deflate_bytes(&stream, "\r\n\r\n", 4, Z_FINISH, out);
	deflateEnd(&stream);
	return good;
}

/* Unpacks the first gzip member into text. *used_r: its bytes. */
static bool inflate_member(
        const uint8_t *bytes, size_t length, size_t max_bytes, GByteArray *text, size_t *used_r)
{
	uint8_t buffer[16 << 10];
	z_stream stream = {.next_in = (Bytef *)bytes, .avail_in = MIN(length, (size_t)G_MAXUINT)};
	if (inflateInit2(&stream, GZIP_WINDOW) != Z_OK)
		return false;
	int result;
	do {
		stream.next_out = buffer;
		stream.avail_out = sizeof buffer;
		result = inflate(&stream, Z_NO_FLUSH);
		size_t made = sizeof buffer - stream.avail_out;
		if ((result != Z_OK && result != Z_STREAM_END) || made > max_bytes - text->len)
			break;
		g_byte_array_append(text, buffer, made);
	} while (result == Z_OK);
	*used_r = stream.total_in;
	inflateEnd(&stream);
	return result == Z_STREAM_END;
}

bool warc_record_pack(const WarcDraft *record, GByteArray *out, uint8_t *digest_r, GError **error)
{
	if (!record_check(record, error))
		return false;
	uint8_t digest[WARC_DIGEST_BYTES];
	if (record->digest)
		memcpy(digest, record->digest, sizeof digest);
	else
		digest_compute(digest, record->body, record->body_length);
	g_autoptr(GString) front = g_string_new(NULL);
	append_front(front, record, digest);

	guint before = out->len;
	if (!pack_parts(front, record, out)) {
		g_byte_array_set_size(out, before);
		return warc_invalid(error, "it cannot be compressed");
	}
	if (digest_r)
		memcpy(digest_r, digest, sizeof digest);
	return true;
}

void warc_content_free(WarcContent *content)
{
	if (!content)
		return;
	g_free(content->uri);
	g_free(content->head);
	g_free(content->media_type);
	g_clear_pointer(&content->body, g_bytes_unref);
	g_free(content);
}

/* Returns the bytes after the empty line that ends a block of headers, or NULL. */
static const char *warc_headers_end(const char *text, size_t length)
{
	const char *end = memmem(text, MIN(length, (size_t)WARC_MAX_HEAD_BYTES), "\r\n\r\n", 4);
	return end ? end + 4 : NULL;
}

/* Returns the value of the first header of this name between start and end; NULL: none. The caller
 * owns it. */
static char *header_value(const char *start, const char *end, const char *name)
{
	for (const char *line = start; line < end;) {
		const char *next = memmem(line, end - line, "\r\n", 2);
		size_t length = (next ? next : end) - line;
		if (header_is(line, length, name)) {
			size_t skip = strlen(name) + 1;
			char *value = g_strndup(line + skip, length - skip);
			return g_strstrip(value);
		}
		line = next ? next + 2 : end;
	}
	return NULL;
}

static bool read_type(const char *start, const char *end, WarcType *type_r)
{
	g_autofree char *name = header_value(start, end, "WARC-Type");
	for (unsigned i = 0; name && i < N_WARC_TYPES; i++)
		if (strcmp(name, types[i].name) == 0) {
			*type_r = i;
			return true;
		}
	return false;
}

static bool read_date(const char *start, const char *end, int64_t *date_r)
{
	g_autofree char *text = header_value(start, end, "WARC-Date");
	g_autoptr(GDateTime) date = text ? g_date_time_new_from_iso8601(text, NULL) : NULL;
	if (date)
		*date_r = g_date_time_to_unix(date);
	return date != NULL;
}

/* Is the whole record as long as it says, with the end that the standard demands? */
static bool read_length(const char *start, const char *block, const char *end)
{
	g_autofree char *text = header_value(start, block, "Content-Length");
	guint64 length;
	return text && g_ascii_string_to_unsigned(text, 10, 0, G_MAXINT64, &length, NULL) &&
	       (size_t)(end - block) == length + 4 && memcmp(end - 4, "\r\n\r\n", 4) == 0;
}

static bool digest_matches(
        const char *start, const char *block, const uint8_t *body, size_t body_length)
{
	g_autofree char *text = header_value(start, block, "WARC-Payload-Digest");
	uint8_t digest[WARC_DIGEST_BYTES];
	char sum[DIGEST_TEXT];
	digest_compute(digest, body, body_length);
	digest_write(sum, digest);
	return text && g_str_has_prefix(text, "sha256:") && strcmp(text + 7, sum) == 0;
}

static WarcContent *content_parse(const char *text, size_t length)
{
	static const char magic[] = "WARC/1.1\r\n";
	const char *end = text + length, *block = warc_headers_end(text, length);
	g_autoptr(WarcContent) content = g_new0(WarcContent, 1);
	if (!block || !g_str_has_prefix(text, magic) || !read_type(text, block, &content->type) ||
	        !read_date(text, block, &content->date) || !read_length(text, block, end))
		return NULL;
	content->uri = header_value(text, block, "WARC-Target-URI");
	if (content->type == WARC_INFO ? content->uri != NULL
	                               : !content->uri || !is_uri(content->uri))
		return NULL;
	const char *body =
	        has_head(content->type) ? warc_headers_end(block, end - 4 - block) : block;
	if (!body)
		return NULL;
	size_t body_length = end - 4 - body;
	if (content->type != WARC_INFO && content->type != WARC_REVISIT &&
	        !digest_matches(text, block, (const uint8_t *)body, body_length))
		return NULL;
	bool has_own_head = body != block;
	content->head = g_strndup(block, has_own_head ? body - block - 2 : 0);
	content->media_type = has_own_head ? header_value(block, body, "Content-Type")
	                                   : header_value(text, block, "Content-Type");
	content->body = g_bytes_new(body, body_length);
	return g_steal_pointer(&content);
}

WarcContent *warc_record_unpack_first(
        const uint8_t *bytes, size_t length, size_t max_bytes, size_t *used_r, GError **error)
{
	g_autoptr(GByteArray) text = g_byte_array_new();
	if (!inflate_member(bytes, length, max_bytes, text, used_r)) {
		warc_damaged(error, "it does not unpack");
		return NULL;
	}
	g_byte_array_append(text, (const uint8_t *)"", 1);
	WarcContent *content = content_parse((const char *)text->data, text->len - 1);
	if (!content)
		warc_damaged(error, "its headers contradict it");
	return content;
}

WarcContent *warc_record_unpack(
        const uint8_t *member, size_t length, size_t max_bytes, GError **error)
{
	size_t used = 0;
	g_autoptr(WarcContent) content =
	        warc_record_unpack_first(member, length, max_bytes, &used, error);
	if (content && used != length) {
		warc_damaged(error, "it is longer than its place");
		return NULL;
	}
	return g_steal_pointer(&content);
}
