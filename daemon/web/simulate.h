/* SPDX-License-Identifier: GPL-3.0-or-later */
/* simulate.h - the frontier on a trace of hosts and URLs, without network and faster than time */
#pragma once
#include <glib.h>
#include <stdbool.h>

/* Reads the trace (trace-world.h) and prints on standard output each request at the moment when it
 * is made: seconds with three decimals, a tab, the URL. All of it is deterministic. The frontier is
 * the real one, in an index of its own: in index_dir, where a simulation that was killed is
 * continued, or, if NULL, in a new directory that is removed at the end. An index that is no
 * simulation is refused. */
bool simulate_web(const char *trace, const char *index_dir, GError **error);
