/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/app/hang-up.h"
#include <glib.h>
#include <poll.h>

bool hang_up_wait(int fd, int ms)
{
	struct pollfd end = {fd, 0, 0};
	int n = poll(&end, 1, ms);
	if (n > 0 && (end.revents & POLLNVAL)) { /* closed from the start: nothing to wait for */
		g_usleep((gulong)ms * 1000);
		return false;
	}
	return n > 0 && (end.revents & (POLLERR | POLLHUP));
}
