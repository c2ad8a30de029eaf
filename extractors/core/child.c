/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/core/child.h"
#include "common/base/autofd.h"
#include "extractors/core/sink.h"
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>

enum {
	SIGNAL_STACK_BYTES = 64 << 10,
	ANSWER_US = 10 * 1000, /* the answers to the jobs of a packet wait for about that long */
};

/* ---- crash reporting: the exit status says the cause where the signal alone would not */

#ifndef __SANITIZE_ADDRESS__
static Out *last_words; /* global, because a signal handler gets no user data */

/* Sends the frames that were collected before the crash. A failed malloc() leaves errno at ENOMEM;
 * a crash that follows (a NULL pointer, an abort) then counts as out of memory. */
static void on_fault(int number)
{
	int why = errno;
	out_flush(last_words);
	if (why == ENOMEM)
		_exit(WIRE_EXIT_MEMORY);
	if (number == SIGBUS)
		_exit(WIRE_EXIT_INPUT); /* the mapped file was truncated */
	raise(number); /* SA_RESETHAND restored the default action, so this ends the process */
}

static void watch_faults(Out *out)
{
	static const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP};
	stack_t stack = {.ss_sp = g_malloc(SIGNAL_STACK_BYTES), .ss_size = SIGNAL_STACK_BYTES};
	struct sigaction action = {
	        .sa_handler = on_fault, .sa_flags = SA_ONSTACK | SA_RESETHAND | SA_NODEFER};
	last_words = out;
	sigaltstack(&stack, NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(numbers); i++)
		sigaction(numbers[i], &action, NULL);
}
#endif

static void on_glib_error(const char *domain, GLogLevelFlags level, const char *message, void *data)
{
	if (strstr(message, "failed to allocate") || strstr(message, "overflow allocating"))
		_exit(WIRE_EXIT_MEMORY);
	g_log_default_handler(domain, level, message, data);
}

/* ---- jobs */

typedef struct {
	WireJob head;
	char *name;
	char *member, *url, *charset; /* NULL: none */
	void *data; /* the file; NULL: it is empty */
} ReceivedJob;

/* One packet of jobs, and the position of the next one in it. */
typedef struct {
	uint8_t *bytes;
	size_t length, position;
	int fd; /* of the only job; -1: the files are enclosed */
} JobPacket;

/* The length of the texts of a job, without the file. */
static uint64_t job_text_bytes(const WireJob *head)
{
	return head->name_bytes + (uint64_t)head->member_bytes + head->url_bytes +
	       head->charset_bytes;
}

static char *next_text(const char **at, size_t length)
{
	char *text = length > 0 ? g_strndup(*at, length) : NULL;
	*at += length;
	return text;
}

/* Of an enclosed file, a copy that nothing lies behind. */
static void *received_file(const JobPacket *packet, const WireJob *head, const char *enclosed)
{
	if (head->size == 0)
		return NULL;
	if (head->enclosed)
		return g_memdup2(enclosed, head->size);
	void *data = mmap(NULL, head->size, PROT_READ, MAP_PRIVATE, packet->fd, 0);
	if (data == MAP_FAILED)
		_exit(WIRE_EXIT_MEMORY);
	return data;
}

/* Takes the next job of the packet. False: it is invalid. */
static bool take_job(JobPacket *packet, ReceivedJob *job)
{
	WireFrame frame;
	WireJob *head = &job->head;
	if (wire_next(packet->bytes, packet->length, &packet->position, &frame) != 1 ||
	        frame.kind != WIRE_JOB || frame.length < sizeof *head)
		return false;
	memcpy(head, frame.bytes, sizeof *head);
	uint64_t enclosed = head->enclosed ? head->size : 0;
	if (enclosed > WIRE_ENCLOSED_BYTES ||
	        job_text_bytes(head) + enclosed != frame.length - sizeof *head ||
	        (head->enclosed != 0) != (packet->fd < 0) || head->ratio == 0 ||
	        head->purpose >= N_JOB_PURPOSES)
		return false;
	const char *at = (const char *)frame.bytes + sizeof *head;
	job->name = g_strndup(at, head->name_bytes);
	at += head->name_bytes;
	job->member = next_text(&at, head->member_bytes);
	job->url = next_text(&at, head->url_bytes);
	job->charset = next_text(&at, head->charset_bytes);
	job->data = received_file(packet, head, at);
	return true;
}

static void received_job_clear(ReceivedJob *job)
{
	if (job->head.enclosed)
		g_free(job->data);
	else if (job->data)
		munmap(job->data, job->head.size);
	g_free(job->name);
	g_free(job->member);
	g_free(job->url);
	g_free(job->charset);
}

static bool send_packet(WirePacket *packet, void *data)
{
	return wire_send(*(int *)data, packet, -1);
}

static uint64_t cpu_us(void)
{
	struct timespec used;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
	return (uint64_t)used.tv_sec * G_USEC_PER_SEC + used.tv_nsec / 1000;
}

static void put_done(Conversion *conversion, uint32_t job, uint64_t used_us)
{
	WireDone done = {.job = job, .documents = conversion->documents, .cpu_us = used_us};
	out_put(conversion->out, WIRE_DONE, conversion->left_out, 0, &done, sizeof done, NULL, 0);
}

/* Queues the answer. *clock_us: the CPU time before, and after. */
static void run_job(const ReceivedJob *job, Conversion *conversion, uint64_t *clock_us)
{
	uint64_t started_us = *clock_us;
	conversion->limits = (ExtractLimits){.text_bytes = job->head.text_bytes,
	        .unpacked_bytes = job->head.unpacked_bytes,
	        .members = job->head.members,
	        .depth = job->head.depth,
	        .ratio = job->head.ratio,
	        .wall_ms = job->head.wall_ms,
	        .memory_bytes = job->head.memory_bytes};
	conversion->skip_member = job->head.skip_member;
	conversion->slow = job->head.slow != 0;
	conversion->wanted = job->member;
	conversion->purpose = job->head.purpose;
	conversion->url = job->url;
	conversion->charset = job->charset;
	errno = 0;
	conversion_run(conversion, job->data, job->head.size, job->name);
	*clock_us = cpu_us();
	if (!conversion->stopped)
		put_done(conversion, job->head.job, *clock_us - started_us);
}

/* The state that all jobs share. */
typedef struct {
	int socket_fd;
	WireLane lane;
	const Registry *registry;
	Sniffer *sniffer;
	Out *out;
} Child;

/* Runs the jobs of a packet, and sends the answers when they are old enough, at the end at the
 * latest. Returns the number of jobs; 0: the packet was invalid, or nobody takes the answers. */
static unsigned run_packet(const Child *child, JobPacket *packet)
{
	int64_t sent_us = g_get_monotonic_time();
	uint64_t clock_us = cpu_us();
	unsigned n = 0;
	bool ok = true;
	while (ok && packet->position < packet->length) {
		ReceivedJob job = {.head.enclosed = 1};
		Conversion conversion = {.out = child->out,
		        .registry = child->registry,
		        .sniffer = child->sniffer,
		        .lane = child->lane};
		ok = take_job(packet, &job);
		if (ok)
			run_job(&job, &conversion, &clock_us);
		received_job_clear(&job);
		n++;
		if (ok && g_get_monotonic_time() - sent_us < ANSWER_US)
			continue;
		ok = ok && out_flush(child->out);
		sent_us = g_get_monotonic_time();
	}
	return ok && out_flush(child->out) ? n : 0;
}

/* Receives a packet and runs its jobs. Returns their number; 0: there are no more jobs, -1: the
 * packet was invalid, or nobody takes the answers. */
static int child_serve(const Child *child, uint8_t *buffer)
{
	JobPacket packet = {.bytes = buffer};
	ssize_t length = wire_receive(child->socket_fd, buffer, &packet.fd);
	if (length <= 0)
		return length < 0 ? -1 : 0;
	packet.length = length;
	unsigned n = run_packet(child, &packet);
	if (packet.fd >= 0)
		close(packet.fd);
	return n > 0 ? (int)n : -1;
}

int child_run(int socket_fd, WireLane lane, const Registry *registry, Sniffer *sniffer)
{
	g_autofree uint8_t *buffer = g_malloc(WIRE_PACKET_BYTES);
	g_autofree Out *out = g_new(Out, 1);
	const Child child = {socket_fd, lane, registry, sniffer, out};
	int left = lane == LANE_CHEAP ? CHILD_JOBS : 1, n = 1;
	out_init(out, send_packet, &socket_fd);
#ifndef __SANITIZE_ADDRESS__
	watch_faults(out);
#endif
	g_log_set_handler("GLib", G_LOG_LEVEL_ERROR | G_LOG_FLAG_FATAL | G_LOG_FLAG_RECURSION,
	        on_glib_error, NULL);
	for (; left > 0 && n > 0; left -= n)
		n = child_serve(&child, buffer);
	return n < 0 ? 1 : 0;
}
