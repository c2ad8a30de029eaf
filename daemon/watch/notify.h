/* SPDX-License-Identifier: GPL-3.0-or-later */
/* notify.h - the thread that drains inotify into Hints
 *
 * It does nothing else, so that the kernel's queue (16,384 events, full within 0.2 s of a storm)
 * stays short however busy the engine is. One instance serves all roots: a directory that moves
 * from one root to another keeps its watch, and the events of both sides of a rename come from one
 * ordered queue. Adding and removing watches is the engine's business (watcher.h). */
#pragma once
#include "daemon/watch/hints.h"

typedef struct Notify Notify;

typedef void (*NotifyWake)(void *data);

/* wake is called from the thread after each read. NULL with error if inotify is not to be had
 * (limit of instances): then everything is polled. */
Notify *notify_new(Hints *hints, NotifyWake wake, void *data, GError **error);
/* Stops the thread. NULL is fine. */
void notify_free(Notify *notify);
int notify_fd(const Notify *notify);
/* Files named by a decimal number that appear in the directory of this watch are cookies
 * (hints_cookie). */
void notify_set_cookie_watch(Notify *notify, int watch);
