/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent-launcher-serve.c - the processes of the agent launcher
 *
 * launcher: takes orders and forks a worker for each. It makes no call that may hang.
 * spare: waits until the launcher has ended, and is the launcher then.
 * worker: is an agent, or opens one file of the configuration.
 * reader: reads the configuration for a worker that is to be an agent.
 *
 * Workers end with the launcher that forked them. State passes to all of them by fork alone: when
 * a reader reports other roots, the launcher forks another spare. */
#include <config.h>
#include "daemon/fs/agent-private.h"
#include "common/base/autofd.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

enum {
	ORDERS_FD = AGENT_FD, /* in a worker: its socket */
	READER_MS =
	        AGENT_PATIENCE_MS / 2, /* the daemon waits longer for the agent's first answer */
	MOST_HANGING = 16, /* workers that were killed but do not end; then no order is taken */
};

typedef struct {
	pid_t pid;
	int pidfd;
	int socket; /* the worker's end, which tells that the daemon closed its own; -1: it did */
} LaunchedWorker;

typedef struct {
	const AgentLauncherRules *rules;
	GArray *workers; /* of LaunchedWorker */
	GArray *ready; /* of struct pollfd: READY_*, then two for each worker */
	int reports, report; /* both ends of a socket: readers send by the second one */
	int roots; /* from roots_list_new(): as they were last read; -1: there is no memory */
	pid_t spare; /* 0: there is none */
	int spare_pidfd;
	char path[AGENT_PATH_BYTES + 1];
} AgentLoop;

enum { READY_ORDERS, READY_REPORTS, READY_SPARE, READY_WORKERS };

static int open_pidfd(pid_t pid)
{
	return syscall(SYS_pidfd_open, pid, 0);
}

static void loop_forget_worker(LaunchedWorker *worker)
{
	autofd_close(&worker->pidfd);
	autofd_close(&worker->socket);
}

/* In a process that was forked: the daemon waits for the end of these sockets. */
static void loop_forget_workers(AgentLoop *loop)
{
	for (guint i = 0; i < loop->workers->len; i++)
		loop_forget_worker(&g_array_index(loop->workers, LaunchedWorker, i));
	g_array_set_size(loop->workers, 0);
}

/* ---- lists of roots that pass between processes: memory that holds each root and its NUL */

/* Returns a descriptor, or -1. */
static int roots_list_new(const char *const *roots)
{
	autofd fd = memfd_create("roots", MFD_CLOEXEC);
	for (; fd >= 0 && *roots; roots++) {
		ssize_t length = strlen(*roots) + 1;
		if (write(fd, *roots, length) != length)
			return -1;
	}
	return autofd_steal(&fd);
}

static bool roots_list_contains(int fd, const char *root)
{
	struct stat st;
	bool found = false;
	if (fd < 0 || fstat(fd, &st) != 0 || st.st_size == 0)
		return false;
	const char *list = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (list == MAP_FAILED)
		return false;
	for (const char *each = list; each < list + st.st_size; each += strlen(each) + 1)
		found |= strcmp(each, root) == 0;
	munmap((void *)list, st.st_size);
	return found;
}

/* ---- the reader */

static void reader_main(const AgentLoop *loop, int answer)
{
	prctl(PR_SET_NAME, "tarsier-config", 0, 0, 0);
	close(AGENT_FD);
	g_auto(GStrv) roots = loop->rules->read_roots(loop->rules->data);
	if (!roots)
		return;
	autofd list = roots_list_new((const char *const *)roots);
	uint8_t is_root = g_strv_contains((const char *const *)roots, loop->path);
	AgentPacket packet = {&is_root, NULL, sizeof is_root, 0, &list, 1};
	if (list >= 0)
		(void)agent_send(loop->report, &packet);
	(void)!write(answer, &is_root, sizeof is_root);
}

/* ---- workers */

/* Does not outlive its parent, whose pid this is. */
static void launched_end_with_parent(pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	if (getppid() != parent)
		_exit(0);
}

/* Waits for the reader's word for a while. 0 or 1; -1: the configuration cannot be read. */
static int worker_ask_reader(const AgentLoop *loop)
{
	int ends[2];
	uint8_t is_root;
	pid_t self = getpid();
	if (pipe2(ends, O_CLOEXEC) != 0)
		return -1;
	pid_t reader = fork();
	if (reader == 0) {
		launched_end_with_parent(self);
		close(ends[0]);
		reader_main(loop, ends[1]);
		_exit(0);
	}
	close(ends[1]);
	autofd answer = ends[0];
	bool said = reader > 0 && poll(&(struct pollfd){answer, POLLIN, 0}, 1, READER_MS) > 0 &&
	            read(answer, &is_root, sizeof is_root) == sizeof is_root;
	if (reader > 0)
		kill(reader, SIGKILL);
	return said ? is_root : -1;
}

static void worker_be_agent(const AgentLoop *loop)
{
	prctl(PR_SET_NAME, "tarsier-agent", 0, 0, 0);
	int is_root = worker_ask_reader(loop);
	if (is_root == 0 || (is_root < 0 && !roots_list_contains(loop->roots, loop->path)))
		return;
	syscall(SYS_close_range, AGENT_FD + 1, ~0u, 0);
	loop->rules->confine_agent(loop->path);
	agent_serve();
}

static void worker_open_config(const AgentLoop *loop)
{
	enum { FLAGS = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC };
	prctl(PR_SET_NAME, "tarsier-config", 0, 0, 0);
	bool known = loop->rules->is_config(loop->path, loop->rules->data);
	autofd fd = known ? open(loop->path, FLAGS) : -1;
	AgentAnswer answer = {.result = fd < 0 ? -1 : 0, .error = known ? errno : EACCES};
	(void)agent_send(AGENT_FD, &(AgentPacket){&answer, NULL, sizeof(answer), 0, &fd, fd >= 0});
}

/* Signals stay blocked here too. A service manager that stops the service sends one to each
 * process, and is confused by those that end while it does. */
static void worker_main(AgentLoop *loop, AgentOrder order, int socket)
{
	loop_forget_workers(loop);
	signal(SIGCHLD, SIG_IGN); /* its reader leaves nothing behind */
	dup2(socket, AGENT_FD);
	close(socket);
	if (order == ORDER_AGENT)
		worker_be_agent(loop);
	else
		worker_open_config(loop);
}

/* ---- the spare */

/* Returns when the launcher has ended. If the daemon ended, the spare does too. */
static void spare_wait(pid_t launcher)
{
	autofd pidfd = open_pidfd(launcher);
	struct pollfd ready[] = {{pidfd, POLLIN, 0}, {ORDERS_FD, 0, 0}};
	if (getppid() != launcher)
		return;
	while (poll(ready, G_N_ELEMENTS(ready), -1) < 0 && errno == EINTR)
		;
	if (!ready[0].revents)
		_exit(0);
}

/* ---- the launcher */

static void loop_end_spare(AgentLoop *loop)
{
	if (loop->spare == 0)
		return;
	kill(loop->spare, SIGKILL);
	waitpid(loop->spare, NULL, 0);
	autofd_close(&loop->spare_pidfd);
	loop->spare_pidfd = -1;
	loop->spare = 0;
}

/* Returns in the launcher, and in the spare when it has become the launcher. */
static void loop_fork_spare(AgentLoop *loop)
{
	pid_t launcher = getpid(), spare = fork();
	if (spare == 0) {
		loop_forget_workers(loop);
		prctl(PR_SET_NAME, "tarsier-spare", 0, 0, 0);
		spare_wait(launcher);
		prctl(PR_SET_NAME, "tarsier-roots", 0, 0, 0);
		return;
	}
	if (spare < 0)
		return;
	loop->spare = spare;
	loop->spare_pidfd = open_pidfd(spare);
	if (loop->spare_pidfd < 0) /* a kernel without them cannot confine the daemon either */
		loop_end_spare(loop);
}

static unsigned loop_count_hanging(const AgentLoop *loop)
{
	unsigned n = 0;
	for (guint i = 0; i < loop->workers->len; i++)
		n += g_array_index(loop->workers, LaunchedWorker, i).socket < 0;
	return n;
}

static void loop_start_worker(AgentLoop *loop, AgentOrder order, int socket)
{
	pid_t self = getpid();
	if (loop_count_hanging(loop) >= MOST_HANGING)
		return;
	LaunchedWorker worker = {.pid = fork(), .pidfd = -1, .socket = -1};
	if (worker.pid == 0) {
		launched_end_with_parent(self);
		worker_main(loop, order, socket);
		_exit(0);
	}
	if (worker.pid < 0)
		return;
	worker.pidfd = open_pidfd(worker.pid);
	if (worker.pidfd < 0) {
		kill(worker.pid, SIGKILL);
		waitpid(worker.pid, NULL, 0);
		return;
	}
	worker.socket = fcntl(socket, F_DUPFD_CLOEXEC, 0);
	g_array_append_val(loop->workers, worker);
}

/* False: the daemon has ended, or broke the protocol. */
static bool loop_take_agent_order(AgentLoop *loop)
{
	uint32_t order;
	size_t got;
	autofd fd = -1;
	if (!agent_receive(
	            ORDERS_FD, &order, sizeof(order), loop->path, AGENT_PATH_BYTES, &got, &fd, 1) ||
	        fd < 0 || (order != ORDER_AGENT && order != ORDER_CONFIG))
		return false;
	loop->path[got] = '\0';
	loop_start_worker(loop, order, fd);
	return true;
}

static void loop_take_report(AgentLoop *loop)
{
	uint8_t ignored;
	size_t got;
	autofd list = -1;
	if (!agent_receive(loop->reports, &ignored, sizeof ignored, NULL, 0, &got, &list, 1) ||
	        list < 0)
		return;
	autofd_close(&loop->roots);
	loop->roots = autofd_steal(&list);
	loop_end_spare(loop); /* the next one knows these roots */
}

/* A call that hangs outlives SIGKILL: the end of the process is not waited for. */
static void loop_end_worker(LaunchedWorker *worker)
{
	kill(worker->pid, SIGKILL);
	autofd_close(&worker->socket);
	worker->socket = -1;
}

static void loop_reap_worker(LaunchedWorker *worker)
{
	waitpid(worker->pid, NULL, 0);
	loop_forget_worker(worker);
}

static void loop_collect(AgentLoop *loop)
{
	const struct pollfd first[READY_WORKERS] = {[READY_ORDERS] = {ORDERS_FD, POLLIN, 0},
	        [READY_REPORTS] = {loop->reports, POLLIN, 0},
	        [READY_SPARE] = {loop->spare_pidfd, POLLIN, 0}};
	g_array_set_size(loop->ready, 0);
	g_array_append_vals(loop->ready, first, G_N_ELEMENTS(first));
	for (guint i = 0; i < loop->workers->len; i++) {
		const LaunchedWorker *worker = &g_array_index(loop->workers, LaunchedWorker, i);
		const struct pollfd both[] = {{worker->pidfd, POLLIN, 0}, {worker->socket, 0, 0}};
		g_array_append_vals(loop->ready, both, G_N_ELEMENTS(both));
	}
}

/* The last worker comes first, so that removing it moves none that is still to come. */
static void loop_look_after_workers(AgentLoop *loop, const struct pollfd *ready)
{
	for (guint i = loop->workers->len; i > 0; i--) {
		LaunchedWorker *worker = &g_array_index(loop->workers, LaunchedWorker, i - 1);
		const struct pollfd *of_worker = ready + READY_WORKERS + 2 * (i - 1);
		if (of_worker[0].revents) {
			loop_reap_worker(worker);
			g_array_remove_index_fast(loop->workers, i - 1);
		} else if (of_worker[1].revents) {
			loop_end_worker(worker);
		}
	}
}

static void agent_loop_run(AgentLoop *loop)
{
	for (bool goes_on = true; goes_on;) {
		if (loop->spare == 0)
			loop_fork_spare(loop);
		loop_collect(loop);
		struct pollfd *ready = (struct pollfd *)(void *)loop->ready->data;
		if (poll(ready, loop->ready->len, -1) < 0) {
			if (errno != EINTR)
				return;
			continue;
		}
		loop_look_after_workers(loop, ready);
		if (ready[READY_SPARE].revents)
			loop_end_spare(loop);
		if (ready[READY_REPORTS].revents)
			loop_take_report(loop);
		if (ready[READY_ORDERS].revents)
			goes_on = loop_take_agent_order(loop);
	}
}

static AgentLoop *agent_loop_new(const AgentLauncherRules *rules)
{
	int ends[2];
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
		return NULL;
	AgentLoop *loop = g_new0(AgentLoop, 1);
	loop->rules = rules;
	loop->workers = g_array_new(FALSE, FALSE, sizeof(LaunchedWorker));
	loop->ready = g_array_new(FALSE, FALSE, sizeof(struct pollfd));
	loop->reports = ends[0];
	loop->report = ends[1];
	loop->roots = roots_list_new(rules->roots);
	loop->spare_pidfd = -1;
	return loop;
}

/* Signals stay blocked as in the daemon: the end of its socket ends the launcher. */
void agent_launcher_serve(int orders, const AgentLauncherRules *rules)
{
	prctl(PR_SET_NAME, "tarsier-roots", 0, 0, 0);
	signal(SIGBUS, SIG_DFL);
	dup2(orders, ORDERS_FD);
	syscall(SYS_close_range, ORDERS_FD + 1, ~0u, 0);
	fcntl(ORDERS_FD, F_SETFD, FD_CLOEXEC);
	AgentLoop *loop = agent_loop_new(rules);
	const uint8_t level = rules->confine_launcher();
	if (!loop || send(ORDERS_FD, &level, sizeof(level), MSG_NOSIGNAL) != sizeof(level))
		return;
	agent_loop_run(loop);
	loop_end_spare(loop);
	for (guint i = 0; i < loop->workers->len; i++)
		kill(g_array_index(loop->workers, LaunchedWorker, i).pid, SIGKILL);
}
