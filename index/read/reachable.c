/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/read/reachable.h"
#include "common/base/autofd.h"
#include "common/base/mounts.h"
#include "common/base/paths.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdalign.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

static char *reachable_doubtful_point(const char *path)
{
	g_autoptr(Mounts) mounts = mounts_new(NULL);
	mounts_read(mounts, NULL, NULL);
	return mounts_doubtful_point(mounts, path);
}

/* False if it certainly has no entry. Other threads do not exist in a child, so memory is not
 * asked for. */
static bool may_have_entry(const char *path)
{
	alignas(struct dirent64) char buffer[4096];
	autofd fd = open(path, O_RDONLY | O_DIRECTORY | O_NONBLOCK | O_CLOEXEC);
	ssize_t got = fd < 0 ? -1 : getdents64(fd, buffer, sizeof buffer);
	for (ssize_t at = 0; at < got;) {
		const struct dirent64 *entry = (const struct dirent64 *)(buffer + at);
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			return true;
		at += entry->d_reclen;
	}
	return got < 0;
}

/* No cache keeps the size of a file system, so statfs() makes the server answer. */
static bool reachable_answers(const char *path)
{
	struct statfs fs;
	return statfs(path, &fs) == 0 || errno == EACCES;
}

/* The path may be on an ordinary file system that is mounted in the doubtful one. The kernel then
 * asks about the path without that server as long as it remembers the way. The process may outlive
 * the caller, whose output somebody may read to its end. */
static void reachable_answer(const char *point, const char *path, bool filled)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		close(fd);
	bool there = reachable_answers(point) && reachable_answers(path);
	_exit(there && (!filled || may_have_entry(path)) ? 0 : 1);
}

static bool reachable_ask(const char *point, const char *path, bool filled)
{
	int status = 1;
	pid_t pid = fork();
	if (pid == 0)
		reachable_answer(point, path, filled);
	autofd fd = pid > 0 ? (int)syscall(SYS_pidfd_open, pid, 0) : -1;
	struct pollfd ended = {fd, POLLIN, 0};
	if (fd < 0)
		return false;
	if (poll(&ended, 1, REACHABLE_MS) <= 0) {
		enum { DEATH_MS = 50 }; /* the death may never come: do not wait for it */
		kill(pid, SIGKILL);
		poll(&ended, 1, DEATH_MS);
		waitpid(pid, NULL, WNOHANG);
		return false;
	}
	return waitpid(pid, &status, 0) == pid && status == 0;
}

static bool reachable_look(const char *path, bool filled)
{
	if (path_is_web(path))
		return true; /* its bytes are in the store of its source */
	g_autofree char *point = reachable_doubtful_point(path);
	if (point)
		return reachable_ask(point, path, filled);
	return (access(path, F_OK) == 0 || errno == EACCES) && (!filled || may_have_entry(path));
}

bool reachable(const char *path)
{
	return reachable_look(path, false);
}

bool reachable_filled(const char *path)
{
	return reachable_look(path, true);
}
