/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/core/sandbox-filter.h"
#include "common/base/autofd.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#ifndef MAP_DROPPABLE
#define MAP_DROPPABLE 0x08 /* Linux 6.11 */
#endif

/* Placeholder for the process ID; sandbox_filter_load() replaces it. */
enum { OWN_PID = 0x5ea1ed01 };

/* Flags of open() that allow writing or creating a file, or only a reference to its path. */
enum {
	OPEN_WRITES = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND | O_PATH |
	              (O_TMPFILE & ~O_DIRECTORY)
};

enum { NEW_NAMESPACES = 0x7e020000 | 0x80 }; /* all CLONE_NEW* flags of clone(2) */

static const char *const allowed_calls[] = {"read", "pread64", "readv", "preadv", "write", "writev",
        "lseek", "close", "fstat", "getdents64", "brk", "munmap", "mremap", "madvise", "futex",
        "exit", "exit_group", "rt_sigreturn", "rt_sigprocmask", "rt_sigaction", "sigaltstack",
        "clock_gettime", "clock_getres", "clock_nanosleep", "nanosleep", "gettimeofday", "time",
        "getrandom", "getpid", "gettid", "sched_yield", "restart_syscall", "poll", "ppoll",
        "recvmsg", "sendmsg", "fadvise64", "rseq", "membarrier", "getrusage", "getrlimit",
        "sched_getaffinity"};

/* Libraries try these calls and work without them. The C library asks for the status of descriptors
 * with newfstatat() too: no filter can tell that from a path, and its streams have a buffer of the
 * usual size then. Other libraries get the status by fstat.c. */
static const char *const refused_calls[] = {"newfstatat", "open", "openat2", "access", "faccessat",
        "faccessat2", "stat", "lstat", "statx", "readlink", "readlinkat", "getcwd", "chdir",
        "ioctl", "socket", "socketpair", "connect", "bind", "listen", "accept", "accept4", "sendto",
        "recvfrom", "fork", "vfork", "unlink", "unlinkat", "mkdir", "mkdirat", "rename", "renameat",
        "renameat2", "link", "linkat", "symlink", "symlinkat", "chmod", "fchmod", "fchmodat",
        "chown", "fchown", "fchownat", "utimensat", "truncate", "ftruncate", "fcntl", "dup", "dup2",
        "dup3", "pipe", "pipe2", "eventfd2", "memfd_create", "inotify_init1", "uname", "sysinfo",
        "getuid", "geteuid", "getgid", "getegid", "getppid", "umask", "sched_setaffinity",
        "sched_getparam", "sched_getscheduler", "get_mempolicy", "times", "execve", "execveat",
        "kill", "tkill", "msync", "mlock", "fsync", "fdatasync", "copy_file_range", "sendfile",
        "setrlimit", "personality"};

/* Calls that the parent needs in addition. */
static const char *const parent_calls[] = {"wait4", "pidfd_open", "close_range", "set_robust_list",
        "setrlimit", "getppid", "prlimit64", "seccomp"};

static bool filter_add_call(scmp_filter_ctx context, uint32_t action, const char *name)
{
	int number = seccomp_syscall_resolve_name(name);
	/* a call that this architecture lacks needs no rule; a call that has a rule keeps it */
	return number == __NR_SCMP_ERROR || seccomp_rule_add(context, action, number, 0) >= 0 ||
	       errno != ENOMEM;
}

static bool filter_add_calls(
        scmp_filter_ctx context, uint32_t action, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!filter_add_call(context, action, names[i]))
			return false;
	return true;
}

/* Executable memory is refused; files are mapped privately only. A shared read-only mapping gets
 * EACCES, after which libraries read the file instead. The C library keeps the state of its random
 * numbers in memory that the kernel may drop (glibc 2.41), and does not ask whether it may. */
static bool filter_add_memory(scmp_filter_ctx context)
{
	return seccomp_rule_add(context, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 2,
	               SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0),
	               SCMP_A3(SCMP_CMP_MASKED_EQ, MAP_TYPE, MAP_PRIVATE)) == 0 &&
	       seccomp_rule_add(context, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 2,
	               SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0),
	               SCMP_A3(SCMP_CMP_MASKED_EQ, MAP_TYPE, MAP_DROPPABLE)) == 0 &&
	       seccomp_rule_add(context, SCMP_ACT_ERRNO(EACCES), SCMP_SYS(mmap), 2,
	               SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC | PROT_WRITE, 0),
	               SCMP_A3(SCMP_CMP_MASKED_EQ, MAP_TYPE, MAP_SHARED)) == 0 &&
	       seccomp_rule_add(context, SCMP_ACT_ALLOW, SCMP_SYS(mprotect), 1,
	               SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0)) == 0;
}

static bool filter_add_open(scmp_filter_ctx context, bool may_open)
{
	if (!may_open)
		return seccomp_rule_add(context, SCMP_ACT_ERRNO(EACCES), SCMP_SYS(openat), 0) == 0;
	bool good = seccomp_rule_add(context, SCMP_ACT_ALLOW, SCMP_SYS(openat), 1,
	                    SCMP_A2(SCMP_CMP_MASKED_EQ, OPEN_WRITES, 0)) == 0;
	for (unsigned bit = 1; bit != 0; bit <<= 1)
		if (OPEN_WRITES & bit)
			good = good &&
			       seccomp_rule_add(context, SCMP_ACT_ERRNO(EACCES), SCMP_SYS(openat),
			               1, SCMP_A2(SCMP_CMP_MASKED_EQ, bit, bit)) == 0;
	return good;
}

/* abort() must end in SIGABRT, not in SIGSYS. A child is subject to its parent's filter too, so the
 * parent's filter cannot check the process ID. */
static bool filter_add_own_signals(scmp_filter_ctx context, bool parent)
{
	if (parent)
		return seccomp_rule_add(context, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 0) == 0;
	return seccomp_rule_add(context, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 1,
	               SCMP_A0(SCMP_CMP_EQ, OWN_PID)) == 0;
}

/* A child is subject to its parent's filter too, so the parent must allow what a child may do, and
 * what a child is refused must not kill it: libraries try to start threads and work without. */
static bool filter_add_parent_calls(scmp_filter_ctx context)
{
	static const int wanted[] = {PR_SET_PDEATHSIG, PR_SET_NO_NEW_PRIVS, PR_SET_NAME};
	bool good =
	        seccomp_rule_add(context, SCMP_ACT_ALLOW, SCMP_SYS(clone), 1,
	                SCMP_A0(SCMP_CMP_MASKED_EQ, NEW_NAMESPACES | CLONE_VM | CLONE_THREAD, 0)) ==
	                0 &&
	        seccomp_rule_add(context, SCMP_ACT_ERRNO(EACCES), SCMP_SYS(clone), 1,
	                SCMP_A0(SCMP_CMP_MASKED_EQ, NEW_NAMESPACES | CLONE_THREAD, CLONE_THREAD)) ==
	                0;
	for (size_t i = 0; i < G_N_ELEMENTS(wanted); i++)
		good = good && seccomp_rule_add(context, SCMP_ACT_ALLOW, SCMP_SYS(prctl), 1,
		                       SCMP_A0(SCMP_CMP_EQ, wanted[i])) == 0;
	return good &&
	       filter_add_calls(context, SCMP_ACT_ALLOW, parent_calls, G_N_ELEMENTS(parent_calls));
}

/* No process and no thread. */
static bool filter_add_child_calls(scmp_filter_ctx context)
{
	return seccomp_rule_add(context, SCMP_ACT_ERRNO(EACCES), SCMP_SYS(clone), 0) == 0 &&
	       seccomp_rule_add(context, SCMP_ACT_ALLOW, SCMP_SYS(prlimit64), 2,
	               SCMP_A0(SCMP_CMP_EQ, 0), SCMP_A2(SCMP_CMP_EQ, 0)) == 0;
}

static bool filter_add_rules(scmp_filter_ctx context, SandboxedKind kind, bool may_open)
{
	bool parent = kind == SANDBOXED_PARENT;
	return filter_add_calls(
	               context, SCMP_ACT_ALLOW, allowed_calls, G_N_ELEMENTS(allowed_calls)) &&
	       (parent ? filter_add_parent_calls(context) : filter_add_child_calls(context)) &&
	       filter_add_memory(context) && filter_add_open(context, may_open) &&
	       filter_add_own_signals(context, parent) &&
	       seccomp_rule_add(context, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0) == 0 &&
	       filter_add_calls(
	               context, SCMP_ACT_ERRNO(EACCES), refused_calls, G_N_ELEMENTS(refused_calls));
}

/* Copies the program out of libseccomp, so that no child compiles it again. */
static bool export_program(scmp_filter_ctx context, SandboxFilter *filter)
{
	autofd fd = memfd_create("filter", MFD_CLOEXEC);
	if (fd < 0 || seccomp_export_bpf(context, fd) != 0)
		return false;
	off_t size = lseek(fd, 0, SEEK_END);
	if (size <= 0 || size % sizeof *filter->instructions != 0 ||
	        size / sizeof *filter->instructions > BPF_MAXINSNS)
		return false;
	filter->instructions = g_malloc(size);
	filter->length = size / sizeof *filter->instructions;
	return pread(fd, filter->instructions, size, 0) == size;
}

bool sandbox_filter_build(SandboxFilter *filter, SandboxedKind kind, bool may_open)
{
	scmp_filter_ctx context = seccomp_init(SCMP_ACT_KILL_PROCESS);
	bool good = context && filter_add_rules(context, kind, may_open) &&
	            export_program(context, filter);
	if (context)
		seccomp_release(context);
	return good;
}

void sandbox_filter_clear(SandboxFilter *filter)
{
	g_clear_pointer(&filter->instructions, g_free);
	filter->length = 0;
}

bool sandbox_filter_load(const SandboxFilter *filter)
{
	g_autofree struct sock_filter *own =
	        g_memdup2(filter->instructions, filter->length * sizeof *filter->instructions);
	for (unsigned i = 0; i < filter->length; i++)
		if (BPF_CLASS(own[i].code) == BPF_JMP && own[i].k == OWN_PID)
			own[i].k = getpid();
	struct sock_fprog program = {filter->length, own};
	return filter->length > 0 &&
	       syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
}
