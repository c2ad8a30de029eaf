/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_warc.c - fuzzes records of the store of pages, packed and unpacked, and files of a store
 *
 * The input is read as a gzip member, as the text of a record, which is packed first, and as a body
 * with its true length and digest. A record that was read must come back when it is written again.
 * As the file of a store it is opened, read at the places that are found and at one that is not,
 * and appended to. */
#include <config.h>
#include "common/warc/warc-store.h"
#include "tests/fuzz/fuzz.h"
#include <glib/gstdio.h>
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

/* ---- a store */

typedef struct {
	const char *dir;
	WarcPlace last;
	char *uri;
} FoundRecord;

static void note_record(const WarcPlace *place, const WarcContent *content, void *data)
{
	FoundRecord *found = data;
	g_autoptr(GError) error = NULL;
	g_autoptr(WarcContent) again =
	        warc_store_read(found->dir, place, content->uri, 4 * MOST, &error);
	if (g_bytes_get_size(content->body) < MOST) {
		g_assert_no_error(error);
		check_equal(content, again);
	}
	g_assert_null(warc_store_read(found->dir, place, "http://other.example/", MOST, NULL));
	found->last = *place;
	g_free(found->uri);
	found->uri = g_strdup(content->uri);
}

/* With any bytes in the files, a record can be added and read. */
static void use_store(WarcStore *store, const FoundRecord *found)
{
	const WarcDraft draft = {.type = WARC_RESOURCE,
	        .uri = "http://pages.example/",
	        .media_type = "text/plain",
	        .body = (const uint8_t *)"x",
	        .body_length = 1};
	g_autoptr(GError) error = NULL;
	WarcPlace place, moved;
	uint64_t bytes;
	int64_t begun_s;
	for (uint32_t file = 1; file <= warc_store_last_file(store); file++)
		warc_store_file_info(store, file, &bytes, &begun_s);
	bool ok = warc_store_append(store, &draft, &place, NULL, &error);
	g_assert_no_error(error);
	g_assert_true(ok);
	g_autoptr(WarcContent) content =
	        warc_store_read(found->dir, &place, draft.uri, MOST, &error);
	g_assert_no_error(error);
	if (!found->uri || !warc_store_move(store, &found->last, found->uri, &moved, NULL))
		return;
	g_autoptr(WarcContent) copy =
	        warc_store_read(found->dir, &moved, found->uri, 80 * MOST, &error);
	g_assert_no_error(error);
}

static void remove_store(const char *path)
{
	g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
	for (const char *name; dir && (name = g_dir_read_name(dir));) {
		g_autofree char *file = g_build_filename(path, name, NULL);
		g_unlink(file);
	}
	g_rmdir(path);
}

static void try_store(const uint8_t *data, size_t size)
{
	g_autofree char *dir = g_dir_make_tmp("fuzz-warc-XXXXXX", NULL);
	g_autofree char *file = g_build_filename(dir, "00000001.warc.gz", NULL);
	FoundRecord found = {.dir = dir};
	const WarcPlace nowhere = {0}, known = {1, size > 0 ? data[0] : 0, size > 1 ? data[1] : 0};
	if (!g_file_set_contents(file, (const char *)data, (gssize)size, NULL))
		return;
	g_autoptr(WarcStore) store =
	        warc_store_open(dir, "fuzz", &nowhere, note_record, &found, NULL);
	g_assert_nonnull(store);
	use_store(store, &found);
	g_autoptr(WarcStore) again = warc_store_open(dir, "fuzz", &known, NULL, NULL, NULL);
	g_assert_nonnull(again);
	g_free(found.uri);
	remove_store(dir);
}

/* A store whose file has been damaged in one place, by the input. */
static void try_damaged_store(
        const uint8_t *member, size_t length, const uint8_t *data, size_t size)
{
	g_autofree uint8_t *twice = g_malloc(2 * length);
	memcpy(twice, member, length);
	memcpy(twice + length, member, length);
	if (size > 1)
		twice[(data[0] * 257u + data[1]) % (2 * length)] ^= data[size - 1];
	try_store(twice, 2 * length);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size > MOST)
		return 0;
	g_autoptr(GByteArray) member = as_member(data, size);
	try_member(data, size);
	try_member(member->data, member->len);
	try_body(data, size);
	try_store(data, size);
	try_store(member->data, member->len);
	try_damaged_store(member->data, member->len, data, size);
	return 0;
}
