/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/cmd/export/export-supervisor.h"
#include "common/base/i18n.h"
#include "ui-cli/app/cli.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WAIT_FIRST_MS = 1000, WAIT_MOST_MS = 300000 };

/* Shared with the child; NULL: there is no supervisor. */
static bool *in_step;

void export_supervisor_note_step(void)
{
	if (in_step)
		*in_step = true;
}

static void supervisor_signals(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGCHLD);
	sigaddset(set, SIGTERM);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGHUP);
}

/* Passes signals on until the child has ended. Returns its exit code; -1: it died. *signal_r: the
 * last signal passed on, or 0. */
static int supervisor_wait(pid_t child, const sigset_t *signals, int *signal_r)
{
	int status;
	pid_t ended;
	*signal_r = 0;
	while ((ended = waitpid(child, &status, WNOHANG)) == 0) {
		int number = sigwaitinfo(signals, NULL);
		if (number <= 0 || number == SIGCHLD)
			continue;
		kill(child, number);
		*signal_r = number;
	}
	return ended == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Returns the signal that ended the pause, or 0. */
static int supervisor_pause(int64_t ms, const sigset_t *signals)
{
	int64_t end_us = g_get_monotonic_time() + ms * 1000;
	for (int64_t left_us; (left_us = end_us - g_get_monotonic_time()) > 0;) {
		const struct timespec left = {
		        left_us / G_USEC_PER_SEC, left_us % G_USEC_PER_SEC * 1000};
		int number = sigtimedwait(signals, NULL, &left);
		if (number > 0 && number != SIGCHLD)
			return number;
	}
	return 0;
}

static int supervisor_ended_by(int signal)
{
	return signal == SIGTERM ? EXIT_OK : EXIT_INTERRUPTED;
}

static pid_t supervisor_start(int (*session)(void *data), void *data, const sigset_t *before)
{
	pid_t parent = getpid(), child = fork();
	if (child != 0)
		return child;
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(EXIT_BUSY);
	sigprocmask(SIG_SETMASK, before, NULL);
	int code = session(data);
	fflush(NULL);
	_exit(code);
}

/* Without a daemon or an index at the first try, the user is told; later they come back. */
static bool supervisor_tries_again(int code, bool first)
{
	return code < 0 || code == EXIT_BUSY ||
	       (!first && (code == EXIT_ABSENT || code == EXIT_DAMAGED));
}

int export_supervise(int (*session)(void *data), void *data)
{
	sigset_t signals, before;
	int64_t wait_ms = WAIT_FIRST_MS;
	in_step = mmap(
	        NULL, sizeof *in_step, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (in_step == MAP_FAILED) {
		in_step = NULL;
		return session(data);
	}
	supervisor_signals(&signals);
	sigprocmask(SIG_BLOCK, &signals, &before);
	for (bool first = true;; first = false) {
		*in_step = false;
		pid_t child = supervisor_start(session, data, &before);
		if (child < 0) {
			cli_say("fork: %s", g_strerror(errno));
			return EXIT_BUSY;
		}
		int number, code = supervisor_wait(child, &signals, &number);
		/* it may have died of the signal, before it could handle one */
		if (number != 0)
			return supervisor_ended_by(number);
		if (!supervisor_tries_again(code, first))
			return code;
		if (*in_step)
			wait_ms = WAIT_FIRST_MS;
		int64_t pause_ms = wait_ms + g_random_int_range(0, (int)wait_ms / 2);
		if ((number = supervisor_pause(pause_ms, &signals)) != 0)
			return supervisor_ended_by(number);
		wait_ms = MIN(wait_ms * 2, WAIT_MOST_MS);
	}
}
