/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/watch/notify.h"
#include "common/base/autofd.h"
#include <errno.h>
#include <glib.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>

struct Notify {
	int fd, stop_fd;
	gint cookie_watch; /* atomic; -1: none */
	Hints *hints;
	NotifyWake wake;
	void *data;
	GThread *thread;
};

static const struct {
	uint32_t mask;
	unsigned what;
} meanings[] = {
        {IN_CREATE, HINT_CREATED},
        {IN_MODIFY, HINT_MODIFIED},
        {IN_CLOSE_WRITE, HINT_CLOSED},
        {IN_MOVED_FROM | IN_MOVED_TO, HINT_MOVED},
        {IN_MOVED_FROM, HINT_LEFT},
        {IN_CREATE | IN_MOVED_TO, HINT_ARRIVED},
        {IN_DELETE, HINT_GONE},
        {IN_ATTRIB, HINT_FACTS},
        {IN_ISDIR, HINT_DIR},
        {IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT, HINT_SELF},
        {IN_UNMOUNT, HINT_UNMOUNTED},
        {IN_IGNORED, HINT_UNWATCHED},
};

static unsigned notify_meaning(uint32_t mask)
{
	unsigned what = 0;
	for (size_t i = 0; i < G_N_ELEMENTS(meanings); i++) {
		if (mask & meanings[i].mask)
			what |= meanings[i].what;
	}
	return mask & IN_ISDIR ? what & ~HINT_ARRIVED : what;
}

/* True if the other half of the rename is among the next events. The two halves are adjacent unless
 * another processor adds events in between. If it is not found, the name counts as gone. */
static bool is_moved_on(const char *next, size_t length, uint32_t cookie)
{
	enum { MOST_BETWEEN = 64 };
	for (unsigned i = 0; i < MOST_BETWEEN && length >= sizeof(struct inotify_event); i++) {
		const struct inotify_event *event = (const void *)next;
		size_t size = sizeof(*event) + event->len;
		if ((event->mask & IN_MOVED_TO) && event->cookie == cookie)
			return true;
		next += size;
		length -= size;
	}
	return false;
}

/* next: the events after this one. */
static void take_event(
        Notify *notify, const struct inotify_event *event, const char *next, size_t length)
{
	unsigned what = notify_meaning(event->mask);
	if (event->mask & IN_MOVED_FROM)
		what |= is_moved_on(next, length, event->cookie) ? HINT_MOVED_ON : HINT_GONE;
	const char *name = event->len > 0 ? event->name : "";
	if (event->mask & IN_Q_OVERFLOW)
		hints_overflow(notify->hints);
	else if (event->wd == g_atomic_int_get(&notify->cookie_watch))
		hints_cookie(notify->hints, g_ascii_strtoull(name, NULL, 10));
	else
		hints_add(notify->hints, event->wd, name, what);
}

static void take_events(Notify *notify, const char *buffer, size_t length)
{
	for (size_t at = 0; at + sizeof(struct inotify_event) <= length;) {
		const struct inotify_event *event = (const void *)(buffer + at);
		at += sizeof(*event) + event->len;
		take_event(notify, event, buffer + at, length - at);
	}
	notify->wake(notify->data);
}

static gpointer notify_run(gpointer data)
{
	enum { BUFFER_BYTES = 64 << 10 };
	Notify *notify = data;
	g_autofree char *buffer = g_malloc(BUFFER_BYTES);
	struct pollfd fds[] = {{notify->fd, POLLIN, 0}, {notify->stop_fd, POLLIN, 0}};
	for (;;) {
		if (poll(fds, G_N_ELEMENTS(fds), -1) < 0 && errno != EINTR)
			break;
		if (fds[1].revents)
			break;
		ssize_t got = read(notify->fd, buffer, BUFFER_BYTES);
		if (got > 0)
			take_events(notify, buffer, got);
	}
	return NULL;
}

static bool notify_fail(GError **error, const char *what)
{
	int code = errno;
	g_set_error(error, G_FILE_ERROR, g_file_error_from_errno(code), "%s: %s", what,
	        g_strerror(code));
	return false;
}

Notify *notify_new(Hints *hints, NotifyWake wake, void *data, GError **error)
{
	autofd fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	if (fd < 0) {
		notify_fail(error, "inotify_init1");
		return NULL;
	}
	autofd stop_fd = eventfd(0, EFD_CLOEXEC);
	if (stop_fd < 0) {
		notify_fail(error, "eventfd");
		return NULL;
	}
	Notify *notify = g_new0(Notify, 1);
	notify->fd = autofd_steal(&fd);
	notify->stop_fd = autofd_steal(&stop_fd);
	notify->cookie_watch = -1;
	notify->hints = hints;
	notify->wake = wake;
	notify->data = data;
	notify->thread = g_thread_new("notify", notify_run, notify);
	return notify;
}

void notify_free(Notify *notify)
{
	if (!notify)
		return;
	eventfd_write(notify->stop_fd, 1);
	g_thread_join(notify->thread);
	close(notify->fd);
	close(notify->stop_fd);
	g_free(notify);
}

int notify_fd(const Notify *notify)
{
	return notify->fd;
}

void notify_set_cookie_watch(Notify *notify, int watch)
{
	g_atomic_int_set(&notify->cookie_watch, watch);
}
