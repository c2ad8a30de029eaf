/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/sandbox/extract-host.h"
#include "common/base/autofd.h"
#include "common/base/i18n.h"
#include "common/base/install-dirs.h"
#include "common/sandbox/program-spawn.h"
#include <errno.h>
#include <glib.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

enum {
	HELLO_TIMEOUT_MS = 10000,
	MAX_PLUGINS = 256,
	MAX_TYPES = 1024, /* for each plugin */
};

struct Host {
	pid_t pid;
	int control;
	WirePacket packet;
	uint8_t buffer[WIRE_PACKET_BYTES];
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

static void add_list(GStrvBuilder *builder, const char *head, char **list)
{
	g_autofree char *joined = list ? g_strjoinv(",", list) : NULL;
	g_autofree char *argument = list ? g_strconcat(head, joined, NULL) : NULL;
	if (argument)
		g_strv_builder_add(builder, argument);
}

/* The environment of the program holds only these names: no LD_*, GCONV_PATH, MAGIC or
 * XML_CATALOG_FILES. It also holds the types for other lanes: hundreds, which would make the
 * command line unreadable in ps(1). */
static char **clean_environment(char **elsewhere)
{
	static const char *const kept[] = {"TARSIER_PLUGINS", "TARSIER_DEBUG", "TZ", "ASAN_OPTIONS",
	        "UBSAN_OPTIONS", "LSAN_OPTIONS"};
	g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
	g_strv_builder_add_many(builder, "LC_ALL=C.UTF-8", "LD_BIND_NOW=1", "MALLOC_ARENA_MAX=1",
	        "PATH=/usr/bin:/bin", "HOME=/nonexistent", NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(kept); i++) {
		const char *value = g_getenv(kept[i]);
		g_autofree char *entry = value ? g_strconcat(kept[i], "=", value, NULL) : NULL;
		if (entry)
			g_strv_builder_add(builder, entry);
	}
	add_list(builder, HOST_ELSEWHERE "=", elsewhere);
	return g_strv_builder_end(builder);
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
	if (options->allow_unsandboxed)
		g_strv_builder_add(builder, "--unsandboxed");
	g_autofree char *ocr = *options->ocr ? g_strconcat("--ocr=", options->ocr, NULL) : NULL;
	if (ocr)
		g_strv_builder_add(builder, ocr);
	if (wants_debug())
		g_strv_builder_add(builder, "--debug");
	add_list(builder, "--only=", names);
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
static int take_hello_frame(
        ConverterInfo *info, GArray *plugins, const WireFrame *frame, bool *hello_seen)
{
	WireHello hello;
	ConverterPlugin plugin = {NULL};
	switch (frame->kind) {
	case WIRE_HELLO:
		if (*hello_seen || frame->length != sizeof hello)
			return -1;
		memcpy(&hello, frame->bytes, sizeof hello);
		*hello_seen = true;
		info->level = hello.level;
		return hello.wire_version == WIRE_VERSION && hello.level < N_SANDBOX_LEVELS ? 0
		                                                                            : -1;
	case WIRE_PLUGIN:
		if (!*hello_seen || plugins->len >= MAX_PLUGINS || !read_plugin(frame, &plugin))
			return -1;
		g_array_append_val(plugins, plugin);
		return 0;
	case WIRE_READY:
		return *hello_seen ? 1 : -1;
	default:
		return -1;
	}
}

/* 1: a packet; 0: nothing arrived in time; -1: the program is gone. */
static ssize_t receive_until(Host *host, int64_t deadline_us)
{
	int fd = -1;
	struct pollfd ready = {host->control, POLLIN, 0};
	int64_t left_us = deadline_us - g_get_monotonic_time();
	int result = poll(&ready, 1, left_us > 0 ? (int)(left_us / 1000) : 0);
	if (result < 0 && errno == EINTR)
		return receive_until(host, deadline_us);
	if (result <= 0)
		return 0;
	ssize_t length = wire_receive(host->control, host->buffer, &fd);
	if (fd >= 0)
		close(fd);
	return length > 0 ? length : -1;
}

static int read_hello(Host *host, ConverterInfo *info, GArray *plugins)
{
	int64_t deadline_us = g_get_monotonic_time() + (int64_t)HELLO_TIMEOUT_MS * 1000;
	bool hello_seen = false;
	for (;;) {
		ssize_t length = receive_until(host, deadline_us);
		if (length <= 0)
			return length;
		WireFrame frame;
		size_t position = 0;
		int more, state = 0;
		while (state == 0 &&
		        (more = wire_next(host->buffer, length, &position, &frame)) != 0)
			state = more < 0 ? -1
			                 : take_hello_frame(info, plugins, &frame, &hello_seen);
		if (state != 0)
			return state;
	}
}

static ConverterInfo *receive_hello(Host *host)
{
	g_autoptr(ConverterInfo) info = g_new0(ConverterInfo, 1);
	GArray *plugins = g_array_new(FALSE, TRUE, sizeof(ConverterPlugin));
	int state = read_hello(host, info, plugins);
	info->n_plugins = plugins->len;
	info->plugins = (ConverterPlugin *)g_array_free(plugins, FALSE);
	return state > 0 ? g_steal_pointer(&info) : NULL;
}

static const char *start_failure(Host *host)
{
	int status;
	/* The socket closes a moment before the process can be reaped. */
	kill(host->pid, SIGTERM);
	if (waitpid(host->pid, &status, 0) != host->pid)
		return _("it does not respond");
	host->pid = 0;
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM)
		return _("it does not respond");
	if (WIFEXITED(status) && WEXITSTATUS(status) == WIRE_EXIT_SANDBOX)
		return _("the sandbox failed its self-test");
	return _("it exited immediately");
}

Host *host_start(const ConverterOptions *options, char **names, char **elsewhere,
        ConverterInfo **info_r, GError **error)
{
	g_autofree char *path = host_program();
	g_autoptr(Host) host = g_new0(Host, 1);
	g_auto(GStrv) arguments = arguments_for(path, options, names);
	g_auto(GStrv) environment = clean_environment(elsewhere);
	host->control = -1;
	int result = program_spawn(path, arguments, environment, &host->pid, &host->control);
	if (result != 0) {
		host->pid = 0;
		g_set_error(error, G_FILE_ERROR, g_file_error_from_errno(result), "%s: %s", path,
		        g_strerror(result));
		return NULL;
	}
	*info_r = receive_hello(host);
	if (!*info_r) {
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "%s: %s", path,
		        start_failure(host));
		return NULL;
	}
	return g_steal_pointer(&host);
}

void host_free(Host *host)
{
	if (!host)
		return;
	autofd_close(&host->control);
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
