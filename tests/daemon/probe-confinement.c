/* SPDX-License-Identifier: GPL-3.0-or-later */
/* probe-confinement.c - a preloaded library that tries inside of the daemon or client what it
 * must not do
 *
 * The tries run when the first database is opened. Each writes "NAME allowed" or "NAME refused"
 * into the file PROBE_OUTPUT, which is opened before the confinement. PROBE_DIRECTORY is a
 * directory below a root; it holds "file", "movable" and "removable", and a socket "listener" that
 * somebody else serves, who also has an abstract socket. PROBE_SECRET is a file outside of all
 * roots. */
#include <config.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <termios.h>
#include <unistd.h>

extern char **environ;
static int output = -1;

/* A path in PROBE_DIRECTORY, valid until the next call. */
static const char *probe_path(const char *name)
{
	static char path[4096];
	snprintf(path, sizeof(path), "%s/%s", getenv("PROBE_DIRECTORY"), name);
	return path;
}

static bool try_socket(int family, int type)
{
	int fd = socket(family, type, 0);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static bool try_inet(void)
{
	return try_socket(AF_INET, SOCK_STREAM);
}

static bool try_inet6(void)
{
	return try_socket(AF_INET6, SOCK_DGRAM);
}

static bool try_netlink(void)
{
	return try_socket(AF_NETLINK, SOCK_RAW);
}

static bool try_connect(void)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	memccpy(address.sun_path, probe_path("listener"), '\0', sizeof(address.sun_path) - 1);
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	bool done = connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0;
	close(fd);
	return done;
}

static bool try_executable_memory(void)
{
	void *page = mmap(
	        NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return page != MAP_FAILED && munmap(page, 4096) == 0;
}

/* In a child, which the call may change for good. */
static bool try_in_child(bool (*function)(void))
{
	int status;
	pid_t pid = fork();
	if (pid == 0)
		_exit(function() ? 0 : 1);
	return waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool leave_name_space(void)
{
	return unshare(CLONE_NEWUSER) == 0;
}

static bool try_unshare(void)
{
	return try_in_child(leave_name_space);
}

static bool try_clone_name_space(void)
{
	int status;
	long pid = syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, NULL, NULL, NULL, NULL);
	if (pid == 0)
		_exit(0);
	return pid > 0 && waitpid(pid, &status, 0) == pid;
}

static bool be_traced(void)
{
	return syscall(SYS_ptrace, 0, 0, NULL, NULL) == 0; /* PTRACE_TRACEME */
}

static bool try_ptrace(void)
{
	return try_in_child(be_traced);
}

static bool try_read_process(void)
{
	char from = 1, to = 0;
	struct iovec local = {&to, 1}, remote = {&from, 1};
	return syscall(SYS_process_vm_readv, getpid(), &local, 1, &remote, 1, 0) == 1;
}

static bool try_key(void)
{
	return syscall(SYS_add_key, "user", "tarsier-probe", "x", 1, -2) > 0;
}

static bool try_link(void)
{
	char path[4096];
	strcpy(path, probe_path("file"));
	return link(path, probe_path("link")) == 0;
}

static bool try_symlink(void)
{
	return symlink("file", probe_path("symlink")) == 0;
}

static bool try_times(void)
{
	return utimensat(AT_FDCWD, probe_path("file"), NULL, 0) == 0;
}

static bool try_owner(void)
{
	return chown(probe_path("file"), geteuid(), getegid()) == 0;
}

static bool change_personality(void)
{
	return syscall(SYS_personality, 0) >= 0;
}

static bool try_personality(void)
{
	return try_in_child(change_personality);
}

static bool try_terminal(void)
{
	int fd = posix_openpt(O_RDWR | O_NOCTTY);
	bool done = ioctl(fd, TIOCSTI, "x") == 0 || errno == EIO; /* EIO: a sysctl forbids it */
	close(fd);
	return done;
}

static bool can_open(const char *path, int flags)
{
	int fd = open(path, flags | O_CLOEXEC, 0600);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static bool try_write(void)
{
	return can_open(probe_path("file"), O_WRONLY);
}

static bool try_cut(void)
{
	return truncate(probe_path("file"), 10) == 0;
}

static bool try_create(void)
{
	return can_open(probe_path("new"), O_WRONLY | O_CREAT);
}

static bool try_rename(void)
{
	char path[4096];
	strcpy(path, probe_path("movable"));
	return rename(path, probe_path("moved")) == 0;
}

static bool try_remove(void)
{
	return unlink(probe_path("removable")) == 0;
}

static bool try_execute(void)
{
	int status;
	pid_t pid;
	char *arguments[] = {(char *)"sh", (char *)"-c", (char *)"exit 0", NULL};
	return posix_spawn(&pid, "/bin/sh", NULL, NULL, arguments, environ) == 0 &&
	       waitpid(pid, &status, 0) == pid && status == 0;
}

static bool try_signal(void)
{
	return kill(getppid(), 0) == 0;
}

/* An abstract socket, whose name is the path of the other one. */
static bool try_abstract(void)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	memccpy(address.sun_path + 1, probe_path("abstract"), '\0', sizeof(address.sun_path) - 2);
	bool done = sendto(fd, "x", 1, 0, (struct sockaddr *)&address,
	                    offsetof(struct sockaddr_un, sun_path) + 1 +
	                            strlen(address.sun_path + 1)) == 1;
	close(fd);
	return done;
}

static bool try_read(void)
{
	return can_open(getenv("PROBE_SECRET"), O_RDONLY);
}

static bool try_list(void)
{
	return can_open(getenv("HOME"), O_RDONLY | O_DIRECTORY);
}

static const struct {
	const char *name;
	bool (*function)(void);
} tries[] = {
        {"inet", try_inet},
        {"inet6", try_inet6},
        {"netlink", try_netlink},
        {"connect", try_connect},
        {"executable-memory", try_executable_memory},
        {"unshare", try_unshare},
        {"clone", try_clone_name_space},
        {"ptrace", try_ptrace},
        {"read-process", try_read_process},
        {"key", try_key},
        {"link", try_link},
        {"symlink", try_symlink},
        {"times", try_times},
        {"owner", try_owner},
        {"personality", try_personality},
        {"terminal", try_terminal},
        {"write", try_write},
        {"cut", try_cut},
        {"create", try_create},
        {"rename", try_rename},
        {"remove", try_remove},
        {"execute", try_execute},
        {"signal", try_signal},
        {"abstract", try_abstract},
        {"read", try_read},
        {"list", try_list},
};

__attribute__((constructor)) static void open_output(void)
{
	const char *path = getenv("PROBE_OUTPUT");
	output = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600) : -1;
	unsetenv("PROBE_OUTPUT"); /* for programs that the tries start */
}

int sqlite3_open_v2(const char *path, sqlite3 **db, int flags, const char *vfs)
{
	int (*real)(const char *, sqlite3 **, int, const char *) = (int (*)(
	        const char *, sqlite3 **, int, const char *))dlsym(RTLD_NEXT, "sqlite3_open_v2");
	for (size_t i = 0; output >= 0 && i < sizeof(tries) / sizeof(*tries); i++)
		dprintf(output, "%s %s\n", tries[i].name,
		        tries[i].function() ? "allowed" : "refused");
	close(output);
	output = -1;
	return real(path, db, flags, vfs);
}
