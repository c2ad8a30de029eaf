/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "tests/extractors/hostile/tries.h"
#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

int hostile_input_fd(void)
{
	/* the C library would ask for the status by another call, which is refused */
	struct stat info;
	for (int fd = 3; fd < 64; fd++)
		if (syscall(SYS_fstat, fd, &info) == 0 && S_ISREG(info.st_mode))
			return fd;
	return -1;
}

static long try_open(void)
{
	return open("/etc/passwd", O_RDONLY);
}

static long try_open_directory(void)
{
	return open("/", O_RDONLY | O_DIRECTORY);
}

static long try_open_name(void)
{
	return open("/etc/passwd", O_PATH);
}

static long try_open2(void)
{
	const uint64_t how[3] = {O_RDONLY};
	return syscall(SYS_openat2, AT_FDCWD, "/etc/passwd", how, sizeof how);
}

static long try_own_memory(void)
{
	return open("/proc/self/mem", O_RDWR);
}

static long try_environment(void)
{
	return open("/proc/1/environ", O_RDONLY);
}

static long try_write(void)
{
	return open("/tmp/tarsier-hostile", O_WRONLY | O_CREAT, 0600);
}

static long try_nameless(void)
{
	return open("/tmp", O_TMPFILE | O_RDWR, 0600);
}

static long try_access(void)
{
	return access("/", F_OK);
}

static long try_status(void)
{
	char facts[256];
	return syscall(SYS_statx, AT_FDCWD, "/", 0, 0x7ff, facts);
}

static long try_stat(void)
{
	struct stat info;
	return stat("/", &info);
}

static long try_lstat(void)
{
	struct stat info;
	return lstat("/", &info);
}

/* The way in which the C library asks for the status of a descriptor, with a path. */
static long try_stat_at(void)
{
	struct stat info;
	return fstatat(hostile_input_fd(), "/", &info, AT_EMPTY_PATH);
}

static long ask_stat(const char *path)
{
	struct stat info;
	return stat(path, &info);
}

static long ask_lstat(const char *path)
{
	struct stat info;
	return lstat(path, &info);
}

static long ask_stat_at(const char *path)
{
	struct stat info;
	return fstatat(hostile_input_fd(), path, &info, AT_EMPTY_PATH);
}

static long ask_statx(const char *path)
{
	char facts[256];
	return syscall(SYS_statx, AT_FDCWD, path, 0, 0x7ff, facts);
}

static long ask_access(const char *path)
{
	return access(path, F_OK);
}

static long ask_link_target(const char *path)
{
	char target[64];
	return readlink(path, target, sizeof target);
}

static long ask_directory(const char *path)
{
	return chdir(path);
}

static long ask_write(const char *path)
{
	return open(path, O_WRONLY);
}

static long ask_open(const char *path)
{
	return open(path, O_RDONLY);
}

static long ask_name(const char *path)
{
	return open(path, O_PATH);
}

static int error_of(long (*ask)(const char *), const char *path)
{
	return ask(path) < 0 ? errno : 0;
}

/* Tries to learn by the error whether a path exists. Allowed is what makes a difference. */
static long try_existence(void)
{
	static long (*const questions[])(const char *) = {ask_stat, ask_lstat, ask_stat_at,
	        ask_statx, ask_access, ask_link_target, ask_directory, ask_write, ask_name};
	for (size_t i = 0; i < G_N_ELEMENTS(questions); i++)
		if (error_of(questions[i], "/etc/passwd") !=
		        error_of(questions[i], "/etc/tarsier-is-not-there"))
			return 0;
	return -1;
}

/* The same by opening for reading, which cannot be prevented where the plugin reads tables. */
static long try_existence_by_open(void)
{
	return error_of(ask_open, "/etc/passwd") == error_of(ask_open, "/etc/tarsier-is-not-there")
	               ? -1
	               : 0;
}

static long try_link_target(void)
{
	char target[64];
	return readlink("/proc/self/exe", target, sizeof target);
}

static long try_directory(void)
{
	return mkdir("/tmp/tarsier-hostile.d", 0700);
}

static long try_remove(void)
{
	return unlink("/tmp/tarsier-hostile");
}

static long try_rename(void)
{
	return rename("/tmp/tarsier-hostile", "/tmp/tarsier-hostile2");
}

static long try_link(void)
{
	return link("/etc/passwd", "/tmp/tarsier-hostile3");
}

static long try_symlink(void)
{
	return symlink("/etc/passwd", "/tmp/tarsier-hostile4");
}

static long try_chdir(void)
{
	return chdir("/");
}

static long try_chmod(void)
{
	return fchmod(hostile_input_fd(), 0600);
}

static long try_chmod_name(void)
{
	return chmod("/tmp/tarsier-hostile", 0600);
}

static long try_owner(void)
{
	return fchown(hostile_input_fd(), -1, -1);
}

static long try_times(void)
{
	return futimens(hostile_input_fd(), NULL);
}

static long try_cut(void)
{
	return ftruncate(hostile_input_fd(), lseek(hostile_input_fd(), 0, SEEK_END));
}

static long try_exec(void)
{
	char *arguments[] = {(char *)"/bin/true", NULL};
	return execve("/nonexistent/true", arguments, NULL) == 0 || errno == ENOENT ? 0 : -1;
}

static long try_exec_file(void)
{
	char *arguments[] = {(char *)"true", NULL};
	syscall(SYS_execveat, -1, "true", arguments, NULL, 0);
	return errno == EBADF ? 0 : -1;
}

static long try_memory_file(void)
{
	return memfd_create("hostile", 0);
}

static long try_inet(void)
{
	return socket(AF_INET, SOCK_DGRAM, 0);
}

static long try_inet6(void)
{
	return socket(AF_INET6, SOCK_STREAM, 0);
}

static long try_netlink(void)
{
	return socket(AF_NETLINK, SOCK_RAW, 0);
}

/* The session bus could start any program. */
static long try_bus(void)
{
	return socket(AF_UNIX, SOCK_STREAM, 0);
}

static long try_pair(void)
{
	int ends[2];
	return socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
}

static long try_pipe(void)
{
	int ends[2];
	return pipe(ends);
}

static long try_fork(void)
{
	pid_t pid = fork();
	if (pid == 0)
		_exit(0);
	return pid;
}

static long try_namespace(void)
{
	pid_t pid = syscall(SYS_clone, 0x10000000 | SIGCHLD, NULL, NULL, NULL, NULL);
	if (pid == 0)
		_exit(0);
	return pid;
}

static long try_clone3(void)
{
	uint64_t arguments[8] = {[4] = SIGCHLD};
	pid_t pid = syscall(SYS_clone3, arguments, sizeof arguments);
	if (pid == 0)
		_exit(0);
	return pid;
}

static void *do_nothing(void *data)
{
	return data;
}

static long try_thread(void)
{
	pthread_t thread;
	int error = pthread_create(&thread, NULL, do_nothing, NULL);
	if (error == 0)
		pthread_join(thread, NULL);
	return -error;
}

static long try_signal(void)
{
	return kill(1, 0) == 0 || errno == ESRCH ? 0 : -1;
}

static long try_signal_all(void)
{
	return kill(-1, 0);
}

static long try_flags(void)
{
	return fcntl(hostile_input_fd(), F_SETFL, O_APPEND);
}

static long try_lock(void)
{
	struct flock lock = {.l_type = F_WRLCK};
	return fcntl(hostile_input_fd(), F_SETLK, &lock);
}

static long try_terminal(void)
{
	int bytes;
	return syscall(SYS_ioctl, hostile_input_fd(), 0x541b, &bytes) == 0 || errno == ENOTTY ? 0
	                                                                                      : -1;
}

static long try_copy(void)
{
	return dup(hostile_input_fd());
}

static long try_watch(void)
{
	return syscall(SYS_inotify_init1, 0);
}

static long try_fewer_files(void)
{
	struct rlimit limit = {16, 16};
	return syscall(SYS_setrlimit, RLIMIT_NOFILE, &limit);
}

static long try_personality(void)
{
	return syscall(SYS_personality, 0x0040000);
}

/* Tries executable memory. */
static long try_executable_memory(void)
{
	void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return syscall(SYS_mprotect, page, 4096, PROT_READ | PROT_EXEC);
}

static long try_executable_file(void)
{
	return syscall(
	        SYS_mmap, NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, hostile_input_fd(), 0);
}

/* Memory that the kernel may drop (MAP_DROPPABLE). */
static long try_droppable_memory(void)
{
	return syscall(SYS_mmap, NULL, 4096, PROT_READ | PROT_WRITE, 0x08 | MAP_ANONYMOUS, -1, 0);
}

static long try_shared_memory(void)
{
	return syscall(SYS_shmget, 0, 4096, 0600);
}

/* Tries to reach other processes. */
static long try_ptrace(void)
{
	return syscall(SYS_ptrace, PTRACE_SEIZE, 1, NULL, NULL);
}

static long try_read_process(void)
{
	return syscall(SYS_process_vm_readv, 1, NULL, 0, NULL, 0, 0);
}

static long try_process(void)
{
	return syscall(SYS_pidfd_open, 1, 0);
}

static long try_descriptor(void)
{
	return syscall(SYS_pidfd_getfd, -1, 0, 0);
}

static long try_limits(void)
{
	struct rlimit limit = {16, 16};
	return syscall(SYS_prlimit64, 0, RLIMIT_NOFILE, &limit, NULL);
}

static long try_traceable(void)
{
	return syscall(SYS_prctl, PR_SET_DUMPABLE, 1, 0, 0, 0);
}

static long try_user(void)
{
	return syscall(SYS_setuid, 0);
}

static long try_priority(void)
{
	return syscall(SYS_setpriority, 0, 0, 19);
}

/* Tries to reach risky parts of the kernel. */
static long try_io_uring(void)
{
	char parameters[120] = {0};
	return syscall(SYS_io_uring_setup, 1, parameters);
}

static long try_bpf(void)
{
	return syscall(SYS_bpf, 0, NULL, 0);
}

static long try_perf(void)
{
	return syscall(SYS_perf_event_open, NULL, 0, -1, -1, 0);
}

static long try_userfaultfd(void)
{
	return syscall(SYS_userfaultfd, 0);
}

static long try_key(void)
{
	return syscall(SYS_add_key, "user", "hostile", "x", 1, -1);
}

static long try_unshare(void)
{
	return syscall(SYS_unshare, 0x10000000);
}

static long try_mount(void)
{
	return syscall(SYS_mount, "none", "/nonexistent", "tmpfs", 0, NULL);
}

static long try_chroot(void)
{
	return syscall(SYS_chroot, "/nonexistent");
}

static long try_device(void)
{
	return syscall(SYS_mknodat, AT_FDCWD, "/nonexistent/device", 0, 0);
}

static long try_attribute(void)
{
	return syscall(SYS_fsetxattr, hostile_input_fd(), "user.hostile", "x", 1, 0);
}

static long try_filter(void)
{
	return syscall(SYS_seccomp, 2, 0, NULL);
}

static long try_handle(void)
{
	return syscall(SYS_name_to_handle_at, AT_FDCWD, "/", NULL, NULL, 0);
}

static long try_fanotify(void)
{
	return syscall(SYS_fanotify_init, 0, 0);
}

/* A negative result means refused. */
static const struct {
	const char *verb;
	long (*try)(void);
} tries[] = {
        {"open", try_open},
        {"open-directory", try_open_directory},
        {"open-name", try_open_name},
        {"open2", try_open2},
        {"own-memory", try_own_memory},
        {"environment", try_environment},
        {"write", try_write},
        {"nameless", try_nameless},
        {"access", try_access},
        {"status", try_status},
        {"stat", try_stat},
        {"lstat", try_lstat},
        {"stat-at", try_stat_at},
        {"existence", try_existence},
        {"existence-by-open", try_existence_by_open},
        {"link-target", try_link_target},
        {"directory", try_directory},
        {"remove", try_remove},
        {"rename", try_rename},
        {"link", try_link},
        {"symlink", try_symlink},
        {"chdir", try_chdir},
        {"chmod", try_chmod},
        {"chmod-name", try_chmod_name},
        {"owner", try_owner},
        {"times", try_times},
        {"cut", try_cut},
        {"exec", try_exec},
        {"exec-file", try_exec_file},
        {"memory-file", try_memory_file},
        {"inet", try_inet},
        {"inet6", try_inet6},
        {"netlink", try_netlink},
        {"bus", try_bus},
        {"pair", try_pair},
        {"pipe", try_pipe},
        {"fork", try_fork},
        {"namespace", try_namespace},
        {"clone3", try_clone3},
        {"thread", try_thread},
        {"signal", try_signal},
        {"signal-all", try_signal_all},
        {"flags", try_flags},
        {"lock", try_lock},
        {"terminal", try_terminal},
        {"copy", try_copy},
        {"watch", try_watch},
        {"fewer-files", try_fewer_files},
        {"personality", try_personality},
        {"executable-memory", try_executable_memory},
        {"executable-file", try_executable_file},
        {"droppable-memory", try_droppable_memory},
        {"shared-memory", try_shared_memory},
        {"ptrace", try_ptrace},
        {"read-process", try_read_process},
        {"process", try_process},
        {"descriptor", try_descriptor},
        {"limits", try_limits},
        {"traceable", try_traceable},
        {"user", try_user},
        {"priority", try_priority},
        {"io-uring", try_io_uring},
        {"bpf", try_bpf},
        {"perf", try_perf},
        {"userfaultfd", try_userfaultfd},
        {"key", try_key},
        {"unshare", try_unshare},
        {"mount", try_mount},
        {"chroot", try_chroot},
        {"device", try_device},
        {"attribute", try_attribute},
        {"filter", try_filter},
        {"handle", try_handle},
        {"fanotify", try_fanotify},
};

const char *hostile_try(const char *verb)
{
	for (size_t i = 0; i < G_N_ELEMENTS(tries); i++)
		if (strcmp(verb, tries[i].verb) == 0)
			return tries[i].try() < 0 ? "refused" : "allowed";
	return NULL;
}
