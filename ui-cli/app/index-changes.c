/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/app/index-changes.h"
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <unistd.h>

enum {
	COMMIT_MS = 50, /* a commit is several writes */
	SETTLE_MAX_MS = 400
};

struct IndexChanges {
	int events, signals;
};

static IndexChanges *index_changes_fail(const char *index_dir, GError **error)
{
	int number = errno;
	g_set_error(error, G_FILE_ERROR, g_file_error_from_errno(number), "%s: %s", index_dir,
	        g_strerror(number));
	return NULL;
}

IndexChanges *index_changes_new_without_signals(const char *index_dir, GError **error)
{
	g_autoptr(IndexChanges) changes = g_new0(IndexChanges, 1);
	changes->signals = -1;
	changes->events = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	if (changes->events < 0 || inotify_add_watch(changes->events, index_dir,
	                                   IN_MODIFY | IN_CREATE | IN_MOVED_TO | IN_DELETE_SELF |
	                                           IN_MOVE_SELF | IN_ONLYDIR) < 0)
		return index_changes_fail(index_dir, error);
	return g_steal_pointer(&changes);
}

IndexChanges *index_changes_new(const char *index_dir, GError **error)
{
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	g_autoptr(IndexChanges) changes = index_changes_new_without_signals(index_dir, error);
	if (!changes)
		return NULL;
	changes->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return changes->signals < 0 ? index_changes_fail(index_dir, error)
	                            : g_steal_pointer(&changes);
}

void index_changes_free(IndexChanges *changes)
{
	if (!changes)
		return;
	if (changes->events >= 0)
		close(changes->events);
	if (changes->signals >= 0)
		close(changes->signals);
	g_free(changes);
}

/* Reads the events that are there. Sets *changed_r for a write, *replaced_r if the directory went
 * away; an overflow of the queue may stand for writes. */
static void index_changes_read(const IndexChanges *changes, bool *changed_r, bool *replaced_r)
{
	_Alignas(struct inotify_event) char buffer[4096];
	ssize_t length;
	while ((length = read(changes->events, buffer, sizeof buffer)) > 0) {
		for (char *at = buffer; at < buffer + length;) {
			const struct inotify_event *event = (const struct inotify_event *)at;
			if (event->mask & (IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED | IN_UNMOUNT))
				*replaced_r = true;
			if ((event->mask & IN_Q_OVERFLOW) ||
			        (event->len > 0 && g_str_has_prefix(event->name, "index.db")))
				*changed_r = true;
			at += sizeof *event + event->len;
		}
	}
}

static bool index_changes_take_signal(const IndexChanges *changes, IndexChange *change_r)
{
	struct signalfd_siginfo info;
	if (read(changes->signals, &info, sizeof info) != (ssize_t)sizeof info)
		return false;
	*change_r = info.ssi_signo == SIGTERM ? INDEX_CHANGES_ENDED : INDEX_CHANGES_INTERRUPTED;
	return true;
}

int index_changes_fd(const IndexChanges *changes)
{
	return changes->events;
}

bool index_changes_take(IndexChanges *changes, bool *replaced_r)
{
	bool changed = false;
	index_changes_read(changes, &changed, replaced_r);
	return changed;
}

bool index_changes_signalled(const IndexChanges *changes)
{
	return poll(&(struct pollfd){changes->signals, POLLIN, 0}, 1, 0) > 0;
}

IndexChange index_changes_wait(IndexChanges *changes, int output, int pause_ms)
{
	int64_t earliest_us = g_get_monotonic_time() + (int64_t)pause_ms * 1000, latest_us = 0;
	bool changed = false, replaced = false;
	IndexChange change;

	for (;;) {
		struct pollfd fds[] = {{changes->events, POLLIN, 0}, {changes->signals, POLLIN, 0},
		        {output, 0, 0}};
		int64_t now_us = g_get_monotonic_time();
		int wait_ms = !changed               ? -1
		              : now_us < earliest_us ? (int)((earliest_us - now_us) / 1000) + 1
		                                     : COMMIT_MS;
		int n = poll(fds, G_N_ELEMENTS(fds), wait_ms);
		if (index_changes_take_signal(changes, &change))
			return change;
		if (n > 0 && (fds[2].revents & (POLLERR | POLLHUP | POLLNVAL)))
			return INDEX_CHANGES_INTERRUPTED;
		bool before = changed;
		index_changes_read(changes, &changed, &replaced);
		if (replaced)
			return INDEX_REPLACED;
		now_us = g_get_monotonic_time();
		if (changed && !before)
			latest_us = MAX(now_us + SETTLE_MAX_MS * 1000, earliest_us);
		if (changed && now_us >= earliest_us && (n == 0 || now_us >= latest_us))
			return INDEX_CHANGED;
	}
}
