/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/fs/agent-launcher.h"
#include "common/base/autofd.h"
#include "daemon/fs/agent-private.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

enum { LAUNCHER_ORDERS_FD = AGENT_FD };

/* A descriptor goes with an order, and a path. */
typedef enum {
	ORDER_AGENT, /* the agent's end of its socket; the root */
	ORDER_CONFIG /* where the answer is to be sent, an AgentAnswer; the file */
} AgentOrder;

/* ---- the launcher's process */

typedef struct {
	pid_t pid;
	int pidfd;
	int socket; /* the agent's end, which tells that the daemon closed its own; -1: it did */
} LaunchedAgent;

typedef struct {
	const AgentLauncherRules *rules;
	GArray *agents; /* of LaunchedAgent */
	GArray *ready; /* of struct pollfd: the orders, then two for each agent */
	char path[AGENT_PATH_BYTES + 1];
} AgentLoop;

/* Signals stay blocked here too. A service manager that stops the service sends one to each
 * process, and is confused by those that end while it does. */
static void agent_child(const AgentLoop *loop, int socket)
{
	prctl(PR_SET_NAME, "tarsier-agent", 0, 0, 0);
	dup2(socket, AGENT_FD);
	syscall(SYS_close_range, AGENT_FD + 1, ~0u, 0);
	loop->rules->confine_agent(loop->path);
	_exit(agent_serve());
}

static void loop_start_agent(AgentLoop *loop, int socket)
{
	if (!loop->rules->is_root(loop->path, loop->rules->data))
		return;
	LaunchedAgent agent = {.pid = fork(), .pidfd = -1, .socket = -1};
	if (agent.pid == 0)
		agent_child(loop, socket);
	if (agent.pid < 0)
		return;
	agent.pidfd = syscall(SYS_pidfd_open, agent.pid, 0);
	if (agent.pidfd < 0) { /* a kernel without them cannot confine the daemon either */
		kill(agent.pid, SIGKILL);
		waitpid(agent.pid, NULL, 0);
		return;
	}
	agent.socket = fcntl(socket, F_DUPFD_CLOEXEC, 0);
	g_array_append_val(loop->agents, agent);
}

static void loop_open_config(const AgentLoop *loop, int reply)
{
	enum { FLAGS = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC };
	bool known = loop->rules->is_config(loop->path, loop->rules->data);
	autofd fd = known ? open(loop->path, FLAGS) : -1;
	AgentAnswer answer = {.result = fd < 0 ? -1 : 0, .error = known ? errno : EACCES};
	(void)agent_send(
	        reply, &(AgentPacket){&answer, NULL, sizeof(answer), 0, (int[]){fd}, fd >= 0});
}

/* False: the daemon has ended, or broke the protocol. */
static bool loop_take_agent_order(AgentLoop *loop)
{
	uint32_t order;
	size_t got;
	autofd fd = -1;
	if (!agent_receive(LAUNCHER_ORDERS_FD, &order, sizeof(order), loop->path, AGENT_PATH_BYTES,
	            &got, &fd, 1) ||
	        fd < 0 || (order != ORDER_AGENT && order != ORDER_CONFIG))
		return false;
	loop->path[got] = '\0';
	if (order == ORDER_AGENT)
		loop_start_agent(loop, fd);
	else
		loop_open_config(loop, fd);
	return true;
}

/* A call that hangs outlives SIGKILL: the end of the process is not waited for. */
static void loop_end_agent(LaunchedAgent *agent)
{
	kill(agent->pid, SIGKILL);
	autofd_close(&agent->socket);
	agent->socket = -1;
}

static void loop_reap_agent(LaunchedAgent *agent)
{
	waitpid(agent->pid, NULL, 0);
	autofd_close(&agent->pidfd);
	autofd_close(&agent->socket);
}

static void loop_collect(AgentLoop *loop)
{
	const struct pollfd orders = {LAUNCHER_ORDERS_FD, POLLIN, 0};
	g_array_set_size(loop->ready, 0);
	g_array_append_val(loop->ready, orders);
	for (guint i = 0; i < loop->agents->len; i++) {
		const LaunchedAgent *agent = &g_array_index(loop->agents, LaunchedAgent, i);
		const struct pollfd both[] = {{agent->pidfd, POLLIN, 0}, {agent->socket, 0, 0}};
		g_array_append_vals(loop->ready, both, G_N_ELEMENTS(both));
	}
}

/* The last agent comes first, so that removing it moves none that is still to come. */
static void loop_look_after_agents(AgentLoop *loop)
{
	const struct pollfd *ready = (const struct pollfd *)(void *)loop->ready->data;
	for (guint i = loop->agents->len; i > 0; i--) {
		LaunchedAgent *agent = &g_array_index(loop->agents, LaunchedAgent, i - 1);
		const struct pollfd *of_agent = ready + 2 * i - 1;
		if (of_agent[0].revents) {
			loop_reap_agent(agent);
			g_array_remove_index_fast(loop->agents, i - 1);
		} else if (of_agent[1].revents) {
			loop_end_agent(agent);
		}
	}
}

static void agent_loop_run(AgentLoop *loop)
{
	for (;;) {
		loop_collect(loop);
		struct pollfd *ready = (struct pollfd *)(void *)loop->ready->data;
		if (poll(ready, loop->ready->len, -1) < 0) {
			if (errno != EINTR)
				return;
			continue;
		}
		loop_look_after_agents(loop);
		if (ready[0].revents && !loop_take_agent_order(loop))
			return;
	}
}

/* Signals stay blocked as in the daemon: the end of its socket ends the launcher. */
static void agent_launcher_main(int orders, const AgentLauncherRules *rules)
{
	prctl(PR_SET_NAME, "tarsier-roots", 0, 0, 0);
	signal(SIGBUS, SIG_DFL);
	dup2(orders, LAUNCHER_ORDERS_FD);
	syscall(SYS_close_range, LAUNCHER_ORDERS_FD + 1, ~0u, 0);
	fcntl(LAUNCHER_ORDERS_FD, F_SETFD, FD_CLOEXEC);
	AgentLoop *loop = g_new0(AgentLoop, 1);
	loop->rules = rules;
	loop->agents = g_array_new(FALSE, FALSE, sizeof(LaunchedAgent));
	loop->ready = g_array_new(FALSE, FALSE, sizeof(struct pollfd));
	const uint8_t level = rules->confine_launcher();
	if (send(LAUNCHER_ORDERS_FD, &level, sizeof(level), MSG_NOSIGNAL) == sizeof(level))
		agent_loop_run(loop);
	for (guint i = 0; i < loop->agents->len; i++)
		kill(g_array_index(loop->agents, LaunchedAgent, i).pid, SIGKILL);
}

/* ---- the daemon */

struct AgentLauncher {
	pid_t pid;
	int orders;
	int level; /* LEVEL_UNREAD: it was not asked yet */
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
		agent_launcher_main(ends[1], rules);
		_exit(0);
	}
	close(ends[1]);
	if (pid < 0) {
		close(ends[0]);
		return NULL;
	}
	agent_launcher = g_new(AgentLauncher, 1);
	*agent_launcher = (AgentLauncher){pid, ends[0], LEVEL_UNREAD};
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
	if (launcher->level != -1)
		g_warning("the launcher of agents has ended: directories that came after the start "
		          "are not read until the next one");
	launcher->level = -1;
	return false;
}

bool agent_launcher_start(AgentLauncher *launcher, const char *root, int socket)
{
	return agent_launcher_order(launcher, ORDER_AGENT, root, socket);
}

int agent_launcher_open_config(AgentLauncher *launcher, const char *path)
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
