/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/sandbox/reply.h"
#include <string.h>

typedef struct {
	Reply *reply;
	GPtrArray *documents;
	WirePacket *packet;
	ExtractLimits limits;
} Fixture;

static void on_document(Document *doc, void *data)
{
	g_ptr_array_add(((Fixture *)data)->documents, doc);
}

static const char *on_plugin(const char *name, uint32_t *version_r, void *data)
{
	*version_r = 3;
	return strcmp(name, "text") == 0 ? "text" : NULL;
}

static void make_reply(Fixture *f, bool followed)
{
	ReplySetup setup = {.job = 9,
	        .size = 10,
	        .limits = &f->limits,
	        .followed = followed,
	        .plugin = on_plugin,
	        .document = on_document,
	        .data = f};
	g_clear_pointer(&f->reply, reply_free);
	f->reply = reply_new(&setup);
}

static void set_up(Fixture *f, gconstpointer data)
{
	f->limits = (ExtractLimits)EXTRACT_LIMITS_DEFAULT;
	f->limits.text_bytes = 1000;
	f->limits.members = 3;
	f->limits.depth = 2;
	f->documents = g_ptr_array_new_with_free_func((GDestroyNotify)document_free);
	f->packet = g_new(WirePacket, 1);
	f->packet->used = 0;
	make_reply(f, false);
}

static void tear_down(Fixture *f, gconstpointer data)
{
	reply_free(f->reply);
	g_ptr_array_unref(f->documents);
	g_free(f->packet);
}

/* ---- frames */

static void put(Fixture *f, WireKind kind, unsigned a, unsigned b, const void *bytes, size_t length)
{
	g_assert_true(wire_put(f->packet, kind, a, b, bytes, length, NULL, 0));
}

static void put_doc(Fixture *f, const char *path)
{
	int64_t numbers[2] = {77, 5};
	g_assert_true(
	        wire_put(f->packet, WIRE_DOC, 0, 0, numbers, sizeof numbers, path, strlen(path)));
}

static void put_type(Fixture *f)
{
	put(f, WIRE_TYPE, 0, 0, "\1\0\0\0text/plain\0text", 4 + 11 + 4);
}

static void put_text(Fixture *f, const char *text)
{
	put(f, WIRE_TEXT, TAG_BODY, DOC_RUN_BLOCK, text, strlen(text));
}

static void put_end(Fixture *f)
{
	put(f, WIRE_END, STATE_OK, 0, NULL, 0);
}

static void put_done(Fixture *f, uint32_t job)
{
	WireDone done = {.job = job, .documents = 1, .cpu_us = 1234};
	put(f, WIRE_DONE, 0, 0, &done, sizeof done);
}

static ReplyState feed(Fixture *f)
{
	g_autofree uint8_t *exact = g_memdup2(f->packet->bytes, f->packet->used);
	size_t length = f->packet->used;
	f->packet->used = 0;
	size_t position = 0;
	return reply_packet(f->reply, exact, length, &position);
}

/* ---- valid replies */

static void test_whole(Fixture *f, gconstpointer data)
{
	put_doc(f, "");
	put_type(f);
	put(f, WIRE_FIELD, FIELD_TITLE, 0, "Title", 5);
	put_text(f, "one ");
	put(f, WIRE_TEXT, TAG_EMPHASIS, 0, "two", 3);
	put(f, WIRE_BREAK, BREAK_PAGE, 0, "\2\0\0\0ii", 6);
	put(f, WIRE_LINK, LINK_ANCHOR | DOC_LINK_NOFOLLOW << 4, 4, "hrefanchor", 10);
	put(f, WIRE_LINK, LINK_DELAY, 2, "10*", 3);
	put(f, WIRE_END, STATE_OK, REASON_LIMIT_TEXT | 0x8000, "why", 3);
	g_assert_cmpint(feed(f), ==, REPLY_MORE);
	g_assert_cmpuint(f->documents->len, ==, 0);
	put_done(f, 9);
	g_assert_cmpint(feed(f), ==, REPLY_DONE);
	g_assert_cmpuint(reply_result(f->reply)->cpu_us, ==, 1234);
	g_assert_cmpuint(f->documents->len, ==, 1);
	const Document *doc = f->documents->pdata[0];
	g_assert_null(doc->member);
	g_assert_cmpstr(doc->mime, ==, "text/plain");
	g_assert_cmpstr(doc->extractor, ==, "text");
	g_assert_cmpuint(doc->version, ==, 3); /* the version of the handshake, not the one in the
	                                          frame */
	g_assert_cmpstr(doc->text->str, ==, "one two");
	g_assert_cmpuint(doc->runs->len, ==, 2);
	g_assert_cmpstr(document_fact(doc, FIELD_TITLE), ==, "Title");
	const DocBreak *mark = &g_array_index(doc->breaks, DocBreak, 0);
	g_assert_cmpuint(mark->offset, ==, 7);
	g_assert_cmpuint(mark->number, ==, 2);
	g_assert_cmpstr(mark->label, ==, "ii");
	const DocLink *link = &g_array_index(doc->links, DocLink, 0);
	g_assert_cmpstr(link->href, ==, "href");
	g_assert_cmpstr(link->text, ==, "anchor");
	g_assert_cmpint(link->kind, ==, LINK_ANCHOR);
	g_assert_cmpint(link->flags, ==, DOC_LINK_NOFOLLOW);
	link++;
	g_assert_cmpint(link->kind, ==, LINK_DELAY);
	g_assert_cmpint(link->flags, ==, 0);
	g_assert_cmpstr(link->href, ==, "10");
	g_assert_cmpstr(link->text, ==, "*");
	g_assert_true(doc->truncated);
	g_assert_cmpint(doc->reason, ==, REASON_LIMIT_TEXT);
	g_assert_cmpstr(doc->detail, ==, "why");
}

static void test_members(Fixture *f, gconstpointer data)
{
	put_doc(f, "");
	put_type(f);
	put_text(f, "outer ");
	put_doc(f, "a");
	put_type(f);
	g_assert_cmpint(feed(f), ==, REPLY_MORE);
	g_assert_cmpuint(reply_open_member(f->reply), ==, 1);
	put_doc(f, "a|b");
	put_type(f);
	put_text(f, "inner");
	g_assert_cmpint(feed(f), ==, REPLY_MORE);
	g_assert_cmpuint(reply_open_member(f->reply), ==, 2);
	put_end(f);
	g_assert_cmpint(feed(f), ==, REPLY_MORE);
	g_assert_cmpuint(reply_open_member(f->reply), ==, 1);
	put_end(f);
	put_text(f, "again");
	put_end(f);
	put_done(f, 9);
	g_assert_cmpint(feed(f), ==, REPLY_DONE);
	g_assert_cmpuint(f->documents->len, ==, 3);
	g_assert_cmpstr(((Document *)f->documents->pdata[0])->member, ==, "a|b");
	g_assert_cmpint(((Document *)f->documents->pdata[0])->member_size, ==, 77);
	g_assert_cmpstr(((Document *)f->documents->pdata[1])->member, ==, "a");
	g_assert_cmpstr(((Document *)f->documents->pdata[2])->text->str, ==, "outer again");
}

/* Behind the final frame of one job come those of the next, if there is a next one. */
static void test_followed(Fixture *f, gconstpointer data)
{
	bool followed = data != NULL;
	size_t position = 0, own;
	make_reply(f, followed);
	put_doc(f, "");
	put_type(f);
	put_end(f);
	put_done(f, 9);
	own = f->packet->used;
	put_doc(f, "");
	ReplyState state = reply_packet(f->reply, f->packet->bytes, f->packet->used, &position);
	g_assert_cmpint(state, ==, followed ? REPLY_DONE : REPLY_BAD);
	g_assert_cmpuint(position, ==, own);
}

/* A member in a member, both with text, and a third without text; none of them has ended. */
static void test_fail_open(Fixture *f, gconstpointer data)
{
	put_doc(f, "");
	put_type(f);
	put_text(f, "outer");
	put_doc(f, "inner");
	put_type(f);
	put_text(f, "inner");
	put_doc(f, "inner|untyped");
	g_assert_cmpint(feed(f), ==, REPLY_MORE);
	reply_fail_open(f->reply, REASON_LIMIT_TIME, "slow");
	g_assert_cmpuint(f->documents->len, ==, 2);
	const Document *inner = f->documents->pdata[0], *outer = f->documents->pdata[1];
	g_assert_cmpstr(inner->text->str, ==, "inner");
	g_assert_cmpstr(inner->member, ==, "inner");
	g_assert_cmpstr(outer->text->str, ==, "outer");
	g_assert_null(outer->member);
	g_assert_cmpint(outer->state, ==, STATE_FAILED);
	g_assert_cmpint(outer->reason, ==, REASON_LIMIT_TIME);
	g_assert_cmpstr(outer->detail, ==, "slow");
	g_assert_cmpint(outer->version, ==, 3);
}

static void test_other_lane(Fixture *f, gconstpointer data)
{
	put_doc(f, "");
	put(f, WIRE_OTHER_LANE, LANE_OWN, 0, "application/pdf", 15);
	g_assert_cmpint(feed(f), ==, REPLY_OTHER_LANE);
	g_assert_cmpint(reply_lane(f->reply), ==, LANE_OWN);
}

/* ---- invalid replies; each one begins where a document may begin, or inside a document */

static void bad_text_before_type(Fixture *f)
{
	put_doc(f, "");
	put_text(f, "x");
}

static void bad_text_outside(Fixture *f)
{
	put_text(f, "x");
}

static void bad_second_document(Fixture *f)
{
	put_doc(f, "");
	put_type(f);
	put_end(f);
	put_doc(f, "");
}

static void bad_outermost_name(Fixture *f)
{
	put_doc(f, "name");
}

static void bad_member_without_name(Fixture *f)
{
	put_doc(f, "");
	put_type(f);
	put_doc(f, "");
}

static void bad_member_name(Fixture *f)
{
	put_doc(f, "");
	put_type(f);
	put(f, WIRE_DOC, 0, 0, "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0a\0b", 19);
}

static void bad_long_member_name(Fixture *f)
{
	g_autofree char *name = g_strnfill(DOC_MAX_MEMBER_BYTES + 1, 'a');
	put_doc(f, "");
	put_type(f);
	put_doc(f, name);
}

static void bad_depth(Fixture *f)
{
	static const char *const paths[] = {"", "a", "a|b"};
	for (size_t i = 0; i < G_N_ELEMENTS(paths); i++) {
		put_doc(f, paths[i]);
		put_type(f);
	}
	put_doc(f, "a|b|c");
}

static void bad_member_count(Fixture *f)
{
	put_doc(f, "");
	put_type(f);
	for (unsigned i = 0; i < 3; i++) {
		put_doc(f, "m");
		put_type(f);
		put_end(f);
	}
	put_doc(f, "m");
}

static void bad_end(Fixture *f)
{
	put_end(f);
}

static void bad_two_types(Fixture *f)
{
	put_doc(f, "");
	put_type(f);
	put_type(f);
}

static void bad_mime(Fixture *f)
{
	put_doc(f, "");
	put(f, WIRE_TYPE, 0, 0, "\1\0\0\0text plain\0text", 4 + 11 + 4);
}

static void bad_plugin(Fixture *f)
{
	put_doc(f, "");
	put(f, WIRE_TYPE, 0, 0, "\1\0\0\0text/plain\0evil", 4 + 11 + 4);
}

static void bad_tag(Fixture *f)
{
	put_doc(f, "");
	put_type(f);
	put(f, WIRE_TEXT, N_TAGS, 0, "x", 1);
}

static void bad_flags(Fixture *f)
{
	put_doc(f, "");
	put_type(f);
	put(f, WIRE_TEXT, TAG_BODY, 2, "x", 1);
}

static void bad_utf8(Fixture *f)
{
	put_doc(f, "");
	put_type(f);
	put(f, WIRE_TEXT, TAG_BODY, 0, "\xc3", 1);
}

static void bad_nul(Fixture *f)
{
	put_doc(f, "");
	put_type(f);
	put(f, WIRE_TEXT, TAG_BODY, 0, "a\0b", 3);
}

static void bad_amount_of_text(Fixture *f)
{
	g_autofree char *text = g_strnfill(1001, 'a');
	put_doc(f, "");
	put_type(f);
	put_text(f, text);
}

static void bad_field(Fixture *f)
{
	put_doc(f, "");
	put_type(f);
	put(f, WIRE_FIELD, N_FIELDS, 0, "x", 1);
}

static void bad_break(Fixture *f)
{
	put_doc(f, "");
	put_type(f);
	put(f, WIRE_BREAK, BREAK_PAGE, 0, "\1\0", 2);
}

static void bad_link(Fixture *f)
{
	put_doc(f, "");
	put_type(f);
	put(f, WIRE_LINK, 0, 11, "hrefanchor", 10);
}

static void bad_link_kind(Fixture *f)
{
	put_doc(f, "");
	put_type(f);
	put(f, WIRE_LINK, N_LINK_KINDS, 4, "hrefanchor", 10);
}

static void bad_link_flags(Fixture *f)
{
	put_doc(f, "");
	put_type(f);
	put(f, WIRE_LINK, 2 << 4, 4, "hrefanchor", 10);
}

static void bad_link_split(Fixture *f)
{
	put_doc(f, "");
	put_type(f);
	put(f, WIRE_LINK, 0, 1, "\xc3\xa4", 2);
}

static void bad_state(Fixture *f)
{
	put_doc(f, "");
	put_type(f);
	put(f, WIRE_END, N_STATES, 0, NULL, 0);
}

static void bad_reason(Fixture *f)
{
	put_doc(f, "");
	put_type(f);
	put(f, WIRE_END, STATE_FAILED, N_REASONS, NULL, 0);
}

static void bad_failure(Fixture *f)
{
	put_doc(f, "");
	put_type(f);
	put(f, WIRE_END, STATE_FAILED, REASON_NONE, NULL, 0);
}

static void bad_job(Fixture *f)
{
	put_doc(f, "");
	put_type(f);
	put_end(f);
	put_done(f, 8);
}

static void bad_early_done(Fixture *f)
{
	put_doc(f, "");
	put_type(f);
	put_done(f, 9);
}

static void bad_done_without_document(Fixture *f)
{
	put_done(f, 9);
}

static void bad_after_done(Fixture *f)
{
	put_doc(f, "");
	put_type(f);
	put_end(f);
	put_done(f, 9);
	put_doc(f, "");
}

static void bad_lane(Fixture *f)
{
	put_doc(f, "");
	put(f, WIRE_OTHER_LANE, LANE_CHEAP, 0, NULL, 0);
}

static void bad_kind(Fixture *f)
{
	put_doc(f, "");
	put_type(f);
	put(f, WIRE_FORK, 0, 0, NULL, 0);
}

static void bad_cut_frame(Fixture *f)
{
	put_doc(f, "");
	f->packet->used--;
}

static void bad_flood_of_facts(Fixture *f)
{
	put_doc(f, "");
	put_type(f);
	for (unsigned i = 0; i <= DOC_MAX_FACTS; i++)
		put(f, WIRE_FIELD, FIELD_KEYWORD, 0, "x", 1);
}

static const struct {
	const char *name;
	void (*act)(Fixture *f);
} bad[] = {
        {"text-before-type", bad_text_before_type},
        {"text-outside", bad_text_outside},
        {"second-document", bad_second_document},
        {"outermost-name", bad_outermost_name},
        {"member-without-name", bad_member_without_name},
        {"member-name", bad_member_name},
        {"long-member-name", bad_long_member_name},
        {"depth", bad_depth},
        {"member-count", bad_member_count},
        {"end", bad_end},
        {"two-types", bad_two_types},
        {"mime", bad_mime},
        {"plugin", bad_plugin},
        {"tag", bad_tag},
        {"flags", bad_flags},
        {"utf8", bad_utf8},
        {"nul", bad_nul},
        {"amount-of-text", bad_amount_of_text},
        {"field", bad_field},
        {"break", bad_break},
        {"link", bad_link},
        {"link-kind", bad_link_kind},
        {"link-flags", bad_link_flags},
        {"link-split", bad_link_split},
        {"state", bad_state},
        {"reason", bad_reason},
        {"failure", bad_failure},
        {"job", bad_job},
        {"early-done", bad_early_done},
        {"done-without-document", bad_done_without_document},
        {"after-done", bad_after_done},
        {"lane", bad_lane},
        {"kind", bad_kind},
        {"cut-frame", bad_cut_frame},
        {"flood-of-facts", bad_flood_of_facts},
};

static void test_bad(Fixture *f, gconstpointer index)
{
	bad[GPOINTER_TO_SIZE(index)].act(f);
	g_assert_cmpint(feed(f), ==, REPLY_BAD);
}

/* All frames before the last one are valid; otherwise the test above would prove nothing. */
static void test_bad_only_at_the_end(Fixture *f, gconstpointer index)
{
	WireFrame frame;
	size_t position = 0, last = 0, before = 0;
	bad[GPOINTER_TO_SIZE(index)].act(f);
	while (wire_next(f->packet->bytes, f->packet->used, &position, &frame) > 0) {
		last = before;
		before = position;
	}
	f->packet->used = position == f->packet->used ? last : position;
	g_assert_cmpint(feed(f), ==, REPLY_MORE);
}

/* ---- bytes of a member */

static bool keep_bytes(const uint8_t *bytes, size_t length, void *data)
{
	Fixture *f = data;
	Document *doc = document_new(NULL);
	document_add_text(doc, TAG_BODY, DOC_RUN_BLOCK, (const char *)bytes, length);
	g_ptr_array_add(f->documents, doc);
	return length < 5;
}

static bool drop_bytes(const uint8_t *bytes, size_t length, void *data)
{
	return true;
}

static void ask_for_bytes(Fixture *f, bool (*take)(const uint8_t *, size_t, void *))
{
	ReplySetup setup = {.job = 9,
	        .size = 10,
	        .limits = &f->limits,
	        .plugin = on_plugin,
	        .document = on_document,
	        .bytes = take,
	        .data = f};
	reply_free(f->reply);
	f->limits.unpacked_bytes = 1;
	f->reply = reply_new(&setup);
}

static void test_bytes_of_a_member(Fixture *f, gconstpointer data)
{
	ask_for_bytes(f, keep_bytes);
	put_doc(f, "");
	put_type(f);
	put_doc(f, "inner");
	put_type(f);
	put(f, WIRE_BYTES, 0, 0, "wing", 4);
	g_assert_cmpint(feed(f), ==, REPLY_MORE);
	g_assert_cmpstr(((Document *)f->documents->pdata[0])->text->str, ==, "wing");
}

static void test_bytes_that_nobody_asked_for(Fixture *f, gconstpointer data)
{
	put_doc(f, "");
	put_type(f);
	put_doc(f, "inner");
	put_type(f);
	put(f, WIRE_BYTES, 0, 0, "wing", 4);
	g_assert_cmpint(feed(f), ==, REPLY_BAD);
}

static void test_bytes_of_the_container(Fixture *f, gconstpointer data)
{
	ask_for_bytes(f, keep_bytes);
	put_doc(f, "");
	put_type(f);
	put(f, WIRE_BYTES, 0, 0, "wing", 4);
	g_assert_cmpint(feed(f), ==, REPLY_BAD);
}

static void test_bytes_that_cannot_be_kept(Fixture *f, gconstpointer data)
{
	ask_for_bytes(f, keep_bytes);
	put_doc(f, "");
	put_type(f);
	put_doc(f, "inner");
	put_type(f);
	put(f, WIRE_BYTES, 0, 0, "wings", 5);
	g_assert_cmpint(feed(f), ==, REPLY_BAD);
}

static void test_more_bytes_than_the_limit(Fixture *f, gconstpointer data)
{
	enum { PIECE = 60000, ENOUGH = 4096 };
	g_autofree uint8_t *zeros = g_malloc0(PIECE);
	ReplyState state = REPLY_MORE;
	unsigned n = 0;
	ask_for_bytes(f, drop_bytes);
	put_doc(f, "");
	put_type(f);
	put_doc(f, "inner");
	put_type(f);
	for (; state == REPLY_MORE && n < ENOUGH; n++) {
		if (f->packet->used > 0)
			g_assert_cmpint(feed(f), ==, REPLY_MORE);
		put(f, WIRE_BYTES, 0, 0, zeros, PIECE);
		state = feed(f);
	}
	g_assert_cmpint(state, ==, REPLY_BAD);
	g_assert_cmpuint(n, >, 1);
}

/* ---- pictures */

typedef struct {
	uint32_t width, height;
	size_t bytes; /* that follow */
	ReplyState state;
} PictureCase;

static const PictureCase pictures[] = {
        {1, 1, 3, REPLY_MORE},
        {128, 128, 128 * 128 * 3, REPLY_MORE},
        {2, 5, 30, REPLY_MORE},
        {0, 1, 0, REPLY_BAD},
        {1, 0, 0, REPLY_BAD},
        {129, 1, 129 * 3, REPLY_BAD},
        {1, 129, 129 * 3, REPLY_BAD},
        {2, 5, 29, REPLY_BAD},
        {2, 5, 31, REPLY_BAD},
        {2, 5, 0, REPLY_BAD},
        {UINT32_MAX, UINT32_MAX, 3, REPLY_BAD},
        {1u << 31, 2, 0, REPLY_BAD},
};

static void put_picture(Fixture *f, const PictureCase *picture)
{
	const WirePicture head = {picture->width, picture->height};
	g_autofree uint8_t *pixels = g_malloc0(picture->bytes + 1);
	g_assert_true(wire_put(
	        f->packet, WIRE_PICTURE, 0, 0, &head, sizeof head, pixels, picture->bytes));
}

/* Notes the size in the limits of the fixture, which have room for it. */
static void keep_picture(unsigned width, unsigned height, const uint8_t *pixels, void *data)
{
	Fixture *f = data;
	f->limits.members = width;
	f->limits.depth = height;
	for (size_t i = 0; i < (size_t)3 * width * height; i++)
		g_assert_cmpuint(pixels[i], ==, 0);
}

static void ask_for_picture(Fixture *f)
{
	ReplySetup setup = {.job = 9,
	        .size = 10,
	        .limits = &f->limits,
	        .plugin = on_plugin,
	        .document = on_document,
	        .picture = keep_picture,
	        .data = f};
	reply_free(f->reply);
	f->reply = reply_new(&setup);
}

static void test_picture_sizes(Fixture *f, gconstpointer data)
{
	for (size_t i = 0; i < G_N_ELEMENTS(pictures); i++) {
		f->packet->used = 0;
		ask_for_picture(f);
		put_doc(f, "");
		put_type(f);
		put_picture(f, &pictures[i]);
		f->limits.members = 0;
		g_assert_cmpint(feed(f), ==, pictures[i].state);
		bool good = pictures[i].state == REPLY_MORE;
		g_assert_cmpuint(f->limits.members, ==, good ? pictures[i].width : 0);
		f->limits.members = 3;
		f->limits.depth = 2;
	}
}

static void test_short_picture(Fixture *f, gconstpointer data)
{
	ask_for_picture(f);
	put_doc(f, "");
	put_type(f);
	put(f, WIRE_PICTURE, 0, 0, "\1\0\0\0\1\0\0", 7);
	g_assert_cmpint(feed(f), ==, REPLY_BAD);
}

static void test_second_picture(Fixture *f, gconstpointer data)
{
	ask_for_picture(f);
	put_doc(f, "");
	put_type(f);
	put_picture(f, &pictures[0]);
	put_picture(f, &pictures[0]);
	g_assert_cmpint(feed(f), ==, REPLY_BAD);
}

static void test_picture_of_a_member(Fixture *f, gconstpointer data)
{
	ask_for_picture(f);
	put_doc(f, "");
	put_type(f);
	put_doc(f, "inner");
	put_type(f);
	put_picture(f, &pictures[0]);
	g_assert_cmpint(feed(f), ==, REPLY_BAD);
}

static void test_picture_that_nobody_asked_for(Fixture *f, gconstpointer data)
{
	put_doc(f, "");
	put_type(f);
	put_picture(f, &pictures[0]);
	g_assert_cmpint(feed(f), ==, REPLY_BAD);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add("/common/reply/a-complete-reply-is-accepted", Fixture, NULL, set_up, test_whole,
	        tear_down);
	g_test_add("/common/reply/members-are-accepted", Fixture, NULL, set_up, test_members,
	        tear_down);
	g_test_add("/common/reply/a-failure-keeps-complete-members", Fixture, NULL, set_up,
	        test_fail_open, tear_down);
	g_test_add("/common/reply/a-request-for-another-lane-is-accepted", Fixture, NULL, set_up,
	        test_other_lane, tear_down);
	g_test_add("/common/reply/bytes/of-a-member", Fixture, NULL, set_up, test_bytes_of_a_member,
	        tear_down);
	g_test_add("/common/reply/bytes/unasked", Fixture, NULL, set_up,
	        test_bytes_that_nobody_asked_for, tear_down);
	g_test_add("/common/reply/bytes/of-the-container", Fixture, NULL, set_up,
	        test_bytes_of_the_container, tear_down);
	g_test_add("/common/reply/bytes/that-cannot-be-kept", Fixture, NULL, set_up,
	        test_bytes_that_cannot_be_kept, tear_down);
	g_test_add("/common/reply/bytes/too-many", Fixture, NULL, set_up,
	        test_more_bytes_than_the_limit, tear_down);
	g_test_add("/common/reply/picture/sizes", Fixture, NULL, set_up, test_picture_sizes,
	        tear_down);
	g_test_add("/common/reply/picture/short", Fixture, NULL, set_up, test_short_picture,
	        tear_down);
	g_test_add("/common/reply/picture/second", Fixture, NULL, set_up, test_second_picture,
	        tear_down);
	g_test_add("/common/reply/picture/of-a-member", Fixture, NULL, set_up,
	        test_picture_of_a_member, tear_down);
	g_test_add("/common/reply/picture/unasked", Fixture, NULL, set_up,
	        test_picture_that_nobody_asked_for, tear_down);
	g_test_add("/common/reply/a-reply-is-followed-by-none", Fixture, NULL, set_up,
	        test_followed, tear_down);
	g_test_add("/common/reply/a-reply-is-followed-by-another", Fixture, GUINT_TO_POINTER(1),
	        set_up, test_followed, tear_down);
	for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
		gconstpointer index = GSIZE_TO_POINTER(i);
		g_autofree char *path = g_strconcat("/common/reply/refused/", bad[i].name, NULL);
		g_autofree char *rest =
		        g_strconcat("/common/reply/accepted-before-the-fault/", bad[i].name, NULL);
		g_test_add(path, Fixture, index, set_up, test_bad, tear_down);
		if (bad[i].act != bad_after_done)
			g_test_add(
			        rest, Fixture, index, set_up, test_bad_only_at_the_end, tear_down);
	}
	return g_test_run();
}
