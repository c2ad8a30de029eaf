/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/core/parent.h"
#include "extractors/core/child.h"
#include "extractors/core/heap.h"
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct {
	pid_t pid;
	int pidfd;
	uint32_t serial;
} ChildProcess;

typedef struct {
	const ParentSetup *setup;
	GArray *children; /* ChildProcess */
	GArray *polled; /* struct pollfd: the control socket, then children in the same order */
	WirePacket *packet;
	uint8_t *buffer;
} Parent;

/* ---- greeting */

static void append_string(GByteArray *bytes, const char *string)
{
	const char *whole = string ? string : "";
	g_byte_array_append(bytes, (const guint8 *)whole, strlen(whole) + 1);
}

static bool put_plugin(Parent *p, const Plugin *plugin)
{
	const Extractor *extractor = plugin->extractor;
	uint32_t version = registry_version(p->setup->registry, extractor);
	unsigned flags = (plugin->missing ? 0 : 1) | extractor->lane << 1;
	g_autoptr(GByteArray) bytes = g_byte_array_new();
	append_string(bytes, extractor->name);
	append_string(bytes, extractor->library);
	append_string(bytes, plugin->missing);
	for (const char *const *type = extractor->mime_types; *type; type++)
		append_string(bytes, *type);
	for (int tries = 0; tries < 2; tries++) {
		if (wire_put(p->packet, WIRE_PLUGIN, flags, extractor->abi, &version,
		            sizeof version, bytes->data, bytes->len))
			return true;
		if (!wire_send(p->setup->control_fd, p->packet, -1))
			return false;
	}
	return false;
}

static bool parent_greet(Parent *p)
{
	const Registry *registry = p->setup->registry;
	WireHello hello = {WIRE_VERSION, EXTRACTOR_ABI, p->setup->level, registry_count(registry)};
	bool good = wire_put(p->packet, WIRE_HELLO, 0, 0, &hello, sizeof hello, NULL, 0);
	for (size_t i = 0; good && i < registry_count(registry); i++)
		good = put_plugin(p, registry_get(registry, i));
	if (good && !wire_put(p->packet, WIRE_READY, 0, 0, NULL, 0, NULL, 0))
		good = wire_send(p->setup->control_fd, p->packet, -1) &&
		       wire_put(p->packet, WIRE_READY, 0, 0, NULL, 0, NULL, 0);
	return good && wire_send(p->setup->control_fd, p->packet, -1);
}

/* ---- children */

static void close_inherited(const Parent *p)
{
	close(p->setup->control_fd);
	for (guint i = 0; i < p->children->len; i++)
		close(g_array_index(p->children, ChildProcess, i).pidfd);
}

/* Uses _exit(): exit handlers would only copy memory that is shared with the parent. */
static G_NORETURN void parent_run_child(
        const Parent *p, int socket_fd, const WireFork *wanted, pid_t parent)
{
	const SandboxLimits limits = {
	        .parent = parent, .memory_bytes = wanted->memory_bytes, .cpu_s = wanted->cpu_s};
	close_inherited(p);
	if (!sandbox_enter_child(p->setup->sandbox, &limits))
		_exit(WIRE_EXIT_SANDBOX);
	_exit(child_run(socket_fd, wanted->lane, p->setup->registry, p->setup->sniffer));
}

static bool send_child(Parent *p, WireKind kind, const WireChild *child, int fd)
{
	return wire_put(p->packet, kind, 0, 0, child, sizeof *child, NULL, 0) &&
	       wire_send(p->setup->control_fd, p->packet, fd);
}

/* Answers a request whose fork failed as if the child had exited at once. */
static bool parent_report_failed_fork(Parent *p, uint32_t serial)
{
	WireChild none = {.serial = serial, .status = W_EXITCODE(WIRE_EXIT_SANDBOX, 0)};
	return send_child(p, WIRE_EXITED, &none, -1);
}

static bool parent_add_child(Parent *p, pid_t pid, uint32_t serial)
{
	ChildProcess child = {pid, syscall(SYS_pidfd_open, pid, 0), serial};
	WireChild news = {.serial = serial, .pid = pid};
	if (child.pidfd < 0)
		return false;
	g_array_append_val(p->children, child);
	return send_child(p, WIRE_FORKED, &news, child.pidfd);
}

/* Returns -1 to continue, else the exit status. */
static int parent_on_request(Parent *p)
{
	WireFrame frame;
	WireFork wanted;
	size_t position = 0;
	int socket_fd;
	ssize_t length = wire_receive(p->setup->control_fd, p->buffer, &socket_fd);
	if (length <= 0)
		return length == 0 ? 0 : 1;
	if (socket_fd < 0 || wire_next(p->buffer, length, &position, &frame) != 1 ||
	        frame.kind != WIRE_FORK || frame.length != sizeof wanted)
		return 1;
	memcpy(&wanted, frame.bytes, sizeof wanted);
	if (wanted.lane >= N_LANES)
		return 1;
	pid_t parent = getpid(), pid = fork();
	if (pid == 0)
		parent_run_child(p, socket_fd, &wanted, parent);
	close(socket_fd);
	if (pid < 0)
		return parent_report_failed_fork(p, wanted.serial) ? -1 : 1;
	return parent_add_child(p, pid, wanted.serial) ? -1 : 1;
}

static uint64_t parent_micros(struct timeval time)
{
	return (uint64_t)time.tv_sec * G_USEC_PER_SEC + time.tv_usec;
}

static bool parent_reap(Parent *p, guint i)
{
	const ChildProcess child = g_array_index(p->children, ChildProcess, i);
	struct rusage usage;
	int status;
	if (wait4(child.pid, &status, 0, &usage) != child.pid)
		return false;
	close(child.pidfd);
	g_array_remove_index(p->children, i);
	WireChild news = {.serial = child.serial,
	        .pid = child.pid,
	        .status = status,
	        .cpu_us = parent_micros(usage.ru_utime) + parent_micros(usage.ru_stime)};
	return send_child(p, WIRE_EXITED, &news, -1);
}

/* ---- loop */

static int parent_poll(Parent *p)
{
	struct pollfd control = {p->setup->control_fd, POLLIN, 0};
	g_array_set_size(p->polled, 0);
	g_array_append_val(p->polled, control);
	for (guint i = 0; i < p->children->len; i++) {
		struct pollfd child = {
		        g_array_index(p->children, ChildProcess, i).pidfd, POLLIN, 0};
		g_array_append_val(p->polled, child);
	}
	return poll((struct pollfd *)p->polled->data, p->polled->len, -1);
}

static int parent_serve(Parent *p)
{
	for (;;) {
		if (parent_poll(p) < 0 && errno != EINTR)
			return 1;
		const struct pollfd *polled = (const struct pollfd *)p->polled->data;
		for (guint i = p->polled->len; i-- > 1;)
			if (polled[i].revents && !parent_reap(p, i - 1))
				return 1;
		if (!polled[0].revents)
			continue;
		int status = parent_on_request(p);
		if (status >= 0)
			return status;
	}
}

int parent_run(const ParentSetup *setup)
{
	Parent parent = {.setup = setup,
	        .children = g_array_new(FALSE, FALSE, sizeof(ChildProcess)),
	        .polled = g_array_new(FALSE, FALSE, sizeof(struct pollfd)),
	        .packet = g_new(WirePacket, 1),
	        .buffer = g_malloc(WIRE_PACKET_BYTES)};
	parent.packet->used = 0;
	bool greeted = parent_greet(&parent);
	heap_prepare();
	int status = greeted ? parent_serve(&parent) : 1;
	g_array_unref(parent.children);
	g_array_unref(parent.polled);
	g_free(parent.packet);
	g_free(parent.buffer);
	return status;
}
