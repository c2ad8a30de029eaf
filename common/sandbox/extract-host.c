/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/sandbox/extract-host.h"
#include "common/base/autofd.h"
#include "common/base/document-problem.h"
#include "common/base/i18n.h"
#include "common/base/install-dirs.h"
#include "common/sandbox/program-spawn.h"
#include <errno.h>
#include <glib.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	MAX_PLUGINS = 256,
	MAX_TYPES = 1024, /* for each plugin */
};

struct Host {
	pid_t pid;
	int control;
	WirePacket packet;
	uint8_t buffer[WIRE_PACKET_BYTES];
	/* the handshake so far */
	bool hello_seen;
	SandboxLevel level;
	GArray *plugins; /* of ConverterPlugin; NULL after the handshake */
};

static const char *const level_names[N_SANDBOX_LEVELS] = {
        [SANDBOX_NONE] = "none",
        [SANDBOX_LANDLOCK] = "landlock",
        [SANDBOX_SECCOMP] = "seccomp",
        [SANDBOX_FULL] = "full",
};

const char *sandbox_level_name(SandboxLevel level)
{
	g_assert(level < N_SANDBOX_LEVELS);
	return level_names[level];
}

/* ---- start */

char *host_program(void)
{
	const char *own = g_getenv("TARSIER_EXTRACT");
	return g_strdup(own && *own ? own : PKGLIBEXECDIR "/tarsier-extract");
}

const char *host_plugin_directory(void)
{
	const char *directory = g_getenv("TARSIER_PLUGINS");
	return directory && *directory ? directory : EXTRACTORDIR;
}

/* The types for other lanes are hundreds, which would make the command line unreadable in ps(1): so
 * they are in the environment. */
static char **extract_environment(char **elsewhere)
{
	static const char *const kept[] = {"TARSIER_PLUGINS", "TARSIER_DEBUG", "TZ", NULL};
	char **environment = program_environment(kept);
	g_autofree char *types = elsewhere ? g_strjoinv(",", elsewhere) : NULL;
	return types ? g_environ_setenv(environment, HOST_ELSEWHERE, types, TRUE) : environment;
}

static bool wants_debug(void)
{
	const char *topics = g_getenv("TARSIER_DEBUG");
	return topics && (strstr(topics, "extract") || strstr(topics, "all"));
}

static char **arguments_for(const char *path, const ConverterOptions *options, char **names)
{
	g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
	g_strv_builder_add(builder, path);
	if (options->background)
		g_strv_builder_add(builder, "--background");
	if (options->draws)
		g_strv_builder_add(builder, "--draw");
	if (options->allow_unsandboxed)
		g_strv_builder_add(builder, "--unsandboxed");
	g_autofree char *ocr = *options->ocr ? g_strconcat("--ocr=", options->ocr, NULL) : NULL;
	if (ocr)
		g_strv_builder_add(builder, ocr);
	if (wants_debug())
		g_strv_builder_add(builder, "--debug");
	g_autofree char *list = names ? g_strjoinv(",", names) : NULL;
	g_autofree char *only = list ? g_strconcat("--only=", list, NULL) : NULL;
	if (only)
		g_strv_builder_add(builder, only);
	return g_strv_builder_end(builder);
}

/* ---- handshake */

void converter_info_free(ConverterInfo *info)
{
	ConverterPlugin *plugins = (ConverterPlugin *)info->plugins;
	for (size_t i = 0; i < info->n_plugins; i++) {
		g_free(plugins[i].name);
		g_free(plugins[i].library);
		g_free(plugins[i].missing);
		g_strfreev(plugins[i].mime_types);
	}
	g_free(plugins);
	g_free(info);
}

/* The next NUL-terminated string of valid UTF-8; NULL if there is none. */
static const char *host_next_string(const WireFrame *frame, size_t *at)
{
	const uint8_t *from = frame->bytes + *at;
	const uint8_t *end = *at < frame->length ? memchr(from, 0, frame->length - *at) : NULL;
	if (!end || !g_utf8_validate((const char *)from, end - from, NULL))
		return NULL;
	*at += end - from + 1;
	return (const char *)from;
}

static bool read_plugin(const WireFrame *frame, ConverterPlugin *plugin)
{
	size_t at = sizeof plugin->version;
	const char *name, *library, *missing, *type;
	if (frame->length < at || frame->a >> 1 >= N_LANES)
		return false;
	memcpy(&plugin->version, frame->bytes, sizeof plugin->version);
	if (!(name = host_next_string(frame, &at)) || !*name ||
	        !(library = host_next_string(frame, &at)) ||
	        !(missing = host_next_string(frame, &at)))
		return false;
	g_autoptr(GStrvBuilder) types = g_strv_builder_new();
	for (unsigned n = 0; n < MAX_TYPES && (type = host_next_string(frame, &at)); n++)
		g_strv_builder_add(types, type);
	plugin->name = g_strdup(name);
	plugin->library = *library ? g_strdup(library) : NULL;
	plugin->missing = *missing ? g_strdup(missing) : NULL;
	plugin->usable = frame->a & 1;
	plugin->lane = frame->a >> 1;
	plugin->mime_types = g_strv_builder_end(types);
	return true;
}

/* 1: the handshake is complete; 0: more frames follow; -1: malformed. */
static int take_hello_frame(Host *host, const WireFrame *frame)
{
	WireHello hello;
	ConverterPlugin plugin = {NULL};
	switch (frame->kind) {
	case WIRE_HELLO:
		if (host->hello_seen || frame->length != sizeof hello)
			return -1;
		memcpy(&hello, frame->bytes, sizeof hello);
		host->hello_seen = true;
		host->level = hello.level;
		return hello.wire_version == WIRE_VERSION && hello.level < N_SANDBOX_LEVELS ? 0
		                                                                            : -1;
	case WIRE_PLUGIN:
		if (!host->hello_seen || host->plugins->len >= MAX_PLUGINS ||
		        !read_plugin(frame, &plugin))
			return -1;
		g_array_append_val(host->plugins, plugin);
		return 0;
	case WIRE_READY:
		return host->hello_seen ? 1 : -1;
	default:
		return -1;
	}
}

static ConverterInfo *host_take_info(Host *host)
{
	ConverterInfo *info = g_new0(ConverterInfo, 1);
	info->level = host->level;
	info->n_plugins = host->plugins->len;
	info->plugins = (ConverterPlugin *)g_array_free(g_steal_pointer(&host->plugins), FALSE);
	return info;
}

/* 1: a packet was received; 0: there is none; -1: the program is gone. */
static int host_receive(Host *host, size_t *length_r)
{
	struct pollfd ready = {host->control, POLLIN, 0};
	int fd = -1;
	if (poll(&ready, 1, 0) <= 0)
		return 0;
	ssize_t length = wire_receive(host->control, host->buffer, &fd);
	if (fd >= 0)
		close(fd);
	*length_r = MAX(length, 0);
	return length > 0 ? 1 : -1;
}

int host_greet(Host *host, ConverterInfo **info_r)
{
	size_t length;
	int received, state = 0;
	while (state == 0 && (received = host_receive(host, &length)) != 0) {
		WireFrame frame;
		size_t position = 0;
		int more = received;
		while (state == 0 && more > 0 &&
		        (more = wire_next(host->buffer, length, &position, &frame)) > 0)
			state = take_hello_frame(host, &frame);
		if (more < 0)
			state = -1;
	}
	if (state > 0)
		*info_r = host_take_info(host);
	return state;
}

/* Ends the program, which may be suspended or may not even die, for as long as that takes at most.
 * Returns whether it ended; *status_r: as in waitpid(2). */
static bool host_end(Host *host, int *status_r)
{
	enum { END_MS = 1000 };
	autofd pidfd = (int)syscall(SYS_pidfd_open, host->pid, 0);
	struct pollfd ended = {pidfd, POLLIN, 0};
	kill(host->pid, SIGTERM);
	kill(host->pid, SIGCONT);
	if (pidfd < 0 || poll(&ended, 1, END_MS) <= 0 ||
	        waitpid(host->pid, status_r, WNOHANG) != host->pid)
		return false;
	host->pid = 0;
	return true;
}

/* The socket closes a moment before the process can be reaped. */
static const char *start_failure(Host *host)
{
	int status;
	if (!host_end(host, &status) || (WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM))
		return PROBLEM_SILENT;
	if (WIFEXITED(status) && WEXITSTATUS(status) == WIRE_EXIT_SANDBOX)
		return PROBLEM_SELF_TEST;
	return PROBLEM_EARLY;
}

void host_fail(Host *host, const char **detail_r, GError **error)
{
	g_autofree char *path = host_program();
	*detail_r = start_failure(host);
	g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "%s: %s", path, _(*detail_r));
	host_free(host);
}

Host *host_begin(const ConverterOptions *options, char **names, char **elsewhere, GError **error)
{
	g_autofree char *path = host_program();
	g_autoptr(Host) host = g_new0(Host, 1);
	g_auto(GStrv) arguments = arguments_for(path, options, names);
	g_auto(GStrv) environment = extract_environment(elsewhere);
	host->control = -1;
	int result = program_spawn(path, arguments, environment, &host->pid, &host->control);
	if (result != 0) {
		host->pid = 0;
		g_set_error(error, G_FILE_ERROR, g_file_error_from_errno(result), "%s: %s", path,
		        g_strerror(result));
		return NULL;
	}
	host->plugins = g_array_new(FALSE, TRUE, sizeof(ConverterPlugin));
	return g_steal_pointer(&host);
}

bool host_wait(Host *host, ConverterInfo **info_r)
{
	int64_t deadline_us = g_get_monotonic_time() + HOST_PATIENCE_MS * INT64_C(1000);
	struct pollfd ready = {host->control, POLLIN, 0};
	int state;
	while ((state = host_greet(host, info_r)) == 0) {
		int64_t left_us = deadline_us - g_get_monotonic_time();
		if (left_us <= 0)
			return false;
		poll(&ready, 1, (int)(left_us / 1000) + 1);
	}
	return state > 0;
}

void host_free(Host *host)
{
	if (!host)
		return;
	autofd_close(&host->control);
	if (host->plugins)
		converter_info_free(host_take_info(host));
	if (host->pid > 0)
		program_kill(host->pid);
	g_free(host);
}

/* ---- children */

int host_fd(const Host *host)
{
	return host->control;
}

bool host_fork(Host *host, const WireFork *wanted, int child_fd)
{
	host->packet.used = 0;
	return wire_put(&host->packet, WIRE_FORK, wanted->lane, 0, wanted, sizeof *wanted, NULL,
	               0) &&
	       wire_send(host->control, &host->packet, child_fd);
}

int host_next(Host *host, HostEvent *event)
{
	struct pollfd ready = {host->control, POLLIN, 0};
	WireFrame frame;
	size_t position = 0;
	if (poll(&ready, 1, 0) <= 0)
		return 0;
	ssize_t length = wire_receive(host->control, host->buffer, &event->pidfd);
	if (length > 0 && wire_next(host->buffer, length, &position, &frame) == 1 &&
	        (frame.kind == WIRE_FORKED || frame.kind == WIRE_EXITED) &&
	        frame.length == sizeof event->child) {
		event->kind = frame.kind;
		memcpy(&event->child, frame.bytes, sizeof event->child);
		return 1;
	}
	if (event->pidfd >= 0)
		close(event->pidfd);
	return -1;
}
