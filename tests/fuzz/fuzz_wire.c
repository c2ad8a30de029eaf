/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_wire.c - fuzzes the decoder of the frames that a child sends
 *
 * The input is a sequence of packets, each after its length (u16, little-endian). A length that is
 * too large means the rest of the input. */
#include <config.h>
#include "tests/fuzz/fuzz.h"
#include "common/sandbox/reply.h"
#include <stdlib.h>
#include <string.h>

const char *const fuzz_seeds[] = {"tests/fuzz/seeds/wire-*", NULL};

static const char *on_plugin(const char *name, uint32_t *version_r, void *data)
{
	*version_r = 1;
	return strcmp(name, "text") == 0 ? "text" : NULL;
}

/* The rest of the program relies on these properties of a document. */
static void on_document(Document *doc, void *data)
{
	uint64_t length = 0;
	if (!g_utf8_validate_len(doc->text->str, doc->text->len, NULL) || doc->state >= N_STATES ||
	        doc->reason >= N_REASONS)
		abort();
	for (guint i = 0; i < doc->runs->len; i++) {
		const DocRun *run = &g_array_index(doc->runs, DocRun, i);
		if (run->offset != length || run->tag >= N_TAGS)
			abort();
		length += run->length;
	}
	if (length != doc->text->len)
		abort();
	document_free(doc);
}

static bool on_bytes(const uint8_t *bytes, size_t length, void *data)
{
	return length < 16;
}

/* All pixels must be there. */
static void on_picture(unsigned width, unsigned height, const uint8_t *pixels, void *data)
{
	g_autofree uint8_t *copy = g_memdup2(pixels, (size_t)WIRE_PIXEL_BYTES * width * height);
	if (!copy || width > WIRE_PICTURE_SIDE || height > WIRE_PICTURE_SIDE)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const ExtractLimits limits = {.text_bytes = 4096,
	        .unpacked_bytes = 1 << 20,
	        .members = 8,
	        .depth = 3,
	        .ratio = 100};
	const ReplySetup setup = {.job = 1,
	        .limits = &limits,
	        .followed = size % 2 == 0,
	        .plugin = on_plugin,
	        .picture = size % 3 == 0 ? NULL : on_picture,
	        .document = on_document,
	        .bytes = on_bytes};
	g_autoptr(Reply) reply = reply_new(&setup);
	ReplyState state = REPLY_MORE;
	while (size >= 2 && state == REPLY_MORE) {
		size_t length = MIN((size_t)(data[0] | data[1] << 8), size - 2);
		g_autofree uint8_t *exact = g_memdup2(data + 2, length);
		size_t position = 0;
		state = reply_packet(reply, exact, length, &position);
		g_assert(position <= length);
		data += 2 + length;
		size -= 2 + length;
	}
	if (state != REPLY_DONE)
		reply_fail_open(reply, REASON_CRASHED, NULL);
	return 0;
}
