/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/core/sandbox.h"
#include "common/base/autofd.h"
#include "extractors/core/sandbox-filter.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/ioprio.h>
#include <linux/landlock.h>
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
	SandboxFilter parent, child, threaded; /* child: for a child that may not start threads */
	int ruleset; /* Landlock descriptor; -1: none */
	bool has_filters;
};

/* landlock_ruleset_attr of ABI 6; older kernels take a shorter one. */
typedef struct {
	uint64_t files, network, scopes;
} Ruleset;

/* Readable paths in the sandbox: character maps that poppler loads when a font needs them, and the
 * message texts of DjVuLibre. */
static const char *const readable[] = {"/usr/share/poppler", "/usr/share/djvu"};

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

/* ---- Landlock */

static uint64_t file_rights(int abi)
{
	if (abi >= 5)
		return 0xffff; /* all rights up to IOCTL_DEV */
	if (abi >= 3)
		return 0x7fff; /* up to TRUNCATE */
	return abi == 2 ? 0x3fff : 0x1fff; /* REFER, or ABI 1 */
}

static void allow_reading(int ruleset, const char *path)
{
	struct stat info;
	autofd fd = open(path, O_PATH | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &info) < 0)
		return;
	struct landlock_path_beneath_attr rule = {
	        .allowed_access = LANDLOCK_ACCESS_FS_READ_FILE, .parent_fd = fd};
	if (S_ISDIR(info.st_mode))
		rule.allowed_access |= LANDLOCK_ACCESS_FS_READ_DIR;
	if (syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) < 0)
		g_warning("landlock: %s: %s", path, g_strerror(errno));
}

static int make_ruleset(void)
{
	int abi = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
	if (abi < 1)
		return -1;
	Ruleset attributes = {file_rights(abi), abi >= 4 ? 3 : 0, abi >= 6 ? 3 : 0};
	size_t size = abi >= 6 ? 24 : abi >= 4 ? 16 : 8;
	int ruleset = syscall(SYS_landlock_create_ruleset, &attributes, size, 0);
	for (size_t i = 0; ruleset >= 0 && i < G_N_ELEMENTS(readable); i++)
		allow_reading(ruleset, readable[i]);
	return ruleset;
}

/* ---- Landlock and seccomp */

Sandbox *sandbox_new(void)
{
	Sandbox *sandbox = g_new0(Sandbox, 1);
	sandbox->ruleset = make_ruleset();
	sandbox->has_filters = true;
	return sandbox;
}

void sandbox_free(Sandbox *sandbox)
{
	sandbox_filter_clear(&sandbox->parent);
	sandbox_filter_clear(&sandbox->child);
	sandbox_filter_clear(&sandbox->threaded);
	if (sandbox->ruleset >= 0)
		close(sandbox->ruleset);
	g_free(sandbox);
}

static bool enter_landlock(Sandbox *sandbox)
{
	bool inside = sandbox->ruleset >= 0 &&
	              syscall(SYS_landlock_restrict_self, sandbox->ruleset, 0) == 0;
	if (sandbox->ruleset >= 0)
		close(sandbox->ruleset);
	sandbox->ruleset = -1;
	return inside;
}

SandboxLevel sandbox_enter_parent(Sandbox *sandbox)
{
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return SANDBOX_NONE;
	bool landlock = enter_landlock(sandbox);
	/* without Landlock nothing limits which files are opened: the filters then refuse all */
	sandbox->has_filters =
	        sandbox_filter_build(&sandbox->parent, SANDBOXED_PARENT, landlock) &&
	        sandbox_filter_build(&sandbox->child, SANDBOXED_CHILD, landlock) &&
	        sandbox_filter_build(&sandbox->threaded, SANDBOXED_THREADS, landlock) &&
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
	if (!limits->threads)
		set_limit(RLIMIT_NPROC, 0);
	return !sandbox->has_filters ||
	       sandbox_filter_load(limits->threads ? &sandbox->threaded : &sandbox->child);
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

static bool try_child(const Sandbox *sandbox, bool threads)
{
	const SandboxLimits limits = {.parent = getpid(), .cpu_s = 10, .threads = threads};
	int status;
	pid_t pid = fork();
	if (pid == 0)
		_exit(sandbox_enter_child(sandbox, &limits) && sandbox_holds() ? 0 : 1);
	return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) &&
	       WEXITSTATUS(status) == 0;
}

bool sandbox_self_test(const Sandbox *sandbox)
{
	return try_child(sandbox, false) && try_child(sandbox, true);
}
