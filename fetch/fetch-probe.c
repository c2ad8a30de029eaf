/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fetch-probe.c - what the sandbox must refuse, one try a function */
#include <config.h>
#include "fetch/fetch-sandbox.h"
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <limits.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- files */

static bool probe_open(const char *path, int flags)
{
	int fd = open(path, flags | O_CLOEXEC, 0600);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static bool probe_read_file(void)
{
	return probe_open("/etc/passwd", O_RDONLY);
}

static bool probe_read_directory(void)
{
	return probe_open("/", O_RDONLY | O_DIRECTORY);
}

static bool probe_own_memory(void)
{
	return probe_open("/proc/self/mem", O_RDONLY);
}

static bool probe_write_file(void)
{
	return probe_open("/dev/null", O_WRONLY);
}

static bool probe_create_file(void)
{
	char name[] = "/tmp/tarsier-fetch-probe-XXXXXX";
	int fd = mkstemp(name);
	if (fd < 0)
		return false;
	close(fd);
	unlink(name);
	return true;
}

static bool probe_nameless_file(void)
{
	return probe_open("/tmp", O_TMPFILE | O_RDWR);
}

static bool probe_path(void)
{
	return probe_open("/etc/passwd", O_PATH);
}

static bool probe_link_target(void)
{
	char target[64];
	return readlink("/proc/self/exe", target, sizeof target) >= 0;
}

static bool probe_directory(void)
{
	char name[] = "/tmp/tarsier-fetch-probe-XXXXXX";
	return mkdtemp(name) && rmdir(name) == 0;
}

static bool probe_mode(void)
{
	return fchmod(STDIN_FILENO, 0666) == 0;
}

static bool probe_chdir(void)
{
	return chdir("/") == 0;
}

/* ---- sockets */

static bool probe_socket(int family, int type, int protocol)
{
	int fd = socket(family, type | SOCK_CLOEXEC, protocol);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static bool probe_local_socket(void)
{
	return probe_socket(AF_UNIX, SOCK_STREAM, 0);
}

static bool probe_local_datagram(void)
{
	return probe_socket(AF_UNIX, SOCK_DGRAM, 0);
}

/* A socket of such a pair can send to any local socket. */
static bool probe_datagram_pair(void)
{
	int ends[2];
	if (socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, ends) < 0)
		return false;
	close(ends[0]);
	close(ends[1]);
	return true;
}

static bool probe_netlink(void)
{
	return probe_socket(AF_NETLINK, SOCK_RAW, 0);
}

static bool probe_raw_socket(void)
{
	return probe_socket(AF_INET, SOCK_RAW, IPPROTO_TCP);
}

static bool probe_other_protocol(void)
{
	return probe_socket(AF_INET, SOCK_STREAM, 262 /* IPPROTO_MPTCP */);
}

static bool probe_listen(void)
{
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	bool listening = fd >= 0 && listen(fd, 1) == 0;
	if (fd >= 0)
		close(fd);
	return listening;
}

static bool probe_bind(void)
{
	struct sockaddr_in address = {
	        .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	bool bound = fd >= 0 && bind(fd, (struct sockaddr *)&address, sizeof address) == 0;
	if (fd >= 0)
		close(fd);
	return bound;
}

/* ---- processes */

static bool probe_fork(void)
{
	pid_t pid = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
	if (pid == 0)
		_exit(0);
	if (pid > 0)
		waitpid(pid, NULL, 0);
	return pid > 0;
}

/* If it were possible, a program would run that fails; this process goes on only if it is not. */
static bool probe_execute(void)
{
	static char *const arguments[] = {(char *)"true", NULL};
	pid_t pid = vfork();
	if (pid < 0) /* not even a process: try in this one */
		return execv("/bin/true", arguments) == 0;
	if (pid == 0) {
		execv("/bin/true", arguments);
		_exit(1);
	}
	int status;
	return waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool probe_signal(void)
{
	return kill(getppid() > 0 ? getppid() : 1, 0) == 0;
}

static bool probe_signal_owner(void)
{
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	bool owned = fd >= 0 && fcntl(fd, F_SETOWN, getpid()) == 0;
	if (fd >= 0)
		close(fd);
	return owned;
}

static bool probe_trace(void)
{
	return ptrace(PTRACE_PEEKUSER, INT_MAX, NULL, NULL) != -1 || errno == ESRCH;
}

static bool probe_process(void)
{
	int fd = syscall(SYS_pidfd_open, getpid(), 0);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static bool probe_limits(void)
{
	struct rlimit limit = {0, 0};
	return getrlimit(RLIMIT_CORE, &limit) == 0 && setrlimit(RLIMIT_CORE, &limit) == 0;
}

static bool probe_traceable(void)
{
	return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0;
}

static bool probe_priority(void)
{
	return setpriority(PRIO_PROCESS, 0, 19) == 0;
}

/* ---- memory and the kernel */

static bool probe_executable_memory(void)
{
	void *memory = mmap(
	        NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		return false;
	munmap(memory, 4096);
	return true;
}

static bool probe_shared_memory(void)
{
	int id = shmget(IPC_PRIVATE, 4096, 0600);
	if (id < 0)
		return false;
	shmctl(id, IPC_RMID, NULL);
	return true;
}

static bool probe_namespace(void)
{
	return unshare(CLONE_FS) == 0; /* the same call, and harmless */
}

static bool probe_inotify(void)
{
	int fd = syscall(SYS_inotify_init1, O_CLOEXEC);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static bool probe_working_directory(void)
{
	char path[4096];
	return getcwd(path, sizeof path) != NULL;
}

static bool probe_duplicate(void)
{
	return dup2(STDIN_FILENO, STDIN_FILENO) == STDIN_FILENO;
}

static bool probe_copy(void)
{
	int ends[2];
	if (pipe2(ends, O_CLOEXEC) < 0)
		return false;
	bool copied = write(ends[1], "x", 1) == 1 && tee(ends[0], ends[1], 1, 0) >= 0;
	bool refused = errno == ENOSYS;
	close(ends[0]);
	close(ends[1]);
	return copied || !refused;
}

static const FetchProbe fetch_probes[] = {
        {"read-file", probe_read_file},
        {"read-directory", probe_read_directory},
        {"own-memory", probe_own_memory},
        {"write-file", probe_write_file},
        {"create-file", probe_create_file},
        {"nameless-file", probe_nameless_file},
        {"path", probe_path},
        {"link-target", probe_link_target},
        {"directory", probe_directory},
        {"mode", probe_mode},
        {"chdir", probe_chdir},
        {"local-socket", probe_local_socket},
        {"local-datagram", probe_local_datagram},
        {"datagram-pair", probe_datagram_pair},
        {"netlink", probe_netlink},
        {"raw-socket", probe_raw_socket},
        {"other-protocol", probe_other_protocol},
        {"listen", probe_listen},
        {"bind", probe_bind},
        {"fork", probe_fork},
        {"execute", probe_execute},
        {"signal", probe_signal},
        {"signal-owner", probe_signal_owner},
        {"trace", probe_trace},
        {"process", probe_process},
        {"limits", probe_limits},
        {"traceable", probe_traceable},
        {"priority", probe_priority},
        {"executable-memory", probe_executable_memory},
        {"shared-memory", probe_shared_memory},
        {"namespace", probe_namespace},
        {"inotify", probe_inotify},
        {"working-directory", probe_working_directory},
        {"duplicate", probe_duplicate},
        {"copy", probe_copy},
        {NULL, NULL},
};

const FetchProbe *fetch_sandbox_probes(void)
{
	return fetch_probes;
}
