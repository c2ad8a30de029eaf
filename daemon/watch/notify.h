/* SPDX-License-Identifier: GPL-3.0-or-later */
/* notify.h - the thread that drains inotify into Hints
 *
 * It does nothing else, so that the kernel's queue (16,384 events, full within 0.2 s of a storm)
 * stays short however busy the engine is. One inotify instance serves all roots: a directory that
 * moves from one root to another keeps its watch, and both halves of a rename come from one ordered
 * queue. The engine adds and removes watches (watcher.h). */
#pragma once
#include "daemon/watch/hints.h"

typedef struct Notify Notify;

typedef void (*NotifyWake)(void *data);

/* Calls wake from the thread after each read. Returns NULL with error if no inotify instance is
 * available (fs.inotify.max_user_instances): then everything is polled. */
Notify *notify_new(Hints *hints, NotifyWake wake, void *data, GError **error);
/* Stops the thread. NULL is allowed. */
void notify_free(Notify *notify);
int notify_fd(const Notify *notify);
/* A file whose name is a decimal number and that appears in the directory of this watch is a cookie
 * (hints_cookie). */
void notify_set_cookie_watch(Notify *notify, int watch);
