/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/fetch/fetch-launcher.h"
#include "common/base/autofd.h"
#include "common/fetch/fetch-program.h"
#include "common/ipc/fetch-wire.h"
#include "common/sandbox/confine.h"
#include "common/sandbox/program-spawn.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

/* ---- the launcher's process */

typedef struct {
	const char *path;
	char *partition_path;
	int orders; /* from the daemon */
	pid_t pid; /* of the program; 0: none runs */
	int pidfd, control; /* -1 if none runs */
	pid_t partition; /* of tarsier-partition; 0: none runs */
	int partition_pidfd;
	uint8_t *buffer; /* WIRE_PACKET_BYTES */
	WirePacket *packet;
} LauncherLoop;

/* Tells the daemon by the socket of the program. If there is no room, the end of the socket does.
 */
static void loop_report_end(LauncherLoop *loop, int error, int status)
{
	loop->packet->used = 0;
	if (fetch_put_ended(loop->packet, error, status))
		(void)wire_send_now(loop->control, loop->packet, -1);
	autofd_close(&loop->control);
	loop->control = -1;
}

static void loop_reap(LauncherLoop *loop)
{
	int status = 0;
	while (waitpid(loop->pid, &status, 0) < 0 && errno == EINTR)
		;
	loop->pid = 0;
	autofd_close(&loop->pidfd);
	loop->pidfd = -1;
	loop_report_end(loop, 0, status);
}

static void loop_end_program(LauncherLoop *loop)
{
	if (loop->pid == 0)
		return;
	kill(loop->pid, SIGKILL);
	loop_reap(loop);
}

static void loop_start_program(LauncherLoop *loop, int control)
{
	loop_end_program(loop);
	loop->control = control;
	int error = fetch_program_spawn(loop->path, control, &loop->pid);
	if (error != 0) {
		loop->pid = 0;
		loop_report_end(loop, error, 0);
		return;
	}
	loop->pidfd = syscall(SYS_pidfd_open, loop->pid, 0);
	if (loop->pidfd < 0) /* a kernel that cannot confine the program either */
		loop_end_program(loop);
}

/* ---- tarsier-partition, which ends with its socket */

static void loop_reap_partition(LauncherLoop *loop)
{
	while (loop->partition > 0 && waitpid(loop->partition, NULL, 0) < 0 && errno == EINTR)
		;
	loop->partition = 0;
	autofd_close(&loop->partition_pidfd);
	loop->partition_pidfd = -1;
}

static void loop_end_partition(LauncherLoop *loop)
{
	if (loop->partition > 0)
		kill(loop->partition, SIGKILL);
	loop_reap_partition(loop);
}

/* If it cannot be started, the end of its socket tells so. */
static void loop_start_partition(LauncherLoop *loop, int control)
{
	loop_end_partition(loop);
	if (partition_program_spawn(loop->partition_path, control, &loop->partition) != 0)
		loop->partition = 0;
	close(control);
	if (loop->partition > 0)
		loop->partition_pidfd = syscall(SYS_pidfd_open, loop->partition, 0);
}

/* ---- orders */

/* False: the daemon has ended, or broke the protocol. */
static bool loop_take_order(LauncherLoop *loop)
{
	autofd control = -1;
	ssize_t length = wire_receive(loop->orders, loop->buffer, &control);
	if (length <= 0)
		return false;
	if (fetch_take_launch(loop->buffer, length) && control >= 0)
		loop_start_program(loop, autofd_steal(&control));
	else if (fetch_take_partition(loop->buffer, length) && control >= 0)
		loop_start_partition(loop, autofd_steal(&control));
	else if (fetch_take_stop(loop->buffer, length) && control < 0)
		loop_end_program(loop);
	else
		return false;
	return true;
}

static void loop_run(LauncherLoop *loop)
{
	for (;;) {
		struct pollfd ready[] = {{loop->orders, POLLIN, 0}, {loop->pidfd, POLLIN, 0},
		        {loop->partition_pidfd, POLLIN, 0}};
		if (poll(ready, G_N_ELEMENTS(ready), -1) < 0 && errno != EINTR)
			return;
		if (ready[1].revents)
			loop_reap(loop);
		else if (ready[2].revents)
			loop_reap_partition(loop);
		else if (ready[0].revents && !loop_take_order(loop))
			return;
	}
}

/* Signals stay blocked as in the daemon: the end of its socket ends the launcher. */
static void launcher_prepare(int orders)
{
	prctl(PR_SET_NAME, "tarsier-launch", 0, 0, 0);
	signal(SIGBUS, SIG_DFL);
	dup2(orders, STDERR_FILENO + 1);
	syscall(SYS_close_range, STDERR_FILENO + 2, ~0u, 0);
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	if (null >= 0) {
		dup2(null, STDIN_FILENO);
		dup2(null, STDOUT_FILENO);
		close(null);
	}
}

static void launcher_main(int orders, const char *path, const char *readable)
{
	launcher_prepare(orders);
	LauncherLoop loop = {.path = path,
	        .orders = STDERR_FILENO + 1,
	        .pidfd = -1,
	        .control = -1,
	        .partition_path = partition_program_path(),
	        .partition_pidfd = -1,
	        .buffer = g_malloc(WIRE_PACKET_BYTES),
	        .packet = g_new0(WirePacket, 1)};
	fcntl(loop.orders, F_SETFD, FD_CLOEXEC);
	SandboxLevel level = confine_launcher(path, readable);
	if (!fetch_put_hello(loop.packet, level) || !wire_send(loop.orders, loop.packet, -1))
		return;
	loop_run(&loop);
	loop_end_program(&loop);
	loop_end_partition(&loop);
}

/* ---- the daemon */

struct FetchLauncher {
	pid_t pid;
	int orders;
	SandboxLevel level;
};

static FetchLauncher *launcher_of_process;

FetchLauncher *fetch_launcher_of_process(void)
{
	return launcher_of_process;
}

SandboxLevel fetch_launcher_level(const FetchLauncher *launcher)
{
	return launcher->level;
}

static bool launcher_receive_hello(FetchLauncher *launcher)
{
	g_autofree uint8_t *buffer = g_malloc(WIRE_PACKET_BYTES);
	autofd none = -1;
	uint32_t level;
	ssize_t length = wire_receive(launcher->orders, buffer, &none);
	if (length <= 0 || !fetch_take_hello(buffer, length, &level) || level >= N_SANDBOX_LEVELS)
		return false;
	launcher->level = level;
	return true;
}

FetchLauncher *fetch_launcher_new(const char *readable)
{
	g_autofree char *path = fetch_program_path();
	int ends[2];
	if (access(path, X_OK) < 0 ||
	        socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
		return NULL;
	FetchLauncher *launcher = g_new0(FetchLauncher, 1);
	launcher->orders = ends[0];
	launcher->pid = fork();
	if (launcher->pid == 0) {
		close(ends[0]); /* it may have the number of a standard stream, which stays open */
		launcher_main(ends[1], path, readable);
		_exit(0);
	}
	close(ends[1]);
	launcher_of_process = launcher;
	if (launcher->pid > 0 && launcher_receive_hello(launcher))
		return launcher;
	fetch_launcher_free(launcher);
	return NULL;
}

void fetch_launcher_free(FetchLauncher *launcher)
{
	if (!launcher)
		return;
	launcher_of_process = NULL;
	close(launcher->orders);
	while (launcher->pid > 0 && waitpid(launcher->pid, NULL, 0) < 0 && errno == EINTR)
		;
	g_free(launcher);
}

/* The launcher reads its orders at once, so that there is room. */
bool fetch_launcher_start(FetchLauncher *launcher, int control)
{
	g_autofree WirePacket *packet = g_malloc(sizeof *packet);
	return fetch_put_launch(packet) && wire_send_now(launcher->orders, packet, control) > 0;
}

void fetch_launcher_stop(FetchLauncher *launcher)
{
	g_autofree WirePacket *packet = g_malloc(sizeof *packet);
	if (fetch_put_stop(packet))
		(void)wire_send_now(launcher->orders, packet, -1);
}

bool fetch_launcher_partition(FetchLauncher *launcher, int control)
{
	g_autofree WirePacket *packet = g_malloc(sizeof *packet);
	return fetch_put_partition(packet) && wire_send_now(launcher->orders, packet, control) > 0;
}
