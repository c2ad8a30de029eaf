/* SPDX-License-Identifier: GPL-3.0-or-later */
/* traps.h - branches of a site that make pages without end
 *
 * Calendars, session ids, repeated path segments and growing query strings are not proof by
 * themselves: a manual has years in its paths too. So the pages that look alike by their URLs are
 * counted together as a branch, and the branch sinks once most of its pages were near copies of
 * others or soft 404s. A branch is known by its shape:
 *
 *	/calendar/2024/05/01.html		/calendar/#/#/
 *	/a/b/a/b/a/b/page			/a/b/
 *	/s/8f3a90bc77e1d2/view			/s/#/
 *	/list.php?sort=up&page=7&page=8		/list.php?page&sort
 *	the same with more than three names	/list.php?*
 *
 * Runs of digits, and segments of at least 12 characters with digits and letters mixed, become "#".
 */
#pragma once
#include <glib.h>
#include <stdbool.h>

enum { TRAP_EVIDENCE = 16 }; /* pages before a branch may sink */

/* Returns the shape of a path with its query ("/a/b?c=d"), which the caller owns. */
char *trap_shape(const char *path);
/* Do so many poor pages (near copies, soft 404s) say that the branch is a trap? */
bool trap_is_sunk(unsigned pages, unsigned poor);
