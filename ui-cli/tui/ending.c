/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/tui/ending.h"
#include <errno.h>
#include <glib.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static const int ending_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGTSTP};
static struct sigaction ending_before[G_N_ELEMENTS(ending_signals)]; /* the handlers of ncurses */
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

/* The handler that was there before; without one, the default takes effect. */
static void ending_pass_on(int number)
{
	unsigned i = 0;
	while (ending_signals[i] != number)
		i++;
	if (ending_before[i].sa_handler != SIG_DFL && ending_before[i].sa_handler != SIG_IGN) {
		ending_before[i].sa_handler(number);
		return;
	}
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
	ending_pass_on(number); /* returns after a stop alone */
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
