/* SPDX-License-Identifier: GPL-3.0-or-later */
/* late-loop.c - a preloaded library that starts the main loop 500 ms late, after other threads have
 * answered */
#include <config.h>
#include <dlfcn.h>
#include <glib.h>

void g_main_loop_run(GMainLoop *loop)
{
	void (*run)(GMainLoop *) = (void (*)(GMainLoop *))dlsym(RTLD_NEXT, "g_main_loop_run");
	g_usleep(500 * 1000);
	run(loop);
}
