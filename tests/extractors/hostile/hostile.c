/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hostile.c - a plugin taken over by the file it reads: does what the file's first word says
 *
 * What the jail refuses it reports as its text: "refused", or "allowed" if it came through. Built
 * once for each lane. */
#include <config.h>
#include "extractors/extractor.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static void report(Sink *sink, long result)
{
	sink_text(sink, TAG_BODY, result < 0 ? "refused" : "allowed", -1);
}

/* ---- tries of the system */

static void try_open(Sink *sink)
{
	report(sink, open("/etc/passwd", O_RDONLY));
}

static void try_write(Sink *sink)
{
	report(sink, open("/tmp/tarsier-hostile", O_WRONLY | O_CREAT, 0600));
}

static void try_exec(Sink *sink)
{
	char *arguments[] = {(char *)"/bin/true", NULL};
	report(sink, execve(arguments[0], arguments, NULL));
}

static void try_inet(Sink *sink)
{
	report(sink, socket(AF_INET, SOCK_DGRAM, 0));
}

/* The session bus would start any program for us. */
static void try_bus(Sink *sink)
{
	report(sink, socket(AF_UNIX, SOCK_STREAM, 0));
}

static void try_fork(Sink *sink)
{
	pid_t pid = fork();
	if (pid == 0)
		_exit(0);
	report(sink, pid);
}

static void *do_nothing(void *data)
{
	return data;
}

/* What one lane may, and the others may not. */
static void try_thread(Sink *sink)
{
	pthread_t thread;
	int error = pthread_create(&thread, NULL, do_nothing, NULL);
	if (error == 0)
		pthread_join(thread, NULL);
	report(sink, -error);
}

static void try_kill_parent(Sink *sink)
{
	report(sink, kill(getppid() > 1 ? getppid() : -1, SIGKILL));
}

static void try_chmod(Sink *sink)
{
	report(sink, fchmod(0, 0777));
}

static void try_executable_memory(Sink *sink)
{
	void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	report(sink, syscall(SYS_mprotect, page, 4096, PROT_READ | PROT_EXEC));
}

static void try_ptrace(Sink *sink)
{
	report(sink, syscall(SYS_ptrace, PTRACE_ATTACH, 1, NULL, NULL));
}

static void try_io_uring(Sink *sink)
{
	char parameters[120] = {0};
	report(sink, syscall(SYS_io_uring_setup, 1, parameters));
}

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

static void die_abort(Sink *sink)
{
	abort();
}

/* ---- lies */

/* The job's socket is the one descriptor that takes a packet. */
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

static void close_socket(Sink *sink)
{
	for (int fd = 3; fd < 64; fd++)
		close(fd);
	die_hang(sink);
}

/* ---- honest */

static void be_fine(Sink *sink)
{
	sink_field(sink, FIELD_TITLE, "Fine", -1);
	sink_block(sink, TAG_BODY);
	sink_text(sink, TAG_BODY, "all is fine", -1);
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

/* Each member is for another lane. */
static void be_mixed(Sink *sink)
{
	put_member(sink, "one.txt", "fine");
	put_member(sink, "two.md", "fine");
	put_member(sink, "three.log", "fine");
	sink_text(sink, TAG_BODY, "all", -1);
}

/* Deeper than any limit. */
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

static void be_dirty(Sink *sink)
{
	sink_text(sink, TAG_BODY,
	        "a\x01"
	        "b\0c\xff"
	        "d",
	        7);
}

static const struct {
	const char *verb;
	void (*act)(Sink *sink);
} acts[] = {
        {"open", try_open},
        {"write", try_write},
        {"exec", try_exec},
        {"inet", try_inet},
        {"bus", try_bus},
        {"fork", try_fork},
        {"thread", try_thread},
        {"kill", try_kill_parent},
        {"chmod", try_chmod},
        {"mprotect", try_executable_memory},
        {"ptrace", try_ptrace},
        {"uring", try_io_uring},
        {"hang", die_hang},
        {"spin", die_spin},
        {"allocate", die_allocate},
        {"allocate-glib", die_allocate_glib},
        {"stack", die_stack},
        {"exit", die_exit},
        {"segv", die_segv},
        {"abort", die_abort},
        {"job", lie_job},
        {"utf8", lie_utf8},
        {"nesting", lie_nesting},
        {"kind", lie_kind},
        {"plugin", lie_plugin},
        {"length", lie_length},
        {"flood", lie_flood},
        {"links", lie_flood_of_links},
        {"close", close_socket},
        {"fine", be_fine},
        {"container", be_container},
        {"mixed", be_mixed},
        {"nested", be_nested},
        {"endless", be_endless},
        {"many", be_many},
        {"dirty", be_dirty},
};

static ExtractResult extract(const Input *in, Sink *sink)
{
	for (size_t i = 0; i < G_N_ELEMENTS(acts); i++) {
		if (strlen(acts[i].verb) != in->size ||
		        memcmp(acts[i].verb, in->data, in->size) != 0)
			continue;
		acts[i].act(sink);
		return EXTRACT_DONE;
	}
	return sink_fail(sink, REASON_DAMAGED, "no such act");
}

#if defined(HOSTILE_THREADS_LANE)
static const char *const types[] = {"text/x-log", NULL};
#elif defined(HOSTILE_OWN_LANE)
static const char *const types[] = {"text/markdown", NULL};
#else
static const char *const types[] = {"text/plain", NULL};
#endif

const Extractor tarsier_extractor = {
        .abi = EXTRACTOR_ABI,
#if defined(HOSTILE_THREADS_LANE)
        .name = "hostile-threads",
        .lane = LANE_THREADS,
#elif defined(HOSTILE_OWN_LANE)
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
};
