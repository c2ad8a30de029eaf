/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/core/sandbox.h"
#include "common/base/autofd.h"
#include "common/sandbox/landlock.h"
#include "extractors/core/sandbox-filter.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/ioprio.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

enum { CHILD_FILES = 32, PARENT_FILES = 256 };

struct Sandbox {
	SandboxFilter parent, child;
	Landlock landlock;
	bool has_filters, may_open; /* may_open: something is readable */
};

/* ---- before the sandbox */

static void sandbox_set_limits(int resource, rlim_t soft, rlim_t hard)
{
	struct rlimit limit;
	if (getrlimit(resource, &limit) < 0)
		return;
	limit.rlim_max = MIN(hard, limit.rlim_max);
	limit.rlim_cur = MIN(soft, limit.rlim_max);
	setrlimit(resource, &limit);
}

static void set_limit(int resource, rlim_t value)
{
	sandbox_set_limits(resource, value, value);
}

static void prefer_oom_kill(void)
{
	autofd fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
	if (fd >= 0 && write(fd, "1000", 4) < 0)
		g_debug("extract: oom_score_adj: %s", g_strerror(errno));
}

static void lower_priority(void)
{
	const struct sched_param none = {0};
	if (sched_setscheduler(0, SCHED_IDLE, &none) < 0)
		setpriority(PRIO_PROCESS, 0, 19);
	syscall(SYS_ioprio_set, IOPRIO_WHO_PROCESS, 0, IOPRIO_PRIO_VALUE(IOPRIO_CLASS_IDLE, 0));
}

void sandbox_harden(int first_fd, bool background)
{
	syscall(SYS_close_range, first_fd, ~0u, 0);
	setsid();
	prefer_oom_kill();
	if (background)
		lower_priority();
	/* if standard error is a file at RLIMIT_FSIZE, a write must fail instead of ending the
	 * process */
	signal(SIGXFSZ, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	set_limit(RLIMIT_CORE, 0);
	set_limit(RLIMIT_MSGQUEUE, 0);
	set_limit(RLIMIT_MEMLOCK, 0);
	set_limit(RLIMIT_NOFILE, PARENT_FILES);
	prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

/* ---- Landlock and seccomp */

Sandbox *sandbox_new(const char *const *readable)
{
	Sandbox *sandbox = g_new0(Sandbox, 1);
	sandbox->landlock = landlock_new(LANDLOCK_ALL, 0);
	for (; *readable; readable++) {
		landlock_allow(&sandbox->landlock, *readable, LANDLOCK_READ);
		sandbox->may_open = true;
	}
	sandbox->has_filters = true;
	return sandbox;
}

void sandbox_free(Sandbox *sandbox)
{
	sandbox_filter_clear(&sandbox->parent);
	sandbox_filter_clear(&sandbox->child);
	landlock_clear(&sandbox->landlock);
	g_free(sandbox);
}

SandboxLevel sandbox_enter_parent(Sandbox *sandbox)
{
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return SANDBOX_NONE;
	bool landlock = landlock_enter(&sandbox->landlock);
	/* without Landlock nothing limits which files are opened: the filters then refuse all */
	bool may_open = landlock && sandbox->may_open;
	sandbox->has_filters = sandbox_filter_build(&sandbox->parent, SANDBOXED_PARENT, may_open) &&
	                       sandbox_filter_build(&sandbox->child, SANDBOXED_CHILD, may_open) &&
	                       sandbox_filter_load(&sandbox->parent);
	if (!sandbox->has_filters)
		return landlock ? SANDBOX_LANDLOCK : SANDBOX_NONE;
	return landlock ? SANDBOX_FULL : SANDBOX_SECCOMP;
}

bool sandbox_enter_child(const Sandbox *sandbox, const SandboxLimits *limits)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	if (getppid() != limits->parent)
		return false;
#ifndef __SANITIZE_ADDRESS__
	if (limits->memory_bytes > 0)
		set_limit(RLIMIT_AS, limits->memory_bytes);
#endif
	if (limits->cpu_s > 0)
		sandbox_set_limits(
		        RLIMIT_CPU, limits->cpu_s, limits->cpu_s + 5); /* SIGXCPU, then SIGKILL */
	if (!limits->may_write)
		set_limit(RLIMIT_FSIZE, 0);
	set_limit(RLIMIT_NOFILE, CHILD_FILES);
	set_limit(RLIMIT_NPROC, 0);
	return !sandbox->has_filters || sandbox_filter_load(&sandbox->child);
}

/* ---- self-test */

static bool sandbox_refused(long result)
{
	return result < 0 && (errno == EACCES || errno == EPERM);
}

/* True if every operation that the sandbox must refuse is refused. */
static bool sandbox_holds(void)
{
	return sandbox_refused(open("/etc/passwd", O_RDONLY)) &&
	       sandbox_refused(open("/", O_RDONLY | O_DIRECTORY)) &&
	       sandbox_refused(open("/tmp", O_TMPFILE | O_RDWR, 0600)) &&
	       sandbox_refused(socket(AF_UNIX, SOCK_STREAM, 0)) &&
	       sandbox_refused(socket(AF_INET, SOCK_DGRAM, 0)) &&
	       sandbox_refused(fchmod(0, 0600)) && sandbox_refused(kill(getppid(), 0)) &&
	       sandbox_refused(fork());
}

bool sandbox_self_test(const Sandbox *sandbox)
{
	const SandboxLimits limits = {.parent = getpid(), .cpu_s = 10};
	int status;
	pid_t pid = fork();
	if (pid == 0)
		_exit(sandbox_enter_child(sandbox, &limits) && sandbox_holds() ? 0 : 1);
	return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) &&
	       WEXITSTATUS(status) == 0;
}
