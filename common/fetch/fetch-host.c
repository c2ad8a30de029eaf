/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/fetch/fetch-host.h"
#include "common/base/autofd.h"
#include "common/base/i18n.h"
#include "common/base/install-dirs.h"
#include "common/sandbox/converter.h"
#include "common/sandbox/program-spawn.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

enum { FETCH_HELLO_TIMEOUT_MS = 10000 };

struct FetchHost {
	pid_t pid;
	int control;
	WirePacket packet;
	uint8_t buffer[WIRE_PACKET_BYTES];
};

/* ---- start */

static char *fetch_host_program(void)
{
	const char *own = g_getenv("TARSIER_FETCH");
	return g_strdup(own && *own ? own : PKGLIBEXECDIR "/tarsier-fetch");
}

/* No proxy, no file of certificates, no settings of the resolver or of libraries. */
static char **fetch_host_environment(void)
{
	static const char *const kept[] = {"ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS"};
	g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
	g_strv_builder_add_many(builder, "LC_ALL=C.UTF-8", "LD_BIND_NOW=1", "MALLOC_ARENA_MAX=1",
	        "PATH=/usr/bin:/bin", "HOME=/nonexistent", NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(kept); i++) {
		const char *value = g_getenv(kept[i]);
		g_autofree char *entry = value ? g_strconcat(kept[i], "=", value, NULL) : NULL;
		if (entry)
			g_strv_builder_add(builder, entry);
	}
	return g_strv_builder_end(builder);
}

static bool fetch_host_receive_hello(FetchHost *host)
{
	struct pollfd ready = {host->control, POLLIN, 0};
	uint32_t level;
	int fd, result;
	do
		result = poll(&ready, 1, FETCH_HELLO_TIMEOUT_MS);
	while (result < 0 && errno == EINTR);
	if (result <= 0)
		return false;
	ssize_t length = wire_receive(host->control, host->buffer, &fd);
	if (fd >= 0)
		close(fd);
	return length > 0 && fd < 0 && fetch_take_hello(host->buffer, length, &level) &&
	       level == SANDBOX_FULL;
}

static bool fetch_host_greet(FetchHost *host, const char *certificates)
{
	return fetch_put_start(&host->packet, certificates) &&
	       wire_send(host->control, &host->packet, -1) && fetch_host_receive_hello(host);
}

static const char *fetch_host_failure(FetchHost *host)
{
	int status;
	/* the socket closes a moment before the process can be reaped */
	kill(host->pid, SIGTERM);
	if (waitpid(host->pid, &status, 0) != host->pid)
		return _("it does not respond");
	host->pid = 0;
	if (WIFEXITED(status) && WEXITSTATUS(status) == WIRE_EXIT_SANDBOX)
		return _("its sandbox cannot be set up, so it does not run");
	return WIFEXITED(status) ? _("it exited immediately") : _("it does not respond");
}

FetchHost *fetch_host_start(const char *certificates, GError **error)
{
	g_autofree char *path = fetch_host_program();
	g_auto(GStrv) environment = fetch_host_environment();
	char *arguments[] = {path, NULL};
	g_autoptr(FetchHost) host = g_new0(FetchHost, 1);
	host->control = -1;
	int result = program_spawn(path, arguments, environment, &host->pid, &host->control);
	if (result != 0) {
		host->pid = 0;
		g_set_error(error, G_FILE_ERROR, g_file_error_from_errno(result), "%s: %s", path,
		        g_strerror(result));
		return NULL;
	}
	if (!fetch_host_greet(host, certificates)) {
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "%s: %s", path,
		        fetch_host_failure(host));
		return NULL;
	}
	return g_steal_pointer(&host);
}

void fetch_host_free(FetchHost *host)
{
	if (!host)
		return;
	autofd_close(&host->control);
	if (host->pid > 0)
		program_kill(host->pid);
	g_free(host);
}

/* ---- messages */

int fetch_host_fd(const FetchHost *host)
{
	return host->control;
}

int fetch_host_request(FetchHost *host, uint32_t serial, const FetchRequest *request)
{
	host->packet.used = 0;
	return fetch_put_request(&host->packet, serial, request)
	               ? wire_send_now(host->control, &host->packet, -1)
	               : -1;
}

int fetch_host_cancel(FetchHost *host, uint32_t serial)
{
	host->packet.used = 0;
	return fetch_put_cancel(&host->packet, serial)
	               ? wire_send_now(host->control, &host->packet, -1)
	               : -1;
}

/* Nobody can change or cut the bytes any more, and there are as many as the answer says. */
static bool fetch_body_is_sound(int body, uint64_t bytes)
{
	const int wanted = F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE;
	struct stat info;
	if (body < 0 || bytes == 0)
		return body < 0 && bytes == 0;
	int seals = fcntl(body, F_GET_SEALS);
	return seals >= 0 && (seals & wanted) == wanted && fstat(body, &info) == 0 &&
	       S_ISREG(info.st_mode) && (uint64_t)info.st_size == bytes;
}

int fetch_host_next(FetchHost *host, uint32_t *serial_r, FetchAnswer *answer, int *body_r)
{
	struct pollfd ready = {host->control, POLLIN, 0};
	autofd body = -1;
	if (poll(&ready, 1, 0) <= 0)
		return 0;
	ssize_t length = wire_receive(host->control, host->buffer, &body);
	if (length <= 0 || !fetch_take_answer(host->buffer, length, serial_r, answer))
		return -1;
	if (fetch_body_is_sound(body, answer->body_bytes)) {
		*body_r = autofd_steal(&body);
		return 1;
	}
	fetch_answer_clear(answer);
	return -1;
}
