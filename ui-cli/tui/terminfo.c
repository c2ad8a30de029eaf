/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A file of its own, because term.h defines macros with names such as "lines". */
#include <config.h>
#include "ui-cli/tui/terminfo.h"
#include <ncurses.h>
#include <poll.h>
#include <term.h>

TerminalKind terminal_kind(int fd)
{
	int why;
	if (setupterm(NULL, fd, &why) != OK)
		return TERMINAL_UNKNOWN;
	const char *place_cursor = tigetstr("cup"), *clear = tigetstr("clear");
	bool good = place_cursor && place_cursor != (char *)-1 && clear && clear != (char *)-1;
	del_curterm(cur_term);
	return good ? TERMINAL_GOOD : TERMINAL_DUMB;
}

bool terminal_is_gone(int fd)
{
	struct pollfd state = {.fd = fd, .events = POLLIN};
	return poll(&state, 1, 0) > 0 && (state.revents & (POLLHUP | POLLERR | POLLNVAL)) != 0;
}
