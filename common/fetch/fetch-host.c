/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/fetch/fetch-host.h"
#include "common/base/autofd.h"
#include "common/base/i18n.h"
#include "common/fetch/fetch-launcher.h"
#include "common/fetch/fetch-program.h"
#include "common/sandbox/converter.h"
#include "common/sandbox/program-spawn.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>

struct FetchHost {
	FetchLauncher *launcher; /* borrowed; NULL: the program is our child */
	pid_t pid; /* 0: it is reaped, or the launcher's child */
	int control;
	char *path;
	WirePacket packet;
	uint8_t buffer[WIRE_PACKET_BYTES];
};

/* ---- start */

static bool fetch_host_spawn(FetchHost *host, int control, GError **error)
{
	if (host->launcher) {
		if (fetch_launcher_start(host->launcher, control))
			return true;
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED,
		        _("the process that starts %s is gone; restart the daemon"), host->path);
		return false;
	}
	int result = fetch_program_spawn(host->path, control, &host->pid);
	if (result == 0)
		return true;
	host->pid = 0;
	g_set_error(error, G_FILE_ERROR, g_file_error_from_errno(result), "%s: %s", host->path,
	        g_strerror(result));
	return false;
}

FetchHost *fetch_host_start(const char *certificates, GError **error)
{
	g_autoptr(FetchHost) host = g_new0(FetchHost, 1);
	int ends[2] = {-1, -1};
	host->path = fetch_program_path();
	host->launcher = fetch_launcher_of_process();
	bool started = socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0;
	host->control = ends[0];
	if (!started)
		g_set_error(error, G_FILE_ERROR, g_file_error_from_errno(errno), "%s: %s",
		        host->path, g_strerror(errno));
	else
		started = fetch_host_spawn(host, ends[1], error);
	autofd_close(&ends[1]);
	if (!started)
		return NULL;
	/* If this fails, the program is gone, and its socket tells so next. */
	if (fetch_put_start(&host->packet, certificates))
		(void)wire_send_now(host->control, &host->packet, -1);
	return g_steal_pointer(&host);
}

static const char *fetch_host_end_in_words(int status)
{
	if (WIFEXITED(status) && WEXITSTATUS(status) == WIRE_EXIT_SANDBOX)
		return _("its sandbox cannot be set up, so it does not run");
	return WIFEXITED(status) ? _("it exited immediately") : _("it does not respond");
}

/* The socket of a child closes a moment before it can be reaped. */
static const char *fetch_host_failure(FetchHost *host)
{
	int status;
	if (host->pid <= 0)
		return _("it does not respond");
	kill(host->pid, SIGTERM);
	if (waitpid(host->pid, &status, 0) != host->pid)
		return _("it does not respond");
	host->pid = 0;
	return fetch_host_end_in_words(status);
}

/* The end of a program that had not read everything is an error before what was sent last. */
static ssize_t fetch_host_receive_first(FetchHost *host)
{
	autofd none = -1;
	ssize_t length = wire_receive(host->control, host->buffer, &none);
	if (length < 0 && errno == ECONNRESET)
		length = wire_receive(host->control, host->buffer, &none);
	return none < 0 ? length : -1;
}

int fetch_host_greet(FetchHost *host, GError **error)
{
	struct pollfd ready = {host->control, POLLIN, 0};
	uint32_t level;
	int failure, status;
	if (poll(&ready, 1, 0) <= 0)
		return 0;
	ssize_t length = fetch_host_receive_first(host);
	if (length > 0 && fetch_take_hello(host->buffer, length, &level) && level == SANDBOX_FULL)
		return 1;
	const char *why;
	if (length <= 0 || !fetch_take_ended(host->buffer, length, &failure, &status))
		why = fetch_host_failure(host);
	else
		why = failure != 0 ? g_strerror(failure) : fetch_host_end_in_words(status);
	g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "%s: %s", host->path, why);
	return -1;
}

bool fetch_host_wait(FetchHost *host, GError **error)
{
	struct pollfd ready = {host->control, POLLIN, 0};
	int result;
	do
		result = poll(&ready, 1, FETCH_HELLO_TIMEOUT_MS);
	while (result < 0 && errno == EINTR);
	if (result > 0)
		return fetch_host_greet(host, error) > 0;
	g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "%s: %s", host->path,
	        _("it does not respond"));
	return false;
}

void fetch_host_free(FetchHost *host)
{
	if (!host)
		return;
	autofd_close(&host->control);
	if (host->launcher)
		fetch_launcher_stop(host->launcher);
	if (host->pid > 0)
		program_kill(host->pid);
	g_free(host->path);
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
