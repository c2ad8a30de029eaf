/* SPDX-License-Identifier: GPL-3.0-or-later */
/* daemon-once.c - runs "tarsierd --once" as a child: the same engine and the same lock as the
 * service */
#include <config.h>
#include "ui-cli/app/daemon-client.h"
#include "ui-cli/app/progress.h"
#include "common/base/autofd.h"
#include "common/base/i18n.h"
#include "common/base/install-dirs.h"
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>

enum { LOOK_EVERY_MS = 150 };

char *daemon_program(void)
{
	const char *from_environment = g_getenv("TARSIERD");
	g_autofree char *self = g_file_read_link("/proc/self/exe", NULL);
	g_autofree char *dir = self ? g_path_get_dirname(self) : NULL;
	g_autofree char *beside = dir ? g_build_filename(dir, "tarsierd", NULL) : NULL;
	g_autofree char *in_tree =
	        dir ? g_build_filename(dir, "..", "daemon", "tarsierd", NULL) : NULL;

	if (from_environment && *from_environment)
		return g_strdup(from_environment);
	if (beside && g_file_test(beside, G_FILE_TEST_IS_EXECUTABLE))
		return g_steal_pointer(&beside);
	if (in_tree && g_file_test(in_tree, G_FILE_TEST_IS_EXECUTABLE))
		return g_steal_pointer(&in_tree);
	return g_build_filename(BINDIR, "tarsierd", NULL);
}

/* In the child: it must not outlive the client, which may be killed. */
static void end_with_parent(gpointer data)
{
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != GPOINTER_TO_INT(data)) /* it is dead already */
		_exit(EXIT_INTERRUPTED);
}

static bool daemon_once_start(
        const Cli *cli, const char *option, char *const *paths, GPid *pid_r, GError **error)
{
	g_autofree char *program = daemon_program();
	g_autoptr(GPtrArray) argv = g_ptr_array_new();
	g_auto(GStrv) environment = g_get_environ();

	environment = g_environ_setenv(environment, "TARSIER_INDEX", cli->index_dir, TRUE);
	environment = g_environ_setenv(environment, "TARSIER_CONFIG", cli->config_file, TRUE);
	g_ptr_array_add(argv, program);
	g_ptr_array_add(argv, (char *)"--once");
	if (cli->settings || cli->quiet) /* cli_settings() has told the warnings */
		g_ptr_array_add(argv, (char *)"--config-told");
	if (option)
		g_ptr_array_add(argv, (char *)option);
	g_ptr_array_add(argv, (char *)"--");
	for (; paths && *paths; paths++)
		g_ptr_array_add(argv, *paths);
	g_ptr_array_add(argv, NULL);
	fflush(stdout);
	return g_spawn_async(NULL, (char **)argv->pdata, environment, G_SPAWN_DO_NOT_REAP_CHILD,
	        end_with_parent, GINT_TO_POINTER(getpid()), pid_r, error);
}

/* The terminal sends an interrupt to the child too. The child ends by itself; we wait and report
 * that. A hang-up of the terminal means the same, but not to the child. Returns a descriptor that
 * becomes readable at one of these signals. */
static int hold_interrupts(sigset_t *old)
{
	static const int ending[] = {SIGINT, SIGTERM, SIGHUP};
	struct sigaction action;
	sigset_t set;
	sigemptyset(&set);
	for (size_t i = 0; i < G_N_ELEMENTS(ending); i++) /* nohup(1) has them ignored */
		if (sigaction(ending[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
			sigaddset(&set, ending[i]);
	sigprocmask(SIG_BLOCK, &set, old);
	return signalfd(-1, &set, SFD_CLOEXEC);
}

static int code_of(int status, bool interrupted)
{
	if (interrupted)
		return EXIT_INTERRUPTED;
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	cli_say(_("tarsierd was ended by a signal: %s"), g_strsignal(WTERMSIG(status)));
	return EXIT_PARTIAL;
}

static bool got_signal(int signal_fd)
{
	struct signalfd_siginfo info;
	return read(signal_fd, &info, sizeof(info)) > 0;
}

/* Shows progress until the child has ended. A second interrupt is not held back. */
static int daemon_once_wait(Cli *cli, GPid pid, ProgressWork work)
{
	g_autoptr(Progress) progress = progress_new(cli, work, true);
	autofd pid_fd = (int)syscall(SYS_pidfd_open, pid, 0);
	bool interrupted = false;
	sigset_t old;
	autofd signal_fd = hold_interrupts(&old);
	int status;

	while (waitpid(pid, &status, WNOHANG) == 0) {
		struct pollfd fds[] = {
		        {interrupted ? -1 : signal_fd, POLLIN, 0}, {pid_fd, POLLIN, 0}};
		poll(fds, G_N_ELEMENTS(fds), LOOK_EVERY_MS);
		bool ends = (fds[0].revents & POLLIN) && got_signal(signal_fd);
		if (!cli->quiet && !ends && !interrupted && !(fds[1].revents & POLLIN))
			ends = !progress_update(progress);
		if (ends) {
			interrupted = true;
			kill(pid, SIGTERM);
			sigprocmask(SIG_SETMASK, &old, NULL);
		}
	}
	sigprocmask(SIG_SETMASK, &old, NULL);
	g_clear_pointer(&progress, progress_free);
	return code_of(status, interrupted);
}

static int daemon_once_run(Cli *cli, const char *option, char *const *paths, ProgressWork work)
{
	g_autoptr(GError) error = NULL;
	GPid pid;

	if (daemon_once_start(cli, option, paths, &pid, &error))
		return daemon_once_wait(cli, pid, work);
	cli_say("%s", error->message);
	return EXIT_ABSENT;
}

int daemon_run_once(Cli *cli, char *const *paths)
{
	return daemon_once_run(cli, NULL, paths, PROGRESS_INDEX);
}

int daemon_run_purge(Cli *cli)
{
	return daemon_once_run(cli, "--purge", NULL, PROGRESS_REMOVE);
}

int daemon_run_verify(Cli *cli)
{
	return daemon_once_run(cli, "--verify", NULL, PROGRESS_INDEX);
}

int daemon_run_compact(Cli *cli, bool scrub)
{
	return daemon_once_run(cli, scrub ? "--scrub" : "--compact", NULL, PROGRESS_INDEX);
}
