/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/core/child.h"
#include "common/base/autofd.h"
#include "extractors/core/sink.h"
#include <errno.h>
#include <malloc.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

enum { SIGNAL_STACK_BYTES = 64 << 10 };

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
	static const int numbers[] = {SIGSEGV, SIGBUS, SIGABRT, SIGTRAP};
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
	int fd;
} ReceivedJob;

/* Returns 1: a job, 0: no more jobs, -1: an invalid packet. */
static int receive_job(int socket_fd, uint8_t *buffer, ReceivedJob *job)
{
	WireFrame frame;
	size_t position = 0;
	ssize_t length = wire_receive(socket_fd, buffer, &job->fd);
	if (length <= 0)
		return length < 0 ? -1 : 0;
	if (job->fd < 0 || wire_next(buffer, length, &position, &frame) != 1 ||
	        frame.kind != WIRE_JOB || frame.length < sizeof job->head)
		return -1;
	memcpy(&job->head, frame.bytes, sizeof job->head);
	uint64_t rest = frame.length - sizeof job->head;
	if (job->head.name_bytes + (uint64_t)job->head.member_bytes + job->head.url_bytes +
	                        job->head.charset_bytes !=
	                rest ||
	        job->head.ratio == 0 || job->head.purpose >= N_JOB_PURPOSES)
		return -1;
	const char *name = (const char *)frame.bytes + sizeof job->head;
	job->name = g_strndup(name, job->head.name_bytes);
	if (job->head.member_bytes > 0)
		job->member = g_strndup(name + job->head.name_bytes, job->head.member_bytes);
	if (job->head.url_bytes > 0)
		job->url = g_strndup(
		        name + job->head.name_bytes + job->head.member_bytes, job->head.url_bytes);
	if (job->head.charset_bytes > 0)
		job->charset =
		        g_strndup(name + rest - job->head.charset_bytes, job->head.charset_bytes);
	return 1;
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

static uint64_t peak_bytes(void)
{
	struct rusage usage;
	return getrusage(RUSAGE_SELF, &usage) == 0 ? (uint64_t)usage.ru_maxrss << 10 : 0;
}

static void put_done(Conversion *conversion, uint32_t job, uint64_t started_us)
{
	WireDone done = {.job = job,
	        .documents = conversion->documents,
	        .cpu_us = cpu_us() - started_us,
	        .maxrss_bytes = peak_bytes()};
	out_put(conversion->out, WIRE_DONE, conversion->left_out, 0, &done, sizeof done, NULL, 0);
}

static bool run_job(ReceivedJob *job, Conversion *conversion)
{
	uint64_t started_us = cpu_us();
	size_t size = job->head.size;
	void *data = size > 0 ? mmap(NULL, size, PROT_READ, MAP_PRIVATE, job->fd, 0) : NULL;
	if (data == MAP_FAILED)
		_exit(WIRE_EXIT_MEMORY);
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
	conversion_run(conversion, data, size, job->name);
	if (!conversion->stopped)
		put_done(conversion, job->head.job, started_us);
	if (data)
		munmap(data, size);
	return out_flush(conversion->out);
}

int child_run(int socket_fd, WireLane lane, const Registry *registry, Sniffer *sniffer)
{
	g_autofree uint8_t *buffer = g_malloc(WIRE_PACKET_BYTES);
	g_autofree Out *out = g_new(Out, 1);
	int more = 1;
	/* keep freed memory for the next job instead of returning it to the kernel */
	mallopt(M_MMAP_THRESHOLD, 16 << 20);
	mallopt(M_TRIM_THRESHOLD, 64 << 20);
	mallopt(M_TOP_PAD, 256 << 10);
	out_init(out, send_packet, &socket_fd);
#ifndef __SANITIZE_ADDRESS__
	watch_faults(out);
#endif
	g_log_set_handler("GLib", G_LOG_LEVEL_ERROR | G_LOG_FLAG_FATAL | G_LOG_FLAG_RECURSION,
	        on_glib_error, NULL);
	for (unsigned n = lane == LANE_CHEAP ? CHILD_JOBS : 1; n > 0 && more > 0; n--) {
		ReceivedJob job = {.fd = -1};
		Conversion conversion = {
		        .out = out, .registry = registry, .sniffer = sniffer, .lane = lane};
		more = receive_job(socket_fd, buffer, &job);
		if (more > 0 && !run_job(&job, &conversion))
			more = -1;
		if (job.fd >= 0)
			close(job.fd);
		g_free(job.name);
		g_free(job.member);
		g_free(job.url);
		g_free(job.charset);
	}
	return more < 0 ? 1 : 0;
}
