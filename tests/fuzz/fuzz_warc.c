/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_warc.c - fuzzes records of the store of pages, packed and unpacked
 *
 * The input is read as a gzip member, as the text of a record, which is packed first, and as a body
 * with its true length and digest. What was read must come back when it is written again. */
#include <config.h>
#include "common/warc/warc-record.h"
#include "tests/fuzz/fuzz.h"
#include <string.h>
#include <zlib.h>

const char *const fuzz_seeds[] = {"tests/fuzz/seeds/warc/*", NULL};

enum { MOST = 1 << 20 };

/* Returns the bytes as one gzip member. */
static GByteArray *as_member(const uint8_t *data, size_t size)
{
	enum { GZIP_WINDOW = 15 + 16, MEMORY_LEVEL = 8, EXTRA = 64 };
	GByteArray *out = g_byte_array_new();
	z_stream stream = {.next_in = (Bytef *)data, .avail_in = (uInt)size};
	int level = deflateInit2(
	        &stream, Z_BEST_SPEED, Z_DEFLATED, GZIP_WINDOW, MEMORY_LEVEL, Z_DEFAULT_STRATEGY);
	g_assert_cmpint(level, ==, Z_OK);
	g_byte_array_set_size(out, (guint)deflateBound(&stream, (uLong)size) + EXTRA);
	stream.next_out = out->data;
	stream.avail_out = out->len;
	g_assert_cmpint(deflate(&stream, Z_FINISH), ==, Z_STREAM_END);
	g_byte_array_set_size(out, (guint)stream.total_out);
	deflateEnd(&stream);
	return out;
}

static void check_equal(const WarcContent *content, const WarcContent *again)
{
	g_assert_cmpint(again->type, ==, content->type);
	g_assert_cmpint(again->date, ==, content->date);
	g_assert_cmpstr(again->uri, ==, content->uri);
	g_assert_true(g_bytes_equal(again->body, content->body));
}

/* A revisit record has the digest of another body, which is not told. */
static void check_written_again(const WarcContent *content)
{
	gsize length;
	const uint8_t *body = g_bytes_get_data(content->body, &length);
	const WarcDraft draft = {.type = content->type,
	        .uri = content->uri,
	        .date = content->date,
	        .head = content->head,
	        .head_length = strlen(content->head),
	        .media_type = content->media_type,
	        .body = body,
	        .body_length = length};
	g_autoptr(GByteArray) out = g_byte_array_new();
	g_autoptr(GError) error = NULL;
	if (content->type == WARC_REVISIT || !warc_record_pack(&draft, out, NULL, NULL))
		return;
	g_autoptr(WarcContent) again = warc_record_unpack(out->data, out->len, 4 * MOST, &error);
	g_assert_no_error(error);
	check_equal(content, again);
}

static void try_member(const uint8_t *data, size_t size)
{
	g_autoptr(GError) error = NULL;
	size_t used = 0;
	g_autoptr(WarcContent) content = warc_record_unpack_first(data, size, MOST, &used, &error);
	g_assert_true((content != NULL) != (error != NULL));
	g_assert_cmpuint(used, <=, size);
	g_autoptr(WarcContent) whole = warc_record_unpack(data, size, MOST, NULL);
	g_assert_true((whole != NULL) == (content && used == size));
	if (!content)
		return;
	g_assert_cmpuint(g_bytes_get_size(content->body), <=, MOST);
	g_assert_true((content->type == WARC_INFO) == (content->uri == NULL));
	g_assert_nonnull(content->head);
	check_written_again(content);
}

/* The input as a body, and its beginning as the headers of a server. */
static void try_body(const uint8_t *data, size_t size)
{
	g_autofree char *head = g_strndup(size > 0 ? (const char *)data : "", MIN(size, 512));
	const WarcDraft draft = {.type = size % 2 ? WARC_RESPONSE : WARC_RESOURCE,
	        .uri = "http://pages.example/",
	        .date = (int64_t)size,
	        .head = head,
	        .head_length = strlen(head),
	        .media_type = "text/html",
	        .body = data,
	        .body_length = size};
	g_autoptr(GByteArray) out = g_byte_array_new();
	g_autoptr(GError) error = NULL;
	if (!warc_record_pack(&draft, out, NULL, NULL))
		return;
	g_autoptr(WarcContent) content = warc_record_unpack(out->data, out->len, 4 * MOST, &error);
	g_assert_no_error(error);
	g_assert_cmpint(content->date, ==, draft.date);
	g_assert_true(size == 0 ||
	              (g_bytes_get_size(content->body) == size &&
	                      memcmp(g_bytes_get_data(content->body, NULL), data, size) == 0));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size > MOST)
		return 0;
	g_autoptr(GByteArray) member = as_member(data, size);
	try_member(data, size);
	try_member(member->data, member->len);
	try_body(data, size);
	return 0;
}
