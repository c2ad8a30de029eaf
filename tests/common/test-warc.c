/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/warc/warc-store.h"
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PAGE "http://pages.example/one"
#define HEAD                                                                                       \
	"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n"                            \
	"Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n"
#define BODY "<p>A page.</p>"

static const WarcPlace nowhere = {0};

typedef struct {
	char *dir;
	GPtrArray *found; /* char *: "FILE:OFFSET uri body" */
} Fixture;

static void set_up(Fixture *f, gconstpointer unused)
{
	(void)unused;
	f->dir = g_dir_make_tmp("tarsier-warc-XXXXXX", NULL);
	g_assert_nonnull(f->dir);
	f->found = g_ptr_array_new_with_free_func(g_free);
}

static void tear_down(Fixture *f, gconstpointer unused)
{
	(void)unused;
	g_autoptr(GDir) dir = g_dir_open(f->dir, 0, NULL);
	for (const char *name; (name = g_dir_read_name(dir));) {
		g_autofree char *path = g_build_filename(f->dir, name, NULL);
		g_unlink(path);
	}
	g_rmdir(f->dir);
	g_free(f->dir);
	g_ptr_array_unref(f->found);
}

static void note(const WarcPlace *place, const WarcContent *content, void *data)
{
	Fixture *f = data;
	gsize length;
	const char *body = g_bytes_get_data(content->body, &length);
	g_ptr_array_add(f->found,
	        g_strdup_printf("%u %s %.*s", place->file, content->uri, (int)length, body));
}

static WarcStore *open_store(Fixture *f, const WarcPlace *known)
{
	g_autoptr(GError) error = NULL;
	g_ptr_array_set_size(f->found, 0);
	WarcStore *store = warc_store_open(f->dir, "Tarsier test", known, note, f, &error);
	g_assert_no_error(error);
	return store;
}

static WarcDraft response(const char *uri, const char *body, size_t length)
{
	return (WarcDraft){.type = WARC_RESPONSE,
	        .uri = uri,
	        .date = 1770000000,
	        .head = HEAD,
	        .head_length = strlen(HEAD),
	        .body = (const uint8_t *)body,
	        .body_length = length};
}

static WarcPlace append(WarcStore *store, const char *uri, const char *body)
{
	WarcPlace place;
	g_autoptr(GError) error = NULL;
	WarcDraft record = response(uri, body, strlen(body));
	warc_store_append(store, &record, &place, NULL, &error);
	g_assert_no_error(error);
	return place;
}

static void assert_page(Fixture *f, const WarcPlace *place, const char *uri, const char *body)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(WarcContent) content = warc_store_read(f->dir, place, uri, 1 << 20, &error);
	g_assert_no_error(error);
	g_assert_cmpint(content->type, ==, WARC_RESPONSE);
	g_assert_cmpint(content->date, ==, 1770000000);
	g_assert_cmpstr(content->media_type, ==, "text/html; charset=utf-8");
	gsize length;
	const void *bytes = g_bytes_get_data(content->body, &length);
	g_assert_cmpmem(bytes, length, body, strlen(body));
}

static void assert_unreadable(Fixture *f, const WarcPlace *place, const char *uri)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(WarcContent) content = warc_store_read(f->dir, place, uri, 1 << 20, &error);
	g_assert_null(content);
	g_assert_nonnull(error);
}

static void test_a_page_is_read_at_its_place(Fixture *f, gconstpointer unused)
{
	(void)unused;
	g_autoptr(WarcStore) store = open_store(f, &nowhere);
	WarcPlace first = append(store, PAGE, BODY);
	WarcPlace empty = append(store, "http://pages.example/empty", "");
	assert_page(f, &first, PAGE, BODY);
	assert_page(f, &empty, "http://pages.example/empty", "");
	g_assert_cmpuint(warc_store_file_bytes(store, 1), ==, empty.offset + empty.length);

	struct stat facts;
	g_autofree char *path = g_build_filename(f->dir, "00000001.warc.gz", NULL);
	g_assert_cmpint(stat(path, &facts), ==, 0);
	g_assert_cmpint(facts.st_mode & 0777, ==, 0600);
}

static void test_a_wrong_place_shows_nothing(Fixture *f, gconstpointer unused)
{
	(void)unused;
	g_autoptr(WarcStore) store = open_store(f, &nowhere);
	WarcPlace place = append(store, PAGE, BODY);
	assert_unreadable(f, &place, "http://pages.example/other");
	for (int shift = -1; shift <= 1; shift += 2) {
		WarcPlace wrong = place;
		wrong.offset += shift;
		assert_unreadable(f, &wrong, PAGE);
		wrong = place;
		wrong.length += shift;
		assert_unreadable(f, &wrong, PAGE);
	}
	assert_unreadable(f, &nowhere, PAGE);
	WarcPlace far = {1, G_MAXUINT32, 0}, absent = {7, 10, 0};
	assert_unreadable(f, &far, PAGE);
	assert_unreadable(f, &absent, PAGE);

	g_autoptr(GError) error = NULL;
	g_autoptr(WarcContent) small = warc_store_read(f->dir, &place, PAGE, 100, &error);
	g_assert_error(error, WARC_ERROR, WARC_ERROR_DAMAGED); /* more than max_bytes */
}

/* A changed record is not shown. Bits that mean nothing, in the header of gzip and in the padding
 * of its last byte, change nothing. */
static void test_no_changed_byte_goes_unnoticed(void)
{
	g_autoptr(GByteArray) bytes = g_byte_array_new();
	WarcDraft record = response(PAGE, BODY, strlen(BODY));
	g_assert_true(warc_record_pack(&record, bytes, NULL, NULL));
	unsigned shown = 0;
	for (guint bit = 0; bit < bytes->len * 8; bit++) {
		bytes->data[bit / 8] ^= 1 << bit % 8;
		g_autoptr(WarcContent) content =
		        warc_record_unpack(bytes->data, bytes->len, 1 << 20, NULL);
		bytes->data[bit / 8] ^= 1 << bit % 8;
		if (!content)
			continue;
		shown++;
		gsize length;
		const void *body = g_bytes_get_data(content->body, &length);
		g_assert_cmpmem(body, length, BODY, strlen(BODY));
		g_assert_cmpstr(content->uri, ==, PAGE);
	}
	g_assert_cmpuint(shown, <, 8 * 8);
	for (guint length = 0; length < bytes->len; length++)
		g_assert_null(warc_record_unpack(bytes->data, length, 1 << 20, NULL));
	g_autoptr(WarcContent) whole = warc_record_unpack(bytes->data, bytes->len, 1 << 20, NULL);
	g_assert_nonnull(whole);
}

static void test_headers_of_the_transfer_are_kept_aside(void)
{
	static const char head[] = "HTTP/1.1 200 OK\nContent-Length: 3\ncontent-encoding: br\r\n"
	                           "X: a\rb\r\n\r\nWARC/1.1 forged";
	WarcDraft record = response(PAGE, BODY, strlen(BODY));
	record.head = head;
	record.head_length = sizeof head - 1;
	g_autoptr(GByteArray) bytes = g_byte_array_new();
	g_assert_true(warc_record_pack(&record, bytes, NULL, NULL));
	g_autoptr(WarcContent) content = warc_record_unpack(bytes->data, bytes->len, 1 << 20, NULL);
	g_assert_cmpstr(content->head, ==,
	        "HTTP/1.1 200 OK\r\nX-Archive-Orig-Content-Length: 3\r\n"
	        "X-Archive-Orig-content-encoding: br\r\nX: a b\r\nContent-Length: 14\r\n");
}

static void test_what_breaks_the_format_is_refused(void)
{
	static const char *const addresses[] = {
	        "", "http://a b/", "http://a/\r\nX: y", "http://\xc3\xa4/"};
	WarcDraft good = response(PAGE, BODY, strlen(BODY));
	g_autoptr(GByteArray) bytes = g_byte_array_new();
	for (unsigned i = 0; i < G_N_ELEMENTS(addresses); i++) {
		WarcDraft record = good;
		record.uri = addresses[i];
		g_assert_false(warc_record_pack(&record, bytes, NULL, NULL));
	}
	WarcDraft headless = good, typeless = good, injected = good, changed = good, info = good;
	headless.head = "200 OK\r\n\r\n";
	headless.head_length = 10;
	g_assert_false(warc_record_pack(&headless, bytes, NULL, NULL));
	typeless.type = injected.type = WARC_RESOURCE;
	g_assert_false(warc_record_pack(&typeless, bytes, NULL, NULL));
	injected.media_type = "text/html\r\nWARC-Type: response";
	g_assert_false(warc_record_pack(&injected, bytes, NULL, NULL));
	changed.type = WARC_REVISIT;
	g_assert_false(warc_record_pack(&changed, bytes, NULL, NULL));
	info.type = WARC_INFO;
	g_assert_false(warc_record_pack(&info, bytes, NULL, NULL));
	g_assert_cmpuint(bytes->len, ==, 0);
}

static void test_a_revisit_names_the_page_before(Fixture *f, gconstpointer unused)
{
	(void)unused;
	g_autoptr(WarcStore) store = open_store(f, &nowhere);
	WarcPlace place;
	uint8_t digest[WARC_DIGEST_BYTES];
	WarcDraft record = response(PAGE, BODY, strlen(BODY));
	g_assert_true(warc_store_append(store, &record, &place, digest, NULL));
	WarcDraft again = {.type = WARC_REVISIT,
	        .uri = PAGE,
	        .date = 1770003600,
	        .head = "HTTP/1.1 304 Not Modified\r\nETag: \"x\"\r\n\r\n",
	        .head_length = 42,
	        .digest = digest,
	        .former_date = 1770000000};
	again.head_length = strlen(again.head);
	g_assert_true(warc_store_append(store, &again, &place, NULL, NULL));
	g_autoptr(WarcContent) content = warc_store_read(f->dir, &place, PAGE, 1 << 20, NULL);
	g_assert_cmpint(content->type, ==, WARC_REVISIT);
	g_assert_cmpint(content->date, ==, 1770003600);
	g_assert_cmpstr(content->head, ==, "HTTP/1.1 304 Not Modified\r\nETag: \"x\"\r\n");
	g_assert_cmpuint(g_bytes_get_size(content->body), ==, 0);
}

/* The end of a file as every possible cut of power leaves it. */
static void test_a_torn_end_is_cut(Fixture *f, gconstpointer unused)
{
	(void)unused;
	WarcStore *store = open_store(f, &nowhere);
	WarcPlace one = append(store, PAGE, BODY);
	WarcPlace two = append(store, "http://pages.example/two", "second");
	warc_store_close(store);
	g_autofree char *path = g_build_filename(f->dir, "00000001.warc.gz", NULL);
	g_autofree char *bytes = NULL;
	gsize length;
	g_assert_true(g_file_get_contents(path, &bytes, &length, NULL));
	for (gsize cut = two.offset; cut <= length; cut++) {
		g_assert_true(g_file_set_contents(path, bytes, cut, NULL));
		store = open_store(f, &one);
		g_assert_cmpuint(f->found->len, ==, cut == length);
		WarcPlace three = append(store, "http://pages.example/three", "third");
		g_assert_cmpuint(three.offset, ==, cut == length ? length : two.offset);
		warc_store_close(store);
		assert_page(f, &one, PAGE, BODY);
		assert_page(f, &three, "http://pages.example/three", "third");
	}
	for (gsize cut = 0; cut < one.offset; cut++) { /* not even "warcinfo" is whole */
		g_assert_true(g_file_set_contents(path, bytes, cut, NULL));
		store = open_store(f, &nowhere);
		WarcPlace place = append(store, PAGE, BODY);
		assert_page(f, &place, PAGE, BODY);
		warc_store_close(store);
		g_autofree char *next = g_build_filename(f->dir, "00000002.warc.gz", NULL);
		g_unlink(next);
	}
}

/* As after a backup of the pages that is older than the index. */
static void test_a_file_that_lost_known_records_is_left_alone(Fixture *f, gconstpointer unused)
{
	(void)unused;
	WarcStore *store = open_store(f, &nowhere);
	WarcPlace one = append(store, PAGE, BODY);
	WarcPlace two = append(store, "http://pages.example/two", "second");
	warc_store_close(store);
	g_autofree char *path = g_build_filename(f->dir, "00000001.warc.gz", NULL);
	g_assert_cmpint(truncate(path, two.offset), ==, 0);
	store = open_store(f, &two);
	g_assert_cmpuint(warc_store_file_bytes(store, 1), ==, two.offset);
	WarcPlace three = append(store, "http://pages.example/three", "third");
	warc_store_close(store);
	g_assert_cmpuint(three.file, ==, 2);
	assert_page(f, &one, PAGE, BODY);
	assert_page(f, &three, "http://pages.example/three", "third");
	warc_store_close(open_store(f, &nowhere));
	g_assert_cmpuint(f->found->len, ==, 2);
}

static void test_records_that_the_caller_lost_are_found(Fixture *f, gconstpointer unused)
{
	(void)unused;
	WarcStore *store = open_store(f, &nowhere);
	WarcPlace one = append(store, PAGE, BODY);
	append(store, "http://pages.example/two", "second");
	append(store, "http://pages.example/three", "third");
	warc_store_close(store);
	warc_store_close(open_store(f, &one));
	g_assert_cmpuint(f->found->len, ==, 2);
	g_assert_cmpstr(f->found->pdata[0], ==, "1 http://pages.example/two second");
	g_assert_cmpstr(f->found->pdata[1], ==, "1 http://pages.example/three third");
	warc_store_close(open_store(f, &nowhere));
	g_assert_cmpuint(f->found->len, ==, 3);
}

static void test_files_end_and_live_records_move(Fixture *f, gconstpointer unused)
{
	(void)unused;
	g_autoptr(GError) error = NULL;
	g_autofree char *noise = g_malloc(WARC_MAX_BODY_BYTES);
	guint32 state = 1;
	for (size_t i = 0; i < WARC_MAX_BODY_BYTES; i++) {
		state = state * 1664525 + 1013904223;
		noise[i] = state >> 24;
	}
	g_autoptr(WarcStore) store = open_store(f, &nowhere);
	WarcPlace kept = append(store, PAGE, BODY), large, last;
	WarcDraft record = response("http://pages.example/large", noise, WARC_MAX_BODY_BYTES);
	g_assert_true(warc_store_append(store, &record, &large, NULL, NULL));
	last = append(store, "http://pages.example/last", "last");
	g_assert_cmpuint(large.file, ==, 1);
	g_assert_cmpuint(last.file, ==, 2);
	g_assert_cmpuint(warc_store_last_file(store), ==, 2);

	WarcPlace moved;
	g_assert_true(warc_store_move(store, &kept, PAGE, &moved, &error));
	g_assert_true(warc_store_sync(store, &error));
	g_assert_true(warc_store_remove_file(store, 1, &error));
	g_assert_true(warc_store_remove_file(store, 1, &error));
	g_assert_false(warc_store_remove_file(store, 2, &error));
	g_assert_error(error, WARC_ERROR, WARC_ERROR_INVALID);
	assert_unreadable(f, &kept, PAGE);
	assert_page(f, &moved, PAGE, BODY);
	assert_page(f, &last, "http://pages.example/last", "last");
	g_assert_cmpuint(warc_store_file_bytes(store, 1), ==, 0);

	record.body_length++;
	g_clear_error(&error);
	g_assert_false(warc_store_append(store, &record, &large, NULL, &error));
	g_assert_error(error, WARC_ERROR, WARC_ERROR_INVALID);
}

/* Lines that grow most when they are written: their names get a prefix, their ends a byte. */
static void test_the_longest_head_is_read_again(Fixture *f, gconstpointer unused)
{
	(void)unused;
	g_autoptr(GString) head = g_string_new("HTTP/1.1 200 OK\n");
	while (head->len + 16 <= WARC_MAX_SERVER_BYTES)
		g_string_append(head, "Content-Length:\n");
	while (head->len < WARC_MAX_SERVER_BYTES)
		g_string_append_c(head, 'x');
	g_autoptr(WarcStore) store = open_store(f, &nowhere);
	WarcDraft record = response(PAGE, BODY, strlen(BODY));
	record.head = head->str;
	record.head_length = head->len;
	WarcPlace place;
	g_autoptr(GError) error = NULL;
	g_assert_true(warc_store_append(store, &record, &place, NULL, &error));
	g_autoptr(WarcContent) content = warc_store_read(f->dir, &place, PAGE, 1 << 20, &error);
	g_assert_no_error(error);
	g_assert_cmpuint(g_bytes_get_size(content->body), ==, strlen(BODY));
	record.head_length++;
	g_assert_false(warc_store_append(store, &record, &place, NULL, &error));
	g_assert_error(error, WARC_ERROR, WARC_ERROR_INVALID);
}

static void test_links_and_strangers_are_not_followed(Fixture *f, gconstpointer unused)
{
	(void)unused;
	g_autofree char *path = g_build_filename(f->dir, "00000001.warc.gz", NULL);
	g_assert_cmpint(symlink("/etc/passwd", path), ==, 0);
	g_autoptr(GError) error = NULL;
	g_assert_null(warc_store_open(f->dir, "Tarsier test", &nowhere, NULL, NULL, &error));
	g_assert_error(error, WARC_ERROR, WARC_ERROR_IO);
	WarcPlace place = {1, 10, 0};
	assert_unreadable(f, &place, PAGE);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
#define ADD(name, f) g_test_add("/warc/" name, Fixture, NULL, set_up, f, tear_down)
	ADD("place", test_a_page_is_read_at_its_place);
	ADD("wrong-place", test_a_wrong_place_shows_nothing);
	ADD("revisit", test_a_revisit_names_the_page_before);
	ADD("torn", test_a_torn_end_is_cut);
	ADD("shortened", test_a_file_that_lost_known_records_is_left_alone);
	ADD("lost", test_records_that_the_caller_lost_are_found);
	ADD("move", test_files_end_and_live_records_move);
	ADD("links", test_links_and_strangers_are_not_followed);
	ADD("head", test_the_longest_head_is_read_again);
#undef ADD
	g_test_add_func("/warc/bytes", test_no_changed_byte_goes_unnoticed);
	g_test_add_func("/warc/headers", test_headers_of_the_transfer_are_kept_aside);
	g_test_add_func("/warc/refused", test_what_breaks_the_format_is_refused);
	return g_test_run();
}
