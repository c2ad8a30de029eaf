/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A file of its own, because term.h defines macros with names such as "lines". */
#include <config.h>
#include "ui-cli/tui/terminfo.h"
#include <ncurses.h>
#include <term.h>
#include <unistd.h>

bool terminal_is_known(void)
{
	int why;
	bool known = setupterm(NULL, STDOUT_FILENO, &why) == OK;
	if (known)
		del_curterm(cur_term);
	return known;
}
