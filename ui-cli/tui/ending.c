/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/tui/ending.h"
#include <errno.h>
#include <glib.h>
#include <ncurses.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static const int ending_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGTSTP}; /* a stop is the last */
static struct sigaction ending_before[G_N_ELEMENTS(ending_signals)]; /* that of ncurses, if any */
static int ending_fd = -1;
static volatile sig_atomic_t ending_waits, ending_asked, ending_pastes;

static void ending_write_paste(bool on)
{
	static const char begin[] = "\033[?2004h", end[] = "\033[?2004l";
	ssize_t written = write(ending_fd, on ? begin : end, strlen(on ? begin : end));
	(void)written; /* the terminal may be gone */
}

void ending_paste(bool on)
{
	ending_pastes = on;
	ending_write_paste(on);
}

/* Lets ncurses stop the program: its handler restores the terminal meanwhile. */
static void ending_stop(void)
{
	const struct sigaction *before = &ending_before[G_N_ELEMENTS(ending_signals) - 1];
	if (before->sa_handler != SIG_DFL && before->sa_handler != SIG_IGN)
		before->sa_handler(SIGTSTP);
}

/* The handler of ncurses would exit with a status of its own. endwin() writes what it has to
 * without memory of the heap or stdio. */
static void ending_die(int number)
{
	if (!isendwin())
		endwin();
	signal(number, SIG_DFL);
	raise(number);
}

static void ending_on_signal(int number)
{
	int error = errno;
	bool stops = number == SIGTSTP, pastes = ending_pastes;
	if (ending_waits && !ending_asked && !stops) {
		ending_asked = number;
		return;
	}
	if (pastes)
		ending_write_paste(false);
	if (!stops) {
		ending_die(number);
		return;
	}
	ending_stop();
	if (pastes)
		ending_write_paste(true);
	errno = error;
}

void ending_begin(int fd)
{
	struct sigaction action = {.sa_handler = ending_on_signal}; /* no restart: get_wch() ends */
	ending_fd = fd;
	for (unsigned i = 0; i < G_N_ELEMENTS(ending_signals); i++)
		if (sigaction(ending_signals[i], NULL, &ending_before[i]) == 0 &&
		        ending_before[i].sa_handler != SIG_IGN)
			sigaction(ending_signals[i], &action, NULL);
}

void ending_wait(bool waits)
{
	ending_waits = waits;
}

bool ending_is_asked(void)
{
	return ending_asked != 0;
}

void ending_obey(void)
{
	if (!ending_asked)
		return;
	signal(ending_asked, SIG_DFL);
	raise(ending_asked);
}
