/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/converter.h"
#include "common/autofd.h"
#include "common/host.h"
#include "common/i18n.h"
#include "common/lane.h"
#include "common/reply.h"
#include <errno.h>
#include <glib-unix.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

enum {
	WARM_MS = 2000, /* a child without a job stays this long */
	IDLE_MS = 10000, /* and the program this long */
	GRACE_MS = 3000, /* between the end of a child's socket and the news of its death */
	MAX_STARTS = 5, /* in vain, then the waiting jobs fail */
	MAX_BACKOFF_MS = 60000,
	PACKETS_AT_ONCE = 32,
	JOBS_PER_CHILD = 64,
	CHEAP_BYTES = 32 << 20, /* larger files get a child of their own */
	FREE_BYTES = 10 << 20, /* size that the wall clock limit is meant for */
};

typedef struct {
	int fd;
	uint64_t size;
	char *name;
	ExtractLimits limits;
	ConvertCallbacks callbacks;
	void *data;
	uint32_t number;
	WireLane lane;
	uint64_t memory_bytes;
	uint32_t skip_member;
	bool retried; /* without a member */
	bool bereft; /* the program died under it once */
	bool moved; /* to another lane */
	int64_t started_us;
	/* of the outermost document, once it was delivered */
	DocState state;
	DocReason reason;
	char *detail, *mime;
	const char *extractor;
	uint32_t version, delivered;
} Job;

typedef struct {
	Converter *converter;
	uint32_t serial;
	WireLane lane;
	uint64_t memory_bytes;
	int socket, pidfd; /* -1 none */
	GSource *readable, *timer; /* deadline of the job, or grace */
	Job *job; /* NULL: warm or closing */
	Reply *reply;
	unsigned jobs;
	uint64_t cpu_us;
	DocReason fate; /* why we killed it */
	bool ended, exited; /* its socket; itself */
	bool closing;
	WireChild last; /* of its exit */
} Slot;

struct Converter {
	ConverterOptions options;
	GMainContext *context;
	Host *host; /* NULL: not running */
	GSource *control, *timer; /* timer: idle, or the next start */
	GPtrArray *infos; /* ConverterInfo; the last is the newest */
	GQueue waiting; /* Job */
	GPtrArray *slots; /* Slot */
	uint32_t serial, jobs;
	unsigned starts_in_vain;
	int64_t next_start_us;
	bool inside; /* an event is being handled: what waits is looked at when it is over */
};

static void dispatch(Converter *c);
static void slot_close(Slot *slot);
static gboolean on_readable(int fd, GIOCondition condition, gpointer data);

/* ---- sources */

static void drop_source(GSource **source)
{
	if (!*source)
		return;
	g_source_destroy(*source);
	g_clear_pointer(source, g_source_unref);
}

static GSource *after(Converter *c, unsigned ms, GSourceFunc function, void *data)
{
	GSource *source = g_timeout_source_new(ms);
	g_source_set_callback(source, function, data, NULL);
	g_source_attach(source, c->context);
	return source;
}

static GSource *watch(Converter *c, int fd, GUnixFDSourceFunc function, void *data)
{
	GSource *source = g_unix_fd_source_new(fd, G_IO_IN | G_IO_HUP | G_IO_ERR);
	g_source_set_callback(source, G_SOURCE_FUNC(function), data, NULL);
	g_source_attach(source, c->context);
	return source;
}

/* ---- jobs */

static void job_free(Job *job)
{
	close(job->fd);
	g_free(job->name);
	g_free(job->detail);
	g_free(job->mime);
	g_free(job);
}

static void job_finish(Job *job, const ConvertResult *result)
{
	job->callbacks.done(result, job->data);
	job_free(job);
}

static void job_fail(Job *job, DocReason reason, const char *detail, const WireChild *child)
{
	ConvertResult result = {.state = STATE_FAILED,
	        .reason = reason,
	        .detail = (char *)detail,
	        .mime = job->mime,
	        .extractor = job->extractor,
	        .version = job->version,
	        .documents = job->delivered,
	        .cpu_us = child ? child->cpu_us : 0,
	        .maxrss_bytes = child ? child->maxrss_bytes : 0,
	        .wall_us = job->started_us > 0 ? g_get_monotonic_time() - job->started_us : 0};
	job_finish(job, &result);
}

/* The job begins anew: nothing of the earlier try counts. */
static void job_restart(Converter *c, Job *job)
{
	if (job->delivered > 0 && job->callbacks.restart)
		job->callbacks.restart(job->data);
	job->delivered = 0;
	g_clear_pointer(&job->mime, g_free);
	g_clear_pointer(&job->detail, g_free);
	job->extractor = NULL;
	job->version = 0;
	g_queue_push_head(&c->waiting, job);
}

static void on_document(Document *doc, void *data)
{
	Slot *slot = data;
	Job *job = slot->job;
	job->delivered++;
	if (!doc->member) {
		job->state = doc->state;
		job->reason = doc->reason;
		job->detail = g_strdup(doc->detail);
		job->mime = g_strdup(doc->mime);
		job->version = doc->version;
		job->extractor = g_intern_string(doc->extractor);
	}
	job->callbacks.document(doc, job->data);
}

static const char *on_plugin(const char *name, uint32_t *version_r, void *data)
{
	const ConverterInfo *info = converter_info(((Slot *)data)->converter);
	for (size_t i = 0; i < info->n_plugins; i++) {
		if (strcmp(info->plugins[i].name, name) != 0)
			continue;
		*version_r = info->plugins[i].version;
		return info->plugins[i].name;
	}
	return NULL;
}

/* ---- slots: one child each */

static void slot_kill(Slot *slot)
{
	if (slot->pidfd >= 0)
		syscall(SYS_pidfd_send_signal, slot->pidfd, SIGKILL, NULL, 0);
}

static void slot_free(Slot *slot)
{
	drop_source(&slot->readable);
	drop_source(&slot->timer);
	g_clear_pointer(&slot->reply, reply_free);
	if (slot->job)
		job_free(slot->job);
	if (slot->socket >= 0)
		close(slot->socket);
	if (slot->pidfd >= 0)
		close(slot->pidfd);
	g_free(slot);
}

static Job *slot_take_job(Slot *slot)
{
	Job *job = slot->job;
	slot->job = NULL;
	drop_source(&slot->timer);
	g_clear_pointer(&slot->reply, reply_free);
	return job;
}

/* No more jobs for this child; it stays on the list until it is known to be dead. */
static void slot_close(Slot *slot)
{
	slot->closing = true;
	drop_source(&slot->readable);
	if (slot->socket >= 0)
		close(slot->socket);
	slot->socket = -1;
	slot_kill(slot);
}

static Slot *slot_open(Converter *c, const Job *job)
{
	int ends[2];
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
		return NULL;
	Slot *slot = g_new0(Slot, 1);
	slot->converter = c;
	slot->serial = ++c->serial;
	slot->lane = job->lane;
	slot->memory_bytes = job->memory_bytes;
	slot->socket = ends[0];
	slot->pidfd = -1;
	WireFork wanted = {.serial = slot->serial,
	        .lane = job->lane,
	        .memory_bytes = job->memory_bytes,
	        .cpu_s = 2 * (job->limits.wall_ms / 1000) + 10};
	bool asked = host_fork(c->host, &wanted, ends[1]);
	close(ends[1]);
	if (!asked || !g_unix_set_fd_nonblocking(slot->socket, TRUE, NULL)) {
		slot_free(slot);
		return NULL;
	}
	slot->readable = watch(c, slot->socket, on_readable, slot);
	g_ptr_array_add(c->slots, slot);
	return slot;
}

static unsigned wall_ms(const Job *job)
{
	uint64_t more_ms = job->size > FREE_BYTES ? ((job->size - FREE_BYTES) >> 20) * 1000 : 0;
	return job->limits.wall_ms + MIN(more_ms, job->limits.wall_ms);
}

/* Time is up: what comes of it is decided when it is dead. */
static gboolean on_deadline(gpointer data)
{
	Slot *slot = data;
	slot->fate = REASON_LIMIT_TIME;
	drop_source(&slot->timer);
	slot_kill(slot);
	return G_SOURCE_REMOVE;
}

static bool send_job(Slot *slot, const Job *job)
{
	g_autofree WirePacket *packet = g_new(WirePacket, 1);
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
	        .name_bytes = strlen(job->name)};
	packet->used = 0;
	return wire_put(packet, WIRE_JOB, 0, 0, &head, sizeof head, job->name, head.name_bytes) &&
	       wire_send(slot->socket, packet, job->fd);
}

static bool slot_begin(Slot *slot, Job *job)
{
	ReplySetup setup = {.job = job->number,
	        .lane = job->lane,
	        .size = job->size,
	        .limits = &job->limits,
	        .plugin = on_plugin,
	        .document = on_document,
	        .data = slot};
	if (!send_job(slot, job))
		return false;
	if (job->started_us == 0)
		job->started_us = g_get_monotonic_time();
	slot->job = job;
	slot->jobs++;
	slot->reply = reply_new(&setup);
	slot->timer = after(slot->converter, wall_ms(job), on_deadline, slot);
	return true;
}

/* ---- ends of a job */

static void finish_well(Slot *slot)
{
	const WireDone done = *reply_result(slot->reply);
	Job *job = slot_take_job(slot);
	slot->cpu_us += done.cpu_us;
	slot->converter->starts_in_vain = 0;
	bool spent =
	        slot->jobs >= JOBS_PER_CHILD || slot->cpu_us > (uint64_t)job->limits.wall_ms * 1000;
	if (slot->lane != LANE_CHEAP || spent)
		slot_close(slot);
	ConvertResult result = {.state = job->state,
	        .reason = job->reason,
	        .detail = job->detail,
	        .mime = job->mime,
	        .extractor = job->extractor,
	        .version = job->version,
	        .documents = job->delivered,
	        .cpu_us = done.cpu_us,
	        .maxrss_bytes = done.maxrss_bytes,
	        .wall_us = g_get_monotonic_time() - job->started_us};
	job_finish(job, &result);
}

static void change_lane(Slot *slot)
{
	WireLane lane = reply_lane(slot->reply);
	Job *job = slot_take_job(slot);
	if (job->moved) {
		slot_close(slot);
		job_fail(job, REASON_PROTOCOL, NULL, NULL);
		return;
	}
	job->moved = true;
	job->lane = lane;
	job->memory_bytes = lane_memory(lane, job->name, job->size, &job->limits);
	job_restart(slot->converter, job);
}

static void break_off(Slot *slot, DocReason reason)
{
	Job *job = slot_take_job(slot);
	slot_close(slot);
	job_fail(job, reason, NULL, NULL);
}

static DocReason exit_reason(int status, char **detail)
{
	switch (status) {
	case WIRE_EXIT_JAIL:
		return REASON_JAIL;
	case WIRE_EXIT_MEMORY:
		return REASON_LIMIT_MEMORY;
	case WIRE_EXIT_INPUT:
		return REASON_UNSTABLE;
	default:
		*detail = g_strdup_printf(_("it ended early with status %d"), status);
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
	case SIGKILL: /* not by us: the kernel ran out of memory, or the hard limit of time */
		return REASON_LIMIT_MEMORY;
	default:
		*detail = g_strdup_printf(_("signal %d (%s)"), number, g_strsignal(number));
		return REASON_CRASHED;
	}
}

static DocReason death_reason(const Slot *slot, char **detail)
{
	if (slot->fate != REASON_NONE)
		return slot->fate;
	if (!slot->exited) {
		*detail = g_strdup(_("it closed its connection"));
		return REASON_PROTOCOL;
	}
	if (WIFSIGNALED(slot->last.status))
		return signal_reason(WTERMSIG(slot->last.status), detail);
	return exit_reason(WEXITSTATUS(slot->last.status), detail);
}

/* The child is gone with a job in work. A member that killed it is left out in a second try. */
static void conclude(Slot *slot)
{
	Converter *c = slot->converter;
	g_autofree char *detail = NULL;
	DocReason reason = death_reason(slot, &detail);
	uint32_t member = reply_open_member(slot->reply);
	WireChild last = slot->last;
	Job *job = slot_take_job(slot);
	slot_close(slot);
	g_debug("converter: %s died: %s", job->name, document_reason_name(reason));
	if (member > 0 && !job->retried && reason != REASON_LIMIT_TIME &&
	        reason != REASON_PROTOCOL) {
		job->retried = true;
		job->skip_member = member;
		job_restart(c, job);
	} else {
		job_fail(job, reason, detail, &last);
	}
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
		change_lane(slot);
		break;
	case REPLY_BAD:
		break_off(slot, REASON_PROTOCOL);
		break;
	}
}

static gboolean on_grace_over(gpointer data)
{
	Slot *slot = data;
	Converter *c = slot->converter;
	c->inside = true;
	conclude(slot);
	c->inside = false;
	dispatch(c);
	return G_SOURCE_REMOVE;
}

/* Nothing more comes from this child. Its job waits for the news of how it ended. */
static void on_end(Slot *slot)
{
	slot->ended = true;
	drop_source(&slot->readable);
	if (!slot->job) {
		slot_close(slot);
	} else if (slot->exited) {
		conclude(slot);
	} else {
		drop_source(&slot->timer);
		slot->timer = after(slot->converter, GRACE_MS, on_grace_over, slot);
	}
}

/* Reads what is there. False: nothing more for now. */
static bool read_packet(Slot *slot)
{
	uint8_t buffer[WIRE_PACKET_BYTES];
	int fd;
	ssize_t length = wire_receive(slot->socket, buffer, &fd);
	if (length < 0 && errno == EAGAIN)
		return false;
	if (length == 0 || (length < 0 && errno != EMSGSIZE)) {
		on_end(slot);
		return false;
	}
	bool bad = fd >= 0 || length < 0;
	if (fd >= 0)
		close(fd);
	if (!slot->job) {
		slot_close(slot); /* it speaks without being asked */
		return false;
	}
	on_state(slot, bad ? REPLY_BAD : reply_packet(slot->reply, buffer, length));
	return !slot->closing && slot->socket >= 0;
}

static gboolean on_readable(int fd, GIOCondition condition, gpointer data)
{
	Slot *slot = data;
	Converter *c = slot->converter;
	c->inside = true;
	for (unsigned n = 0; n < PACKETS_AT_ONCE; n++)
		if (!read_packet(slot))
			break;
	c->inside = false;
	dispatch(c);
	return G_SOURCE_CONTINUE;
}

/* ---- news of the parent */

static Slot *find_serial(Converter *c, uint32_t serial)
{
	for (guint i = 0; i < c->slots->len; i++) {
		Slot *slot = c->slots->pdata[i];
		if (slot->serial == serial)
			return slot;
	}
	return NULL;
}

static void on_forked(Slot *slot, int pidfd)
{
	if (slot->pidfd >= 0)
		close(slot->pidfd);
	slot->pidfd = pidfd;
	/* it was given up before we knew it */
	if (slot->closing || slot->fate != REASON_NONE)
		slot_kill(slot);
}

static void on_exited(Slot *slot, const WireChild *news)
{
	slot->exited = true;
	slot->last = *news;
	/* what it said before it died still counts */
	while (!slot->closing && !slot->ended && read_packet(slot))
		;
	if (slot->job)
		conclude(slot);
	g_ptr_array_remove(slot->converter->slots, slot);
}

static void lose_host(Converter *c)
{
	drop_source(&c->control);
	g_clear_pointer(&c->host, host_free);
	c->starts_in_vain++;
	c->next_start_us = g_get_monotonic_time() + (1000LL * 250 << MIN(c->starts_in_vain, 8));
	GPtrArray *slots = c->slots;
	c->slots = g_ptr_array_new_with_free_func((GDestroyNotify)slot_free);
	for (guint i = 0; i < slots->len; i++) {
		Slot *slot = slots->pdata[i];
		Job *job = slot->job ? slot_take_job(slot) : NULL;
		if (job && !job->bereft) {
			job->bereft = true;
			job_restart(c, job);
		} else if (job) {
			job_fail(job, REASON_CRASHED, _("the converter program ended"), NULL);
		}
	}
	g_ptr_array_unref(slots);
}

static gboolean on_control(int fd, GIOCondition condition, gpointer data)
{
	Converter *c = data;
	HostNews news;
	int state;
	c->inside = true;
	while ((state = host_next(c->host, &news)) > 0) {
		Slot *slot = find_serial(c, news.child.serial);
		if (news.kind == WIRE_FORKED && slot)
			on_forked(slot, news.pidfd);
		else if (news.pidfd >= 0)
			close(news.pidfd);
		if (news.kind == WIRE_EXITED && slot)
			on_exited(slot, &news.child);
	}
	if (state < 0) {
		g_message("the converter program ended; starting it again");
		lose_host(c);
	}
	c->inside = false;
	dispatch(c);
	return G_SOURCE_CONTINUE;
}

/* ---- the program */

static bool same_info(const ConverterInfo *a, const ConverterInfo *b)
{
	if (a->level != b->level || a->n_plugins != b->n_plugins)
		return false;
	for (size_t i = 0; i < a->n_plugins; i++)
		if (strcmp(a->plugins[i].name, b->plugins[i].name) != 0 ||
		        a->plugins[i].version != b->plugins[i].version ||
		        a->plugins[i].usable != b->plugins[i].usable)
			return false;
	return true;
}

static bool start(Converter *c, GError **error)
{
	ConverterInfo *info = NULL;
	c->host = host_start(&c->options, &info, error);
	if (!c->host)
		return false;
	if (c->infos->len > 0 && same_info(converter_info(c), info))
		converter_info_free(info);
	else
		g_ptr_array_add(c->infos, info);
	c->control = watch(c, host_fd(c->host), on_control, c);
	return true;
}

static gboolean on_start_again(gpointer data)
{
	Converter *c = data;
	drop_source(&c->timer);
	dispatch(c);
	return G_SOURCE_REMOVE;
}

static void give_up(Converter *c, const char *why)
{
	GQueue jobs = c->waiting;
	g_queue_init(&c->waiting);
	for (Job *job; (job = g_queue_pop_head(&jobs));)
		job_fail(job, REASON_JAIL, why, NULL);
}

/* Runs the program unless it runs. False: not now. */
static bool ensure_host(Converter *c)
{
	g_autoptr(GError) error = NULL;
	int64_t wait_us = c->next_start_us - g_get_monotonic_time();
	if (c->host)
		return true;
	if (wait_us <= 0 && start(c, &error))
		return true;
	if (wait_us <= 0) {
		g_warning("%s", error->message);
		c->starts_in_vain++;
		wait_us = 1000LL * MIN(500u << MIN(c->starts_in_vain, 8), MAX_BACKOFF_MS);
		c->next_start_us = g_get_monotonic_time() + wait_us;
		if (c->starts_in_vain >= MAX_STARTS)
			give_up(c, error->message);
	}
	drop_source(&c->timer);
	if (!g_queue_is_empty(&c->waiting))
		c->timer = after(c, wait_us / 1000 + 1, on_start_again, c);
	return false;
}

/* ---- dispatch */

static unsigned busy(const Converter *c)
{
	unsigned n = 0;
	for (guint i = 0; i < c->slots->len; i++)
		n += ((Slot *)c->slots->pdata[i])->job != NULL;
	return n;
}

static bool is_warm(const Slot *slot)
{
	return !slot->job && !slot->closing;
}

/* A warm child for the job; *other_r gets one that is not fit for it. */
static Slot *find_warm(const Converter *c, const Job *job, Slot **other_r)
{
	*other_r = NULL;
	for (guint i = 0; i < c->slots->len; i++) {
		Slot *slot = c->slots->pdata[i];
		if (!is_warm(slot))
			continue;
		if (slot->lane == job->lane && slot->memory_bytes >= job->memory_bytes)
			return slot;
		*other_r = slot;
	}
	return NULL;
}

static Slot *slot_for(Converter *c, const Job *job)
{
	Slot *other, *warm = find_warm(c, job, &other);
	if (warm)
		return warm;
	if (other)
		slot_close(other);
	return slot_open(c, job);
}

/* False: the program is gone. */
static bool start_next(Converter *c)
{
	Job *job = g_queue_pop_head(&c->waiting);
	Slot *slot = slot_for(c, job);
	if (slot && slot_begin(slot, job))
		return true;
	if (slot)
		slot_close(slot);
	g_queue_push_head(&c->waiting, job);
	/* a warm child may have died unnoticed; a new one that cannot be had means that the parent
	 * has */
	if (!slot)
		lose_host(c);
	return slot != NULL;
}

static gboolean on_idle(gpointer data)
{
	Converter *c = data;
	drop_source(&c->timer);
	drop_source(&c->control);
	g_clear_pointer(&c->host, host_free);
	g_ptr_array_set_size(c->slots, 0);
	return G_SOURCE_REMOVE;
}

static gboolean on_cold(gpointer data)
{
	Converter *c = data;
	drop_source(&c->timer);
	for (guint i = 0; i < c->slots->len; i++)
		if (is_warm(c->slots->pdata[i]))
			slot_close(c->slots->pdata[i]);
	c->timer = after(c, IDLE_MS, on_idle, c);
	return G_SOURCE_REMOVE;
}

static void dispatch(Converter *c)
{
	if (c->inside)
		return;
	c->inside = true;
	while (!g_queue_is_empty(&c->waiting) && busy(c) < c->options.children && ensure_host(c) &&
	        start_next(c))
		;
	c->inside = false;
	if (!c->host)
		return;
	drop_source(&c->timer);
	if (converter_in_work(c) == 0)
		c->timer = after(c, WARM_MS, on_cold, c);
}

/* ---- the interface */

Converter *converter_start(const ConverterOptions *options, GError **error)
{
	g_autoptr(Converter) c = g_new0(Converter, 1);
	c->options = *options;
	c->options.children = MAX(options->children, 1);
	c->context = g_main_context_ref_thread_default();
	c->infos = g_ptr_array_new_with_free_func((GDestroyNotify)converter_info_free);
	c->slots = g_ptr_array_new_with_free_func((GDestroyNotify)slot_free);
	g_queue_init(&c->waiting);
	if (!start(c, error))
		return NULL;
	dispatch(c);
	return g_steal_pointer(&c);
}

void converter_free(Converter *converter)
{
	if (!converter)
		return;
	drop_source(&converter->control);
	drop_source(&converter->timer);
	g_ptr_array_unref(converter->slots);
	g_clear_pointer(&converter->host, host_free);
	g_queue_clear_full(&converter->waiting, (GDestroyNotify)job_free);
	g_ptr_array_unref(converter->infos);
	g_main_context_unref(converter->context);
	g_free(converter);
}

const ConverterInfo *converter_info(const Converter *converter)
{
	return converter->infos->pdata[converter->infos->len - 1];
}

unsigned converter_in_work(const Converter *converter)
{
	return busy(converter) + g_queue_get_length((GQueue *)&converter->waiting);
}

bool converter_has_room(const Converter *converter)
{
	return converter_in_work(converter) < converter->options.children;
}

void converter_submit(Converter *converter, const ConvertRequest *request,
        const ConvertCallbacks *callbacks, void *data)
{
	Job *job = g_new0(Job, 1);
	job->fd = request->fd;
	job->size = request->size;
	job->name = g_strndup(request->name ? request->name : "", NAME_MAX);
	job->limits = request->limits;
	job->callbacks = *callbacks;
	job->data = data;
	job->number = ++converter->jobs;
	job->lane = job->size > CHEAP_BYTES ? LANE_OWN : lane_by_name(job->name);
	job->memory_bytes = lane_memory(job->lane, job->name, job->size, &job->limits);
	g_queue_push_tail(&converter->waiting, job);
	dispatch(converter);
}

/* ---- one conversion, waited for */

typedef struct {
	Document *outermost;
	GPtrArray *members; /* or NULL */
	bool done;
} Run;

static void run_document(Document *doc, void *data)
{
	Run *run = data;
	if (!doc->member && !run->outermost)
		run->outermost = doc;
	else if (doc->member && run->members)
		g_ptr_array_add(run->members, doc);
	else
		document_free(doc);
}

static void run_restart(void *data)
{
	Run *run = data;
	if (run->members)
		g_ptr_array_set_size(run->members, 0);
}

static void run_done(const ConvertResult *result, void *data)
{
	Run *run = data;
	run->done = true;
	if (run->outermost)
		return;
	run->outermost = document_new(NULL);
	run->outermost->state = STATE_FAILED;
	run->outermost->reason = result->reason;
	run->outermost->detail = g_strdup(result->detail);
	run->outermost->mime = g_strdup(result->mime);
	run->outermost->extractor = g_strdup(result->extractor);
	run->outermost->version = result->version;
}

Document *converter_run(Converter *converter, const ConvertRequest *request, GPtrArray *members)
{
	static const ConvertCallbacks callbacks = {run_document, run_restart, run_done};
	Run run = {.members = members};
	converter_submit(converter, request, &callbacks, &run);
	while (!run.done)
		g_main_context_iteration(converter->context, TRUE);
	return run.outermost;
}
