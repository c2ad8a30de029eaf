/* SPDX-License-Identifier: GPL-3.0-or-later */
/* autofd.h - file descriptors that are closed at the end of their scope (GLib has g_autofd from
 * 2.76 on) */
#pragma once
#include <unistd.h>

static inline void autofd_close(int *fd)
{
	if (*fd >= 0)
		close(*fd);
}
#define autofd __attribute__((cleanup(autofd_close))) int

static inline int autofd_steal(int *fd)
{
	int stolen = *fd;
	*fd = -1;
	return stolen;
}
