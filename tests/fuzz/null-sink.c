/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "tests/fuzz/null-sink.h"
#include <string.h>

struct Sink {
	const ExtractLimits *limits;
	uint64_t text_bytes, unpacked_bytes;
	unsigned members;
	bool failed;
	volatile uint8_t sum; /* sum of all bytes received, to check that each of them can be
	                         read */
};

static void touch(Sink *sink, const void *bytes, size_t length)
{
	uint8_t sum = 0;
	for (size_t i = 0; i < length; i++)
		sum += ((const uint8_t *)bytes)[i];
	sink->sum += sum;
}

static void touch_text(Sink *sink, const char *text, ssize_t length)
{
	touch(sink, text, text && length < 0 ? strlen(text) : (size_t)MAX(length, 0));
}

static bool may_go_on(const Sink *sink)
{
	return sink->text_bytes < sink->limits->text_bytes;
}

bool sink_field(Sink *sink, DocField field, const char *value, ssize_t length)
{
	g_assert((unsigned)field < N_FIELDS);
	touch_text(sink, value, length);
	return may_go_on(sink);
}

bool sink_block(Sink *sink, DocTag tag)
{
	g_assert((unsigned)tag < N_TAGS);
	return may_go_on(sink);
}

bool sink_text(Sink *sink, DocTag tag, const char *text, ssize_t length)
{
	g_assert((unsigned)tag < N_TAGS);
	touch_text(sink, text, length);
	sink->text_bytes += length < 0 ? strlen(text) : (size_t)length;
	return may_go_on(sink);
}

bool sink_break(Sink *sink, DocBreakKind kind, unsigned number, const char *label)
{
	g_assert((unsigned)kind < N_BREAKS && number > 0);
	touch_text(sink, label, label ? -1 : 0);
	return may_go_on(sink);
}

void sink_address(Sink *sink, const char *href, const char *text)
{
	touch_text(sink, href, -1);
	touch_text(sink, text, -1);
}

bool sink_link(Sink *sink, const char *href, const char *text)
{
	return sink_link_kind(sink, LINK_ANCHOR, 0, href, text);
}

bool sink_link_kind(
        Sink *sink, DocLinkKind kind, unsigned flags, const char *href, const char *text)
{
	g_assert((unsigned)kind < N_LINK_KINDS && flags <= DOC_LINK_NOFOLLOW);
	touch_text(sink, href, -1);
	touch_text(sink, text, text ? -1 : 0);
	return may_go_on(sink);
}

bool sink_unpacked(Sink *sink, size_t bytes)
{
	sink->unpacked_bytes += bytes;
	return sink->unpacked_bytes <= sink->limits->unpacked_bytes;
}

bool sink_member(Sink *sink, const SinkMember *member)
{
	g_assert(member->name && *member->name && (unsigned)member->reason < N_REASONS);
	touch_text(sink, member->name, -1);
	if (member->data)
		touch(sink, member->data, member->size);
	return ++sink->members < sink->limits->members;
}

Sink *sink_begin_member(Sink *sink, const SinkMember *member)
{
	g_assert(member->mime && *member->mime);
	return sink_member(sink, member) ? sink : NULL;
}

void sink_end_member(Sink *inner)
{
	g_assert(inner->members > 0);
}

/* To draw pages for it would take most of the time, and is work of the library alone. */
bool sink_wants_ocr(Sink *sink)
{
	(void)sink;
	return false;
}

unsigned sink_ocr_ms(const Sink *sink)
{
	(void)sink;
	return 1000;
}

bool sink_inline(
        Sink *sink, const char *mime, const char *charset, const uint8_t *data, size_t size)
{
	touch_text(sink, mime, -1);
	touch_text(sink, charset, charset ? -1 : 0);
	touch(sink, data, size);
	return may_go_on(sink);
}

ExtractResult sink_draw(Sink *sink, const uint8_t *data, size_t size)
{
	touch(sink, data, size);
	return EXTRACT_DONE;
}

bool sink_has_text(const Sink *sink)
{
	return false;
}

ExtractResult sink_fail(Sink *sink, DocReason reason, const char *detail)
{
	g_assert(reason > REASON_NONE && reason < N_REASONS);
	touch_text(sink, detail, detail ? -1 : 0);
	sink->failed = true;
	return EXTRACT_FAILED;
}

void sink_truncated(Sink *sink, DocReason reason, const char *detail)
{
	g_assert(reason > REASON_NONE && reason < N_REASONS);
	touch_text(sink, detail, detail ? -1 : 0);
}

bool sink_picture(Sink *sink, unsigned width, unsigned height, const uint8_t *pixels)
{
	g_assert(width >= 1 && width <= WIRE_PICTURE_SIDE);
	g_assert(height >= 1 && height <= WIRE_PICTURE_SIDE);
	touch(sink, pixels, (size_t)WIRE_PIXEL_BYTES * width * height);
	return may_go_on(sink);
}

void null_sink_run(const Extractor *extractor, JobPurpose purpose, const char *mime,
        const uint8_t *data, size_t size)
{
	const ExtractLimits limits = {.text_bytes = 10 << 20,
	        .unpacked_bytes = 64 << 20,
	        .members = 1000,
	        .depth = 5,
	        .ratio = 200,
	        .wall_ms = 60000,
	        .memory_bytes = 512 << 20};
	bool draws = purpose == JOB_PICTURE, local = purpose == JOB_FILE || draws;
	Input in = {.data = data,
	        .size = size,
	        .name = "seed",
	        .mime = mime,
	        .purpose = purpose,
	        .url = local ? "" : "https://example.org/dir/page",
	        .limits = &limits};
	Sink sink = {.limits = &limits};

	ExtractResult result = draws ? extractor->draw(&in, &sink) : extractor->extract(&in, &sink);
	g_assert((result == EXTRACT_FAILED) == sink.failed);
}
