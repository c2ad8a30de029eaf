/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "fetch/fetch-filter.h"
#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <linux/prctl.h>
#include <netinet/in.h>
#include <sched.h>
#include <seccomp.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#ifndef MAP_DROPPABLE
#define MAP_DROPPABLE 0x08 /* Linux 6.11 */
#endif

/* Flags of open() that allow writing or creating a file, or only a reference to its path. */
enum {
	FETCH_OPEN_WRITES = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND | O_PATH |
	                    (O_TMPFILE & ~O_DIRECTORY)
};
enum { FETCH_NAMESPACES = 0x7e020000 | 0x80 }; /* all CLONE_NEW* flags of clone(2) */
enum { THREAD_FLAGS = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD };

#ifdef __s390x__
enum { FLAGS_OF_CLONE = 1 }; /* the argument of clone() that holds the flags */
#else
enum { FLAGS_OF_CLONE = 0 };
#endif

/* The status of a path may be asked for, since the C library looks whether resolv.conf changed. */
static const char *const fetch_calls[] = {"read", "pread64", "readv", "write", "writev", "lseek",
        "close", "fstat", "newfstatat", "fstatat64", "stat", "statx", "poll", "ppoll", "select",
        "pselect6", "epoll_create1", "epoll_ctl", "epoll_wait", "epoll_pwait", "eventfd2", "pipe2",
        "connect", "sendto", "sendmsg", "sendmmsg", "recvfrom", "recvmsg", "recvmmsg", "shutdown",
        "getsockopt", "setsockopt", "getsockname", "getpeername", "memfd_create", "brk", "munmap",
        "mremap", "madvise", "futex", "set_robust_list", "rseq", "membarrier", "exit", "exit_group",
        "rt_sigreturn", "rt_sigprocmask", "rt_sigaction", "sigaltstack", "restart_syscall",
        "clock_gettime", "clock_getres", "clock_nanosleep", "nanosleep", "gettimeofday", "time",
        "getrandom", "getpid", "gettid", "getuid", "geteuid", "getgid", "getegid", "sched_yield",
        "sched_getaffinity", "getrusage", "uname", "sysinfo"};

static bool fetch_allow_calls(scmp_filter_ctx context)
{
	for (size_t i = 0; i < G_N_ELEMENTS(fetch_calls); i++) {
		int number = seccomp_syscall_resolve_name(fetch_calls[i]);
		/* a call that this architecture lacks needs no rule */
		if (number != __NR_SCMP_ERROR &&
		        seccomp_rule_add(context, SCMP_ACT_ALLOW, number, 0) == -ENOMEM)
			return false;
	}
	return true;
}

static bool fetch_allow_socket(scmp_filter_ctx context, int family, int type, int protocol)
{
	return seccomp_rule_add(context, SCMP_ACT_ALLOW, SCMP_SYS(socket), 3,
	               SCMP_A0(SCMP_CMP_EQ, family),
	               SCMP_A1(SCMP_CMP_MASKED_EQ, ~(SOCK_CLOEXEC | SOCK_NONBLOCK) & 0xffffffff,
	                       type),
	               SCMP_A2(SCMP_CMP_EQ, protocol)) == 0;
}

/* A pair of stream sockets wakes a thread of libcurl. A datagram socket of a pair could send to any
 * local socket. */
static bool fetch_allow_sockets(scmp_filter_ctx context)
{
	static const int families[] = {AF_INET, AF_INET6};
	bool good =
	        seccomp_rule_add(context, SCMP_ACT_ALLOW, SCMP_SYS(socketpair), 2,
	                SCMP_A0(SCMP_CMP_EQ, AF_UNIX),
	                SCMP_A1(SCMP_CMP_MASKED_EQ, ~(SOCK_CLOEXEC | SOCK_NONBLOCK) & 0xffffffff,
	                        SOCK_STREAM)) == 0;
	for (size_t i = 0; i < G_N_ELEMENTS(families); i++)
		good = good && fetch_allow_socket(context, families[i], SOCK_STREAM, 0) &&
		       fetch_allow_socket(context, families[i], SOCK_STREAM, IPPROTO_TCP) &&
		       fetch_allow_socket(context, families[i], SOCK_DGRAM, 0) &&
		       fetch_allow_socket(context, families[i], SOCK_DGRAM, IPPROTO_UDP);
	return good;
}

/* No executable memory, and none that is shared. Memory that the kernel may drop is for the random
 * numbers of the C library. */
static bool fetch_allow_memory(scmp_filter_ctx context)
{
	return seccomp_rule_add(context, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 2,
	               SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0),
	               SCMP_A3(SCMP_CMP_MASKED_EQ, MAP_TYPE, MAP_PRIVATE)) == 0 &&
	       seccomp_rule_add(context, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 2,
	               SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0),
	               SCMP_A3(SCMP_CMP_MASKED_EQ, MAP_TYPE, MAP_DROPPABLE)) == 0 &&
	       seccomp_rule_add(context, SCMP_ACT_ALLOW, SCMP_SYS(mprotect), 1,
	               SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0)) == 0;
}

static bool fetch_allow_reading(scmp_filter_ctx context)
{
	return seccomp_rule_add(context, SCMP_ACT_ALLOW, SCMP_SYS(openat), 1,
	               SCMP_A2(SCMP_CMP_MASKED_EQ, FETCH_OPEN_WRITES, 0)) == 0;
}

/* Threads resolve names; they may signal each other. */
static bool fetch_allow_threads(scmp_filter_ctx context)
{
	return seccomp_rule_add(context, SCMP_ACT_ALLOW, SCMP_SYS(clone), 1,
	               SCMP_CMP(FLAGS_OF_CLONE, SCMP_CMP_MASKED_EQ, FETCH_NAMESPACES | THREAD_FLAGS,
	                       THREAD_FLAGS)) == 0 &&
	       seccomp_rule_add(context, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 1,
	               SCMP_A0(SCMP_CMP_EQ, getpid())) == 0 &&
	       seccomp_rule_add(context, SCMP_ACT_ALLOW, SCMP_SYS(prctl), 1,
	               SCMP_A0(SCMP_CMP_EQ, PR_SET_NAME)) == 0 &&
	       seccomp_rule_add(context, SCMP_ACT_ALLOW, SCMP_SYS(prlimit64), 2,
	               SCMP_A0(SCMP_CMP_EQ, 0), SCMP_A2(SCMP_CMP_EQ, 0)) == 0;
}

/* Without F_SETOWN and FIOSETOWN, which have the kernel signal another process. */
static bool fetch_allow_commands(scmp_filter_ctx context)
{
	static const int of_fcntl[] = {
	        F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC, F_ADD_SEALS, F_GET_SEALS};
	static const int of_ioctl[] = {FIONREAD, FIONBIO};
	bool good = true;
	for (size_t i = 0; i < G_N_ELEMENTS(of_fcntl); i++)
		good = good && seccomp_rule_add(context, SCMP_ACT_ALLOW, SCMP_SYS(fcntl), 1,
		                       SCMP_A1(SCMP_CMP_EQ, of_fcntl[i])) == 0;
	for (size_t i = 0; i < G_N_ELEMENTS(of_ioctl); i++)
		good = good && seccomp_rule_add(context, SCMP_ACT_ALLOW, SCMP_SYS(ioctl), 1,
		                       SCMP_A1(SCMP_CMP_EQ, of_ioctl[i])) == 0;
	return good;
}

bool fetch_filter_enter(void)
{
	scmp_filter_ctx context = seccomp_init(SCMP_ACT_ERRNO(ENOSYS));
	bool good = context && fetch_allow_calls(context) && fetch_allow_sockets(context) &&
	            fetch_allow_memory(context) && fetch_allow_reading(context) &&
	            fetch_allow_threads(context) && fetch_allow_commands(context) &&
	            seccomp_load(context) == 0;
	if (context)
		seccomp_release(context);
	return good;
}
