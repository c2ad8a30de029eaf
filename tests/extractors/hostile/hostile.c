/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hostile.c - a plugin under the control of the file that it reads: the file's first line is a
 * command
 *
 * If the command is a system call, the plugin sends "refused" or "allowed" as text, unless the call
 * kills it. The plugin is built once for each lane. */
#include <config.h>
#include "extractors/shared/extractor.h"
#include "tests/extractors/hostile/tries.h"
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- ways to die */

static void die_hang(Sink *sink)
{
	for (;;)
		poll(NULL, 0, -1);
}

static void die_spin(Sink *sink)
{
	for (volatile unsigned n = 0;; n++)
		;
}

static void die_allocate(Sink *sink)
{
	for (;;) {
		volatile char *volatile block = malloc(16 << 20);
		*block = 1;
	}
}

static void die_allocate_glib(Sink *sink)
{
	for (;;) {
		volatile char *volatile block = g_malloc(16 << 20);
		*block = 1;
	}
}

static int deeper(volatile char *above)
{
	volatile char room[4096];
	room[0] = above ? *above : 1;
	return room[0] ? deeper(room) + room[0] : 0;
}

static void die_stack(Sink *sink)
{
	deeper(NULL);
}

static void die_exit(Sink *sink)
{
	_exit(0);
}

static void die_segv(Sink *sink)
{
	raise(SIGSEGV);
}

/* As after a malloc() that failed. */
static void die_segv_without_memory(Sink *sink)
{
	errno = ENOMEM;
	raise(SIGSEGV);
}

static void die_with_last_words(Sink *sink)
{
	sink_text(sink, TAG_BODY, "said before", -1);
	raise(SIGSEGV);
}

static void die_abort(Sink *sink)
{
	abort();
}

/* ---- lies */

/* The socket of the job is the only descriptor that accepts a packet. */
static void send_raw(WirePacket *packet)
{
	for (int fd = 3; fd < 64; fd++) {
		size_t used = packet->used;
		if (wire_send(fd, packet, -1))
			return;
		packet->used = used;
	}
}

static void lie(WireKind kind, unsigned a, unsigned b, const void *bytes, size_t length)
{
	WirePacket packet = {0};
	wire_put(&packet, kind, a, b, bytes, length, NULL, 0);
	send_raw(&packet);
}

static void begin_raw(void)
{
	int64_t numbers[2] = {1, 0};
	lie(WIRE_DOC, 0, 0, numbers, sizeof numbers);
	lie(WIRE_TYPE, 0, 0, "\1\0\0\0text/plain\0hostile", 4 + 10 + 1 + 7);
}

static void lie_job(Sink *sink)
{
	WireDone done = {.job = 424242};
	begin_raw();
	lie(WIRE_END, STATE_OK, 0, NULL, 0);
	lie(WIRE_DONE, 0, 0, &done, sizeof done);
}

static void lie_utf8(Sink *sink)
{
	begin_raw();
	lie(WIRE_TEXT, TAG_BODY, 0, "\xff\xfe", 2);
}

static void lie_nesting(Sink *sink)
{
	begin_raw();
	lie(WIRE_END, STATE_OK, 0, NULL, 0);
	begin_raw();
}

static void lie_kind(Sink *sink)
{
	lie(200, 0, 0, NULL, 0);
}

static void lie_plugin(Sink *sink)
{
	int64_t numbers[2] = {1, 0};
	lie(WIRE_DOC, 0, 0, numbers, sizeof numbers);
	lie(WIRE_TYPE, 0, 0, "\1\0\0\0text/plain\0unheard-of", 4 + 10 + 1 + 10);
}

static void lie_length(Sink *sink)
{
	WirePacket packet = {0};
	uint32_t length = 1 << 30;
	wire_put(&packet, WIRE_ALIVE, 0, 0, &length, sizeof length, NULL, 0);
	memcpy(packet.bytes + 4, &length, sizeof length);
	send_raw(&packet);
}

static void lie_flood(Sink *sink)
{
	static char text[32 << 10];
	memset(text, 'x', sizeof text);
	begin_raw();
	for (;;)
		lie(WIRE_TEXT, TAG_BODY, 0, text, sizeof text);
}

static void lie_flood_of_links(Sink *sink)
{
	static char text[32 << 10];
	memset(text, 'x', sizeof text);
	begin_raw();
	for (;;)
		lie(WIRE_LINK, 0, 1, text, sizeof text);
}

static void lie_flood_of_fields(Sink *sink)
{
	begin_raw();
	for (;;)
		lie(WIRE_FIELD, FIELD_TITLE, 0, "x", 1);
}

static void lie_flood_of_breaks(Sink *sink)
{
	uint32_t number = 1;
	begin_raw();
	for (;;)
		lie(WIRE_BREAK, BREAK_PAGE, 0, &number, sizeof number);
}

static void lie_flood_of_members(Sink *sink)
{
	static const char member[18] = "\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0m";
	begin_raw();
	for (;;) {
		lie(WIRE_DOC, 0, 0, member, 17);
		lie(WIRE_TYPE, 0, 0, "\1\0\0\0text/plain\0hostile", 4 + 10 + 1 + 7);
		lie(WIRE_END, STATE_OK, 0, NULL, 0);
	}
}

/* Reports progress but makes none. */
static void lie_alive(Sink *sink)
{
	uint32_t members = 0;
	for (;;)
		lie(WIRE_ALIVE, 0, 0, &members, sizeof members);
}

/* Each lane sends the file to another lane. */
static void lie_lanes(Sink *sink)
{
	begin_raw();
#if defined(HOSTILE_OWN_LANE)
	lie(WIRE_OTHER_LANE, LANE_CHEAP, 0, "text/plain", 10);
#else
	lie(WIRE_OTHER_LANE, LANE_OWN, 0, "text/plain", 10);
#endif
	_exit(0);
}

static void lie_descriptor(Sink *sink)
{
	for (int fd = 3; fd < 64; fd++) {
		WirePacket packet = {0};
		uint32_t members = 0;
		wire_put(&packet, WIRE_ALIVE, 0, 0, &members, sizeof members, NULL, 0);
		if (wire_send(fd, &packet, hostile_input_fd()))
			return;
	}
}

/* Sends a packet after the job, the first of the converter, is done. */
static void lie_late(Sink *sink)
{
	WireDone done = {.job = 1};
	uint32_t members = 0;
	begin_raw();
	lie(WIRE_END, STATE_OK, 0, NULL, 0);
	lie(WIRE_DONE, 0, 0, &done, sizeof done);
	lie(WIRE_ALIVE, 0, 0, &members, sizeof members);
	die_hang(sink);
}

/* Sends a picture. Nobody has asked for it, unless the job is to draw. */
static void lie_picture_of(uint32_t width, uint32_t height, size_t length)
{
	static uint8_t bytes[60000];
	const WirePicture head = {width, height};
	memcpy(bytes, &head, sizeof head);
	lie(WIRE_PICTURE, 0, 0, bytes, sizeof head + length);
}

static void lie_picture(Sink *sink)
{
	begin_raw();
	lie_picture_of(1, 1, 3);
}

static void lie_large_picture(Sink *sink)
{
	begin_raw();
	lie_picture_of(100, 129, 3 * 100 * 129);
}

static void lie_short_picture(Sink *sink)
{
	begin_raw();
	lie_picture_of(100, 100, 3 * 100 * 100 - 1);
}

static void lie_many_pictures(Sink *sink)
{
	begin_raw();
	for (unsigned i = 0; i < 3; i++)
		lie_picture_of(1, 1, 3);
}

static void close_socket(Sink *sink)
{
	for (int fd = 3; fd < 64; fd++)
		close(fd);
	die_hang(sink);
}

/* ---- honest behaviour */

static void be_fine(Sink *sink)
{
	sink_field(sink, FIELD_TITLE, "Fine", -1);
	sink_block(sink, TAG_BODY);
	sink_text(sink, TAG_BODY, "all is fine", -1);
}

/* Allocated in the program that forks children, so that all have it at one address. */
static void *loaded;

__attribute__((constructor)) static void note_loaded(void)
{
	loaded = g_malloc(1);
}

/* Tells where the plugin, the heap and the C library are. */
static void be_placed(Sink *sink)
{
	g_autofree char *places = g_strdup_printf(
	        "%p %p %p", (void *)be_placed, loaded, dlsym(RTLD_DEFAULT, "malloc"));
	sink_text(sink, TAG_BODY, places, -1);
}

static void put_member(Sink *sink, const char *name, const char *verb)
{
	SinkMember member = {.name = name, .data = (const uint8_t *)verb, .size = strlen(verb)};
	sink_member(sink, &member);
}

static void be_container(Sink *sink)
{
	put_member(sink, "one", "fine");
	put_member(sink, "two", "segv");
	put_member(sink, "three", "fine");
}

/* Sends more than fits into a packet, so that some members are sent when it fails. */
static void put_members(Sink *sink)
{
	g_autofree char *longer = g_strnfill(1000, 'x');
	for (unsigned i = 0; i < 200; i++) {
		g_autofree char *name = g_strdup_printf("%03u%s", i, longer);
		put_member(sink, name, "fine");
	}
}

/* Fails after its members succeeded. */
static void be_container_that_dies(Sink *sink)
{
	put_members(sink);
	raise(SIGSEGV);
}

static void be_container_that_lies(Sink *sink)
{
	put_members(sink);
	lie_kind(sink);
}

/* Sends members for other lanes. */
static void be_mixed(Sink *sink)
{
	put_member(sink, "one.txt", "fine");
	put_member(sink, "two.md", "fine");
	sink_text(sink, TAG_BODY, "all", -1);
}

/* Nests members deeper than any limit. */
static void be_nested(Sink *sink)
{
	put_member(sink, "in", "nested");
	sink_text(sink, TAG_BODY, "level", -1);
}

static void be_endless(Sink *sink)
{
	while (sink_text(sink, TAG_BODY, "word word word word word word word word ", -1))
		;
}

static void be_many(Sink *sink)
{
	SinkMember member = {.name = "m", .reason = REASON_ENCRYPTED};
	while (sink_member(sink, &member))
		;
}

/* Sends more facts than a document may have, and a text with a recognizable language. */
static void tell_much(Sink *sink)
{
	for (unsigned i = 0; i < 2 * DOC_MAX_FACTS; i++) {
		g_autofree char *word = g_strdup_printf("word%u", i);
		sink_field(sink, FIELD_KEYWORD, word, -1);
	}
	sink_text(sink, TAG_BODY,
	        "The captain of the ferry told all of the passengers that they would have to wait "
	        "until the wind had gone down, and that there was nothing to be done about it.",
	        -1);
}

static void be_dirty(Sink *sink)
{
	sink_text(sink, TAG_BODY,
	        "a\x01"
	        "b\0c\xff"
	        "d",
	        7);
}

static bool poisoned;

/* The next file in this process never ends. */
static void be_poison(Sink *sink)
{
	poisoned = true;
}

static bool forging;

/* The next file in this process gets a forged text. */
static void be_forger(Sink *sink)
{
	forging = true;
}

static const struct {
	const char *verb;
	void (*act)(Sink *sink);
} acts[] = {
        {"hang", die_hang},
        {"spin", die_spin},
        {"allocate", die_allocate},
        {"allocate-glib", die_allocate_glib},
        {"stack", die_stack},
        {"exit", die_exit},
        {"segv", die_segv},
        {"segv-without-memory", die_segv_without_memory},
        {"last-words", die_with_last_words},
        {"abort", die_abort},
        {"job", lie_job},
        {"utf8", lie_utf8},
        {"nesting", lie_nesting},
        {"kind", lie_kind},
        {"plugin", lie_plugin},
        {"length", lie_length},
        {"flood", lie_flood},
        {"links", lie_flood_of_links},
        {"fields", lie_flood_of_fields},
        {"breaks", lie_flood_of_breaks},
        {"members", lie_flood_of_members},
        {"alive", lie_alive},
        {"lanes", lie_lanes},
        {"descriptor-sent", lie_descriptor},
        {"late", lie_late},
        {"picture", lie_picture},
        {"picture-large", lie_large_picture},
        {"picture-short", lie_short_picture},
        {"pictures", lie_many_pictures},
        {"close", close_socket},
        {"poison", be_poison},
        {"forge", be_forger},
        {"fine", be_fine},
        {"container", be_container},
        {"container-dies", be_container_that_dies},
        {"container-lies", be_container_that_lies},
        {"mixed", be_mixed},
        {"placed", be_placed},
        {"nested", be_nested},
        {"endless", be_endless},
        {"many", be_many},
        {"dirty", be_dirty},
        {"tell-much", tell_much},
};

/* Tells what the file is converted for, and its address. */
static void tell_purpose(const Input *in, Sink *sink)
{
	g_autofree char *told = g_strdup_printf("%d %s", in->purpose, in->url);
	sink_text(sink, TAG_BODY, told, -1);
}

static ExtractResult extract(const Input *in, Sink *sink)
{
	if (poisoned)
		die_hang(sink);
	if (forging) {
		sink_text(sink, TAG_BODY, "forged", -1);
		return EXTRACT_DONE;
	}
	g_autofree char *text = g_strndup((const char *)in->data, in->size);
	g_autofree char *verb = g_strndup(text, strcspn(text, "\n"));
	const char *outcome = hostile_try(verb);
	if (outcome) {
		sink_text(sink, TAG_BODY, outcome, -1);
		return EXTRACT_DONE;
	}
	if (strcmp(verb, "purpose") == 0) {
		tell_purpose(in, sink);
		return EXTRACT_DONE;
	}
	for (size_t i = 0; i < G_N_ELEMENTS(acts); i++) {
		if (strcmp(verb, acts[i].verb) != 0)
			continue;
		acts[i].act(sink);
		return EXTRACT_DONE;
	}
	return sink_fail(sink, REASON_DAMAGED, "no such act");
}

/* "fine" is drawn; all else does what extract() does. */
static ExtractResult draw(const Input *in, Sink *sink)
{
	static const uint8_t pixels[6] = {1, 2, 3, 4, 5, 6};
	if (in->size != strlen("fine") || memcmp(in->data, "fine", in->size) != 0)
		return extract(in, sink);
	sink_picture(sink, 200, 1, pixels); /* refused, as are those after the first good one */
	sink_picture(sink, 2, 1, pixels);
	sink_picture(sink, 1, 2, pixels);
	return EXTRACT_DONE;
}

#if defined(HOSTILE_OWN_LANE)
static const char *const types[] = {"text/markdown", NULL};
#else
static const char *const types[] = {"text/plain", FEED_TYPE, NULL};
#endif

const Extractor tarsier_extractor = {
        .abi = EXTRACTOR_ABI,
#if defined(HOSTILE_OWN_LANE)
        .name = "hostile-own",
        .lane = LANE_OWN,
#else
        .name = "hostile",
        .lane = LANE_CHEAP,
#endif
        .version = 7,
        .library = "none",
        .mime_types = types,
        .extract = extract,
        .draw = draw,
        .draw_reads = "/usr/share/fonts",
#if defined(HOSTILE_OWN_LANE)
        .reads = "/usr/share/poppler",
#endif
};
