/* SPDX-License-Identifier: GPL-3.0-or-later */
/* weaken.c - runs a program as if the kernel lacked a feature
 *
 * weaken LACKS[,LACKS...] PROGRAM [ARGUMENTS]. LACKS is the name of a system call, which is refused
 * from then on, or landlock=N: Landlock has only the features of ABI N. */
#include <config.h>
#include "common/base/autofd.h"
#include "common/ipc/wire.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <poll.h>
#include <seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- an older Landlock: another process answers instead of the kernel, seccomp_unotify(2) */

/* The rights by ABI, landlock(7). */
static const struct {
	uint64_t bytes, files, network, scopes;
} known[] = {{8, 0x1fff}, {8, 0x3fff}, {8, 0x7fff}, {16, 0x7fff, 3}, {16, 0xffff, 3},
        {24, 0xffff, 3, 3}};

static bool asks_too_much(const struct seccomp_notif *call, unsigned abi)
{
	uint64_t wanted[3] = {0};
	g_autofree char *path = g_strdup_printf("/proc/%u/mem", call->pid);
	autofd memory = open(path, O_RDONLY | O_CLOEXEC);
	if (call->data.args[1] > known[abi - 1].bytes)
		return true;
	if (memory < 0 || pread(memory, wanted, call->data.args[1], call->data.args[0]) < 0)
		return false; /* a caller that cannot be inspected gets the old answer */
	return wanted[0] & ~known[abi - 1].files || wanted[1] & ~known[abi - 1].network ||
	       wanted[2] & ~known[abi - 1].scopes;
}

static void answer(int listener, const struct seccomp_notif *call, unsigned abi)
{
	struct seccomp_notif_resp answer = {.id = call->id};
	if (call->data.args[2] == LANDLOCK_CREATE_RULESET_VERSION)
		answer.val = abi;
	else if (asks_too_much(call, abi))
		answer.error = -EINVAL;
	else
		answer.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
	seccomp_notify_respond(listener, &answer);
}

/* Answers until no process is left that could call. */
static G_NORETURN void stand_in(int socket_fd, unsigned abi)
{
	static uint8_t buffer[WIRE_PACKET_BYTES];
	int listener;
	struct seccomp_notif *call;
	struct seccomp_notif_resp *unused;
	if (wire_receive(socket_fd, buffer, &listener) <= 0 || listener < 0)
		_exit(1);
	dup2(listener, 3);
	syscall(SYS_close_range, 4, ~0u, 0);
	seccomp_notify_alloc(&call, &unused);
	for (;;) {
		struct pollfd ready = {3, POLLIN, 0};
		if (poll(&ready, 1, -1) < 0 || ready.revents & POLLHUP)
			_exit(0);
		memset(call, 0, sizeof *call);
		if (seccomp_notify_receive(3, call) == 0)
			answer(3, call, abi);
	}
}

/* The process has no parent, so that the program has no unknown child. */
static void start_stand_in(int socket_fd, unsigned abi)
{
	if (fork() == 0) {
		if (fork() == 0)
			stand_in(socket_fd, abi);
		_exit(0);
	}
	close(socket_fd);
	while (waitpid(-1, NULL, 0) < 0 && errno == EINTR)
		;
}

/* ---- missing features */

static bool take_away(scmp_filter_ctx context, const char *lacks, unsigned *abi)
{
	if (sscanf(lacks, "landlock=%u", abi) == 1 && *abi >= 1 && *abi <= G_N_ELEMENTS(known))
		return seccomp_rule_add(
		               context, SCMP_ACT_NOTIFY, SCMP_SYS(landlock_create_ruleset), 0) == 0;
	int call = seccomp_syscall_resolve_name(lacks);
	return call >= 0 && seccomp_rule_add(context, SCMP_ACT_ERRNO(EPERM), call, 0) == 0;
}

int main(int argc, char **argv)
{
	unsigned abi = 0;
	int ends[2] = {-1, -1};
	scmp_filter_ctx context = seccomp_init(SCMP_ACT_ALLOW);
	g_auto(GStrv) lacks = g_strsplit(argc > 2 ? argv[1] : "", ",", -1);
	bool good = context && argc > 2 &&
	            socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0;
	for (char **lack = lacks; good && *lack; lack++)
		good = take_away(context, *lack, &abi);
	if (good && abi > 0)
		start_stand_in(ends[1], abi);
	if (!good || seccomp_load(context) != 0) {
		fprintf(stderr, "weaken: that cannot be taken away\n");
		return 2;
	}
	if (abi > 0) {
		WirePacket packet = {0};
		int listener = seccomp_notify_fd(context);
		wire_put(&packet, WIRE_ALIVE, 0, 0, NULL, 0, NULL, 0);
		good = wire_send(ends[0], &packet, listener);
		close(listener);
	}
	seccomp_release(context);
	if (good)
		execv(argv[2], argv + 2);
	perror(argv[2]);
	return 2;
}
