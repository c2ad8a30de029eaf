/* SPDX-License-Identifier: GPL-3.0-or-later */
/* browse-life.h - how long the server goes on: while a page is open
 *
 * The script of a page says every so often that it is there, and says good-bye when it is left. Of
 * a page without script nothing is known, so it counts as open for a longer time after each request
 * for one. All functions may be called from any thread. */
#pragma once
#include <glib.h>
#include <stdint.h>

typedef struct BrowseLife BrowseLife;

enum { LIFE_IDLE_S = 300, LIFE_PAGES = 256 /* that are known at a time, at most */ };

/* idle_s: a page that has been silent for that long counts as closed. Until the first page the
 * server waits twice, and after a page without script six times as long. */
BrowseLife *browse_life_new(unsigned idle_s);
void browse_life_free(BrowseLife *life);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(BrowseLife, browse_life_free)

/* A page was asked for; it may have a script or none. Returns its number, which is not 0. */
unsigned browse_life_page(BrowseLife *life);
/* The script of the page with this name is there, or has gone. The name comes from outside. number:
 * what browse_life_page() returned, which need not be waited for as for a page without script. */
void browse_life_alive(BrowseLife *life, const char *page, unsigned number);
void browse_life_bye(BrowseLife *life, const char *page);
/* Nobody has taken the answer to the request for the page with this number: no window shows it. */
void browse_life_abort(BrowseLife *life, unsigned number);
/* Microseconds until the server may end, if nothing happens; 0: it may. */
int64_t browse_life_left_us(BrowseLife *life);
