/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/fs/agent-launcher.h"
#include "common/base/autofd.h"
#include "daemon/fs/agent-private.h"
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>

struct AgentLauncher {
	pid_t pid;
	int orders;
	int level; /* LEVEL_UNREAD: it was not asked yet */
	GSourceFunc ended; /* NULL: nobody is told of the end */
	void *ended_data;
};

enum { LEVEL_UNREAD = -2 };

static AgentLauncher *agent_launcher;

AgentLauncher *agent_launcher_of_process(void)
{
	return agent_launcher;
}

AgentLauncher *agent_launcher_new(const AgentLauncherRules *rules)
{
	int ends[2];
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
		return NULL;
	pid_t pid = fork();
	if (pid == 0) {
		close(ends[0]);
		agent_launcher_serve(ends[1], rules);
		_exit(0);
	}
	close(ends[1]);
	if (pid < 0) {
		close(ends[0]);
		return NULL;
	}
	agent_launcher = g_new(AgentLauncher, 1);
	*agent_launcher = (AgentLauncher){pid, ends[0], LEVEL_UNREAD, NULL, NULL};
	return agent_launcher;
}

void agent_launcher_free(AgentLauncher *launcher)
{
	if (!launcher)
		return;
	agent_launcher = NULL;
	close(launcher->orders);
	while (waitpid(launcher->pid, NULL, 0) < 0 && errno == EINTR)
		;
	g_free(launcher);
}

int agent_launcher_level(AgentLauncher *launcher)
{
	uint8_t level;
	ssize_t got = 0;
	if (launcher->level != LEVEL_UNREAD)
		return launcher->level;
	while ((got = recv(launcher->orders, &level, sizeof(level), 0)) < 0 && errno == EINTR)
		;
	launcher->level = got == sizeof(level) ? level : -1;
	return launcher->level;
}

void agent_launcher_on_end(AgentLauncher *launcher, GSourceFunc ended, void *data)
{
	launcher->ended_data = data;
	g_atomic_pointer_set(&launcher->ended, ended);
}

static void agent_launcher_note_end(AgentLauncher *launcher)
{
	GSourceFunc ended = g_atomic_pointer_get(&launcher->ended);
	if (launcher->level == -1)
		return;
	g_warning("the launcher of agents has ended: directories that came after the start are not "
	          "read until the next one");
	launcher->level = -1;
	if (ended)
		g_idle_add(ended, launcher->ended_data);
}

static bool agent_launcher_order(
        AgentLauncher *launcher, AgentOrder order, const char *path, int fd)
{
	const uint32_t head = order;
	AgentPacket packet = {&head, path, sizeof(head), strlen(path) + 1, &fd, 1};
	if (packet.body_length > AGENT_PATH_BYTES) {
		errno = ENAMETOOLONG;
		return false;
	}
	if (agent_send(launcher->orders, &packet))
		return true;
	agent_launcher_note_end(launcher);
	return false;
}

bool agent_launcher_start(AgentLauncher *launcher, const char *root, int socket)
{
	return agent_launcher_order(launcher, ORDER_AGENT, root, socket);
}

/* -1 with errno; with EPIPE if the process that got the order has died. */
static int agent_launcher_try_config(AgentLauncher *launcher, const char *path)
{
	AgentAnswer answer;
	size_t got;
	int ends[2];
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
		return -1;
	autofd ours = ends[0];
	bool sent = agent_launcher_order(launcher, ORDER_CONFIG, path, ends[1]);
	close(ends[1]);
	int fd = -1;
	/* The file may lie where a server does not answer. */
	if (sent && poll(&(struct pollfd){ours, POLLIN, 0}, 1, AGENT_PATIENCE_MS) == 0) {
		errno = ETIMEDOUT;
		return -1;
	}
	if (!sent || !agent_receive(ours, &answer, sizeof(answer), NULL, 0, &got, &fd, 1))
		return -1;
	if (fd < 0)
		errno = answer.error ? answer.error : EIO;
	return fd;
}

/* Another process takes the order of one that died. */
int agent_launcher_open_config(AgentLauncher *launcher, const char *path)
{
	int fd = agent_launcher_try_config(launcher, path);
	return fd < 0 && errno == EPIPE ? agent_launcher_try_config(launcher, path) : fd;
}
