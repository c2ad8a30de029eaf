/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/sandbox/converter-private.h"
#include "common/base/document-problem.h"
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	GRACE_MS =
	        3000, /* time limit for WIRE_EXITED after a child was killed or closed its socket */
	PACKETS_AT_ONCE = 32,
	JOBS_PER_CHILD = 64,
	LANE_CHANGES_MAX = 3, /* the name was wrong; then members of one other lane, then of two */
};

static gboolean on_readable(int fd, GIOCondition condition, gpointer data);

static Converter *converter_of(const Slot *slot)
{
	return slot->program->converter;
}

/* ---- one child */

static void slot_kill(Slot *slot)
{
	if (slot->pidfd >= 0)
		syscall(SYS_pidfd_send_signal, slot->pidfd, SIGKILL, NULL, 0);
}

void slot_free(Slot *slot)
{
	converter_remove_source(&slot->readable);
	converter_remove_source(&slot->timer);
	g_clear_pointer(&slot->reply, reply_free);
	if (slot->job)
		job_free(slot->job);
	g_queue_clear_full(&slot->next, (GDestroyNotify)job_free);
	if (slot->socket >= 0)
		close(slot->socket);
	if (slot->pidfd >= 0)
		close(slot->pidfd);
	g_free(slot->scope);
	g_free(slot);
}

ConversionJob *slot_take_job(Slot *slot)
{
	ConversionJob *job = slot->job;
	slot->job = NULL;
	slot->suspended = false;
	slot_hold(slot, false);
	converter_remove_source(&slot->timer);
	g_clear_pointer(&slot->reply, reply_free);
	return job;
}

void slot_close(Slot *slot)
{
	slot->closing = true;
	converter_remove_source(&slot->readable);
	if (slot->socket >= 0)
		close(slot->socket);
	slot->socket = -1;
	slot_kill(slot);
}

Slot *slot_open(Program *program, const ConversionJob *job)
{
	Converter *c = program->converter;
	int ends[2];
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
		return NULL;
	Slot *slot = g_new0(Slot, 1);
	g_queue_init(&slot->next);
	slot->program = program;
	slot->serial = ++c->serial;
	slot->lane = job->lane;
	slot->scope = g_strdup(job->scope);
	slot->memory_bytes = job->memory_bytes;
	slot->socket = ends[0];
	slot->pidfd = -1;
	WireFork wanted = {.serial = slot->serial,
	        .lane = job->lane,
	        .memory_bytes = job->memory_bytes,
	        .cpu_s = 2 * (job->limits.wall_ms / 1000) + 10};
	bool asked = host_fork(program->host, &wanted, ends[1]);
	close(ends[1]);
	if (!asked || !g_unix_set_fd_nonblocking(slot->socket, TRUE, NULL)) {
		slot_free(slot);
		return NULL;
	}
	g_debug("converter: child %u for %s", slot->serial, slot->scope);
	slot->readable = converter_add_fd(c, slot->socket, on_readable, slot);
	g_ptr_array_add(c->slots, slot);
	return slot;
}

bool slot_is_warm(const Slot *slot)
{
	return !slot->job && !slot->closing;
}

/* ---- its job */

static void slot_on_document(Document *doc, void *data)
{
	job_take_document(((Slot *)data)->job, doc);
}

static const char *on_plugin(const char *name, uint32_t *version_r, void *data)
{
	const ConverterInfo *info = ((Slot *)data)->program->info;
	for (size_t i = 0; i < info->n_plugins; i++) {
		if (strcmp(info->plugins[i].name, name) != 0)
			continue;
		*version_r = info->plugins[i].version;
		return info->plugins[i].name;
	}
	return NULL;
}

/* WIRE_EXITED did not come: the program does not answer, or the child never existed. */
static gboolean on_exit_timeout(gpointer data)
{
	Slot *slot = data;
	Converter *c = converter_of(slot);
	converter_remove_source(&slot->timer);
	g_message("tarsier-extract does not respond; restarting it");
	c->in_event = true;
	program_abandon(slot->program);
	c->in_event = false;
	converter_dispatch(c);
	return G_SOURCE_REMOVE;
}

/* Kills the child. The result is decided when its death is confirmed. */
static gboolean on_deadline(gpointer data)
{
	Slot *slot = data;
	slot->kill_reason = REASON_LIMIT_TIME;
	converter_remove_source(&slot->timer);
	slot_kill(slot);
	slot->timer = converter_add_timeout(converter_of(slot), GRACE_MS, on_exit_timeout, slot);
	return G_SOURCE_REMOVE;
}

static void slot_signal(const Slot *slot, int number)
{
	syscall(SYS_pidfd_send_signal, slot->pidfd, number, NULL, 0);
}

static void start_deadline(Slot *slot, unsigned ms)
{
	converter_remove_source(&slot->timer);
	slot->deadline_us = g_get_monotonic_time() + ms * INT64_C(1000);
	slot->timer = converter_add_timeout(converter_of(slot), ms, on_deadline, slot);
}

static void stop_child(Slot *slot)
{
	slot->held_us = g_get_monotonic_time();
	converter_remove_source(&slot->timer);
	slot_signal(slot, SIGSTOP);
}

static void continue_child(Slot *slot)
{
	int64_t left_us = MAX(0, slot->deadline_us - slot->held_us);
	slot->held_us = 0;
	slot_signal(slot, SIGCONT);
	if (slot->job)
		start_deadline(slot, left_us / 1000);
}

void slot_hold(Slot *slot, bool hold)
{
	bool may_stop = slot->job && slot->timer && slot->pidfd >= 0 && !slot->closing &&
	                !slot->ended && slot->kill_reason == REASON_NONE;
	if (hold && slot->held_us == 0 && may_stop)
		stop_child(slot);
	else if (!hold && slot->held_us != 0)
		continue_child(slot);
}

void slot_add_time(Slot *slot, int64_t us)
{
	bool is_due = slot->job && slot->timer && !slot->closing && !slot->ended &&
	              slot->held_us == 0 && slot->kill_reason == REASON_NONE;
	int64_t left_us = slot->deadline_us + us - g_get_monotonic_time();
	if (is_due)
		start_deadline(slot, MAX(0, left_us) / 1000);
}

static bool slot_on_bytes(const uint8_t *bytes, size_t length, void *data)
{
	ConversionJob *job = ((Slot *)data)->job;
	return job->callbacks.bytes(bytes, length, job->data);
}

static void slot_on_picture(unsigned width, unsigned height, const uint8_t *pixels, void *data)
{
	ConversionJob *job = ((Slot *)data)->job;
	job->callbacks.picture(width, height, pixels, job->data);
}

/* Appends the job to the packet. False: there is no room. */
static bool put_job(WirePacket *packet, const ConversionJob *job)
{
	WireJob head = {.job = job->number,
	        .skip_member = job->skip_member,
	        .size = job->size,
	        .text_bytes = job->limits.text_bytes,
	        .unpacked_bytes = job->limits.unpacked_bytes,
	        .memory_bytes = job->limits.memory_bytes,
	        .wall_ms = job->limits.wall_ms,
	        .members = job->limits.members,
	        .depth = job->limits.depth,
	        .ratio = MAX(job->limits.ratio, 1),
	        .name_bytes = strlen(job->name),
	        .slow = job->slow,
	        .member_bytes = job->member ? strlen(job->member) : 0,
	        .purpose = job->purpose,
	        .url_bytes = strlen(job->url),
	        .charset_bytes = strlen(job->charset),
	        .enclosed = job->fd < 0};
	gsize enclosed = 0;
	const void *bytes = job->bytes ? g_bytes_get_data(job->bytes, &enclosed) : NULL;
	g_autoptr(GString) rest = g_string_sized_new(enclosed + 256);
	g_string_append(rest, job->name);
	g_string_append(rest, job->member ? job->member : "");
	g_string_append(rest, job->url);
	g_string_append(rest, job->charset);
	g_string_append_len(rest, bytes, enclosed);
	return wire_put(packet, WIRE_JOB, 0, 0, &head, sizeof head, rest->str, rest->len);
}

bool slot_may_share(const Slot *slot, const ConversionJob *first, const ConversionJob *job)
{
	bool small = first->fd < 0 && job->fd < 0;
	bool alone = first->own_child || job->own_child || first->slow || job->slow;
	return small && !alone && slot->lane == LANE_CHEAP && job->lane == LANE_CHEAP &&
	       job->urgent == first->urgent && job->memory_bytes <= slot->memory_bytes &&
	       strcmp(job->scope, slot->scope) == 0;
}

/* Waits for the answer to the job, which was sent. */
static void slot_expect(Slot *slot, ConversionJob *job)
{
	ReplySetup setup = {.job = job->number,
	        .lane = job->lane,
	        .size = job->size,
	        .limits = &job->limits,
	        .followed = slot->next.length > 0,
	        .plugin = on_plugin,
	        .bytes = job->member && job->callbacks.bytes ? slot_on_bytes : NULL,
	        .picture = job->purpose == JOB_PICTURE && job->callbacks.picture ? slot_on_picture
	                                                                         : NULL,
	        .document = slot_on_document,
	        .data = slot};
	slot->job_started_us = slot->slice_us = g_get_monotonic_time();
	slot->job = job;
	slot->reply = reply_new(&setup);
	start_deadline(slot, job_wall_ms(job));
}

bool slot_begin(Slot *slot, GQueue *jobs)
{
	g_autofree WirePacket *packet = g_new(WirePacket, 1);
	const ConversionJob *first = jobs->head->data;
	unsigned n = 0;
	packet->used = 0;
	for (GList *link = jobs->head; link && slot->jobs + n < JOBS_PER_CHILD; link = link->next) {
		if (!put_job(packet, link->data))
			break;
		n++;
	}
	if (n == 0 || !wire_send(slot->socket, packet, first->fd))
		return false;
	slot->jobs += n;
	if (first->urgent)
		g_debug("converter: %s is sent to a child, %u files in all", first->name, n);
	for (; n > 0; n--)
		g_queue_push_tail(&slot->next, g_queue_pop_head(jobs));
	slot_expect(slot, g_queue_pop_head(&slot->next));
	return true;
}

void slot_return_next(Slot *slot, bool own_child)
{
	for (ConversionJob *job; (job = g_queue_pop_head(&slot->next));) {
		job->own_child |= own_child;
		job_restart(converter_of(slot), job);
	}
}

/* ---- end of a job */

/* The answers to the jobs after it follow. Without any, the child is kept if it may have more. */
static void slot_go_on(Slot *slot)
{
	ConversionJob *job = g_queue_pop_head(&slot->next);
	if (job) {
		slot_expect(slot, job);
		slot_hold(slot, converter_of(slot)->held);
	} else if (slot->lane != LANE_CHEAP || slot->jobs >= JOBS_PER_CHILD) {
		slot_close(slot);
	}
}

static void finish_well(Slot *slot)
{
	const WireDone done = *reply_result(slot->reply);
	bool left_out = reply_left_out(slot->reply);
	ConversionJob *job = slot_take_job(slot);
	slot->cpu_us += done.cpu_us;
	converter_of(slot)->failed_starts = 0;
	if (slot->cpu_us > (uint64_t)job->limits.wall_ms * 1000)
		slot->jobs = JOBS_PER_CHILD;
	job_finish(job, &done, left_out);
	slot_go_on(slot);
}

void slot_give_up(Slot *slot)
{
	ConversionJob *job = slot_take_job(slot);
	slot_close(slot);
	job_give_up(job);
}

static void slot_change_lane(Slot *slot)
{
	WireLane lane = reply_lane(slot->reply);
	ConversionJob *job = slot_take_job(slot);
	if (++job->lane_changes > LANE_CHANGES_MAX) {
		slot_return_next(slot, false);
		slot_close(slot);
		job_fail(job, REASON_PROTOCOL, NULL, NULL);
		return;
	}
	slot_go_on(slot);
	job_set_lane(job, lane);
	job_restart(converter_of(slot), job);
}

/* An earlier file may have taken control of the child, so the job is retried once in a new
 * child. */
static bool wants_own_child(const Slot *slot)
{
	if (slot->jobs <= 1 || slot->job->own_child)
		return false;
	return slot->job->own_child = true;
}

static void slot_break_off(Slot *slot, DocReason reason)
{
	bool retry = wants_own_child(slot);
	ConversionJob *job = slot_take_job(slot);
	slot_return_next(slot, false);
	slot_close(slot);
	if (retry)
		job_restart(converter_of(slot), job);
	else
		job_fail(job, reason, NULL, NULL);
}

static DocReason exit_reason(int status, char **detail)
{
	switch (status) {
	case WIRE_EXIT_SANDBOX:
		return REASON_SANDBOX;
	case WIRE_EXIT_MEMORY:
		return REASON_LIMIT_MEMORY;
	case WIRE_EXIT_INPUT:
		return REASON_UNSTABLE;
	default:
		*detail = g_strdup_printf(PROBLEM_EXIT "%d", status);
		return REASON_CRASHED;
	}
}

static DocReason signal_reason(int number, char **detail)
{
	switch (number) {
	case SIGSYS:
		return REASON_FORBIDDEN;
	case SIGXCPU:
		return REASON_LIMIT_TIME;
	case SIGKILL: /* not sent by us: the kernel ran out of memory, or the hard CPU limit was
	                 reached */
		return REASON_LIMIT_MEMORY;
	default:
		*detail = g_strdup_printf(PROBLEM_SIGNAL "%d", number);
		return REASON_CRASHED;
	}
}

static DocReason death_reason(const Slot *slot, char **detail)
{
	if (slot->kill_reason != REASON_NONE)
		return slot->kill_reason;
	if (!slot->exited) {
		*detail = g_strdup(PROBLEM_CLOSED);
		return REASON_PROTOCOL;
	}
	if (WIFSIGNALED(slot->exit_info.status))
		return signal_reason(WTERMSIG(slot->exit_info.status), detail);
	return exit_reason(WEXITSTATUS(slot->exit_info.status), detail);
}

/* Something else killed the child. If the kernel was out of memory, this file may not be the
 * cause. */
static bool was_killed(const Slot *slot)
{
	return slot->kill_reason == REASON_NONE && slot->exited &&
	       WIFSIGNALED(slot->exit_info.status) && WTERMSIG(slot->exit_info.status) == SIGKILL;
}

/* A job is retried if its child was killed from outside or had converted other files before. If a
 * member killed the child, the next attempt skips that member. */
static bool wants_retry(Slot *slot, DocReason reason)
{
	ConversionJob *job = slot->job;
	uint32_t member = reply_open_member(slot->reply);
	if (was_killed(slot) && ++job->kills < JOB_STARTS_MAX)
		return true;
	if (wants_own_child(slot))
		return true;
	if (member == 0 || job->retried || reason == REASON_LIMIT_TIME || reason == REASON_PROTOCOL)
		return false;
	job->skip_member = member;
	return job->retried = true;
}

/* Documents received before the end are valid, unless the child broke the protocol or the
 * sandbox. */
static bool keeps_documents(DocReason reason)
{
	return reason == REASON_CRASHED || reason == REASON_LIMIT_TIME ||
	       reason == REASON_LIMIT_MEMORY;
}

/* A child that crashes sends the answers it has, so that the job without one is the cause. After
 * any other end, it may be one of those after it. */
static bool is_cause_known(const Slot *slot, DocReason reason)
{
	return slot->exited && reason == REASON_CRASHED && WIFSIGNALED(slot->exit_info.status);
}

/* The child is gone before its job was done. */
static void slot_handle_death(Slot *slot)
{
	g_autofree char *detail = NULL;
	DocReason reason = death_reason(slot, &detail);
	bool known = is_cause_known(slot, reason);
	bool retry = wants_retry(slot, reason);
	WireChild exit_info = slot->exit_info;
	if (!retry && keeps_documents(reason))
		reply_fail_open(slot->reply, reason, detail);
	ConversionJob *job = slot_take_job(slot);
	slot_return_next(slot, !known);
	slot_close(slot);
	g_debug("converter: %s died: %s", job->name, document_reason_name(reason));
	if (retry)
		job_restart(converter_of(slot), job);
	else
		job_fail(job, reason, detail, &exit_info);
}

/* ---- frames of a child */

static void on_state(Slot *slot, ReplyState state)
{
	switch (state) {
	case REPLY_MORE:
		break;
	case REPLY_DONE:
		finish_well(slot);
		break;
	case REPLY_OTHER_LANE:
		slot_change_lane(slot);
		break;
	case REPLY_BAD:
		slot_break_off(slot, REASON_PROTOCOL);
		break;
	}
}

static gboolean on_grace_timeout(gpointer data)
{
	Slot *slot = data;
	Converter *c = converter_of(slot);
	c->in_event = true;
	slot_handle_death(slot);
	c->in_event = false;
	converter_dispatch(c);
	return G_SOURCE_REMOVE;
}

/* End of file on the socket. The job waits until the program tells how the child ended. */
static void slot_on_end(Slot *slot)
{
	slot->ended = true;
	converter_remove_source(&slot->readable);
	if (!slot->job) {
		slot_close(slot);
	} else if (slot->exited) {
		slot_handle_death(slot);
	} else {
		converter_remove_source(&slot->timer);
		slot->timer =
		        converter_add_timeout(converter_of(slot), GRACE_MS, on_grace_timeout, slot);
	}
}

/* Takes the frames of one packet, which may answer several jobs. length 0: it is invalid. False if
 * nothing more is read from the child. */
static bool slot_take_packet(Slot *slot, const uint8_t *buffer, size_t length)
{
	size_t position = 0;
	do {
		bool answers = slot->job && length > 0;
		on_state(slot,
		        answers ? reply_packet(slot->reply, buffer, length, &position) : REPLY_BAD);
	} while (!slot->closing && slot->job && position < length);
	return !slot->closing && slot->socket >= 0;
}

/* Reads one packet into the buffer. False if there are no more for now. */
static bool read_packet(Slot *slot, uint8_t buffer[WIRE_PACKET_BYTES])
{
	int fd;
	ssize_t length = wire_receive(slot->socket, buffer, &fd);
	if (length < 0 && errno == EAGAIN)
		return false;
	if (length == 0 || (length < 0 && errno != EMSGSIZE)) {
		slot_on_end(slot);
		return false;
	}
	bool bad = fd >= 0 || length < 0;
	if (fd >= 0)
		close(fd);
	if (!slot->job) {
		slot_close(slot); /* a packet without a job */
		return false;
	}
	return slot_take_packet(slot, buffer, bad ? 0 : length);
}

static gboolean on_readable(int fd, GIOCondition condition, gpointer data)
{
	Slot *slot = data;
	Converter *c = converter_of(slot);
	/* Not on the stack, where it would be cleared for every packet. */
	g_autofree uint8_t *buffer = g_malloc(WIRE_PACKET_BYTES);
	c->in_event = true;
	for (unsigned n = 0; n < PACKETS_AT_ONCE; n++)
		if (!read_packet(slot, buffer))
			break;
	c->in_event = false;
	converter_dispatch(c);
	return G_SOURCE_CONTINUE;
}

/* ---- events from its program */

void slot_on_forked(Slot *slot, int pidfd)
{
	if (slot->pidfd >= 0)
		close(slot->pidfd);
	slot->pidfd = pidfd;
	/* the slot was given up before the child's pidfd arrived */
	if (slot->closing || slot->kill_reason != REASON_NONE)
		slot_kill(slot);
}

void slot_on_exited(Slot *slot, const WireChild *event)
{
	g_autofree uint8_t *buffer = g_malloc(WIRE_PACKET_BYTES);
	slot->exited = true;
	slot->exit_info = *event;
	if (slot->kill_reason == REASON_NONE)
		program_note_exit(slot->program, event->status);
	/* packets sent before the child died still count */
	while (!slot->closing && !slot->ended && read_packet(slot, buffer))
		;
	if (slot->job)
		slot_handle_death(slot);
	g_ptr_array_remove(converter_of(slot)->slots, slot);
}
