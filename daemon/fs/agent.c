/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/fs/agent-private.h"
#include "common/base/autofd.h"
#include "daemon/fs/agent-launcher.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>

struct Agent {
	const gint *stop; /* atomic; may be NULL */
	char *root;
	int socket; /* -1: not started */
	pid_t pid; /* 0: the agent launcher ends it */
	bool stuck; /* an answer is overdue */
	char *buffer; /* AGENT_BYTES large: receives answers that come too late */
};

Agent *agent_new(const gint *stop, const char *root)
{
	Agent *agent = g_new0(Agent, 1);
	agent->stop = stop;
	agent->root = g_strdup(root);
	agent->socket = -1;
	agent->buffer = g_malloc(AGENT_BYTES);
	return agent;
}

/* SIGKILL takes effect only when the blocking system call returns, which may be never: do not wait.
 */
static void agent_reap(pid_t pid)
{
	enum { TRIES = 20, TRY_US = 1000 };
	kill(pid, SIGKILL);
	for (unsigned i = 0; i < TRIES && waitpid(pid, NULL, WNOHANG) == 0; i++)
		g_usleep(TRY_US);
}

static void agent_end(Agent *agent)
{
	if (agent->socket < 0)
		return;
	autofd_close(&agent->socket);
	agent->socket = -1;
	agent->stuck = false;
	if (agent->pid != 0)
		agent_reap(agent->pid);
}

void agent_free(Agent *agent)
{
	if (!agent)
		return;
	agent_end(agent);
	g_free(agent->buffer);
	g_free(agent->root);
	g_free(agent);
}

static int agent_spawn(int socket, pid_t *pid)
{
	char *arguments[] = {(char[]){"tarsierd"}, (char[]){"--agent"}, NULL};
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t none;
	sigemptyset(&none);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, socket, AGENT_FD);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
	posix_spawnattr_setsigmask(&attributes, &none);
	int code = posix_spawn(pid, "/proc/self/exe", &actions, &attributes, arguments, environ);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attributes);
	return code;
}

/* Returns 0 or an error number. */
static int agent_start(Agent *agent, int socket)
{
	AgentLauncher *launcher = agent_launcher_of_process();
	agent->pid = 0;
	if (!launcher)
		return agent_spawn(socket, &agent->pid);
	return agent_launcher_start(launcher, agent->root, socket) ? 0 : errno;
}

static bool agent_begin(Agent *agent)
{
	int ends[2];
	if (agent->socket >= 0)
		return true;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
		return false;
	autofd ours = ends[0], theirs = ends[1];
	/* If it already has this number, dup2() would keep its close-on-exec flag. */
	autofd high = fcntl(theirs, F_DUPFD_CLOEXEC, AGENT_FD + 1);
	int code = high < 0 ? errno : agent_start(agent, high);
	if (code != 0) {
		errno = code;
		return false;
	}
	agent->socket = autofd_steal(&ours);
	return true;
}

/* Returns false with ETIMEDOUT. It waits in slices so that it sees the stop flag. */
static bool wait_for_answer(Agent *agent, unsigned patience_ms)
{
	enum { SLICE_MS = 50 };
	struct pollfd fd = {agent->socket, POLLIN, 0};
	for (unsigned waited = 0;; waited += SLICE_MS) {
		int slice = MIN((unsigned)SLICE_MS, patience_ms);
		if (poll(&fd, 1, slice) > 0)
			return true;
		if (waited >= patience_ms || (agent->stop && g_atomic_int_get(agent->stop)))
			break;
	}
	errno = ETIMEDOUT;
	return false;
}

static bool take_answer(
        Agent *agent, AgentAnswer *answer, void *body, size_t room, size_t *got_r, int *fd_r)
{
	if (agent_receive(agent->socket, answer, sizeof(*answer), body, room, got_r, fd_r, 1))
		return true;
	int code = errno;
	agent_end(agent); /* The next call starts another process. */
	errno = code == EPIPE ? EIO : code;
	return false;
}

bool agent_is_stuck(Agent *agent)
{
	AgentAnswer answer;
	size_t got;
	autofd fd = -1;
	if (!agent->stuck)
		return false;
	if (wait_for_answer(agent, 0) &&
	        take_answer(agent, &answer, agent->buffer, AGENT_BYTES, &got, &fd))
		agent->stuck = false;
	return agent->stuck;
}

static bool agent_ask(Agent *agent, const AgentCall *call)
{
	const char *path = call->path ? call->path : "";
	int fds[AGENT_FDS] = {call->fd, call->other_fd};
	AgentQuestion question = {.op = call->op, .a = call->a, .b = call->b};
	AgentPacket packet = {&question, path, sizeof(question), strlen(path) + 1, fds, 0};
	if (packet.body_length > AGENT_PATH_BYTES) {
		errno = ENAMETOOLONG;
		return false;
	}
	while (packet.n_fds < AGENT_FDS && fds[packet.n_fds] > 0)
		packet.n_fds++;
	question.n_fds = packet.n_fds;
	if (call->crossings)
		question.crossings = *call->crossings;
	if (agent_send(agent->socket, &packet))
		return true;
	agent_end(agent);
	errno = EIO;
	return false;
}

static int64_t agent_try(Agent *agent, AgentCall *call)
{
	AgentAnswer answer;
	int fd;
	if (agent_is_stuck(agent)) {
		errno = ETIMEDOUT;
		return -1;
	}
	if (!agent_begin(agent) || !agent_ask(agent, call))
		return -1;
	if (!wait_for_answer(agent, AGENT_PATIENCE_MS + call->more_ms)) {
		agent->stuck = true;
		return -1;
	}
	if (!take_answer(agent, &answer, call->out, call->room, &call->got, &fd))
		return -1;
	bool good = answer.result >= 0 && (fd >= 0) == call->returns_fd;
	if (!good) {
		autofd_close(&fd);
		errno = answer.error != 0 ? answer.error : EIO;
		return -1;
	}
	return call->returns_fd ? fd : answer.result;
}

/* True if the agent has died. The position of a list may have moved before. */
static bool may_ask_again(const Agent *agent, const AgentCall *call)
{
	return agent->socket < 0 && errno == EIO && call->op != AGENT_LIST;
}

/* An agent that died, or that may read another directory than the one which is there, is replaced
 * once. */
int64_t agent_call(Agent *agent, AgentCall *call)
{
	bool check = call->op == AGENT_OPEN_ROOT && agent_launcher_of_process();
	call->a = check ? true : call->a;
	int64_t result = agent_try(agent, call);
	if (result >= 0)
		return result;
	if (check && errno == ESTALE)
		agent_end(agent);
	else if (!may_ask_again(agent, call))
		return result;
	if (check) /* the agent is new, and may read what is there now */
		call->a = false;
	return agent_try(agent, call);
}
