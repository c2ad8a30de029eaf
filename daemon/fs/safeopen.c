/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/fs/safeopen.h"
#include "common/base/autofd.h"
#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <limits.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/syscall.h>

enum { RACE_TRIES = 16 };

static int safeopen_look(int fd, const char *name, int flags, SafeStat how, struct statx *out)
{
	int ask = how == SAFE_ASK ? AT_STATX_FORCE_SYNC : AT_STATX_DONT_SYNC;
	return statx(fd, name, flags | AT_NO_AUTOMOUNT | ask, STATX_BASIC_STATS | STATX_BTIME, out);
}

int safe_stat(Agent *agent, int dir_fd, const char *name, SafeStat how, struct statx *out)
{
	if (agent)
		return agent_call(agent, &(AgentCall){.op = AGENT_STAT,
		                                 .a = how,
		                                 .fd = dir_fd,
		                                 .path = name,
		                                 .out = out,
		                                 .room = sizeof(*out)});
	return safeopen_look(dir_fd, name, AT_SYMLINK_NOFOLLOW, how, out);
}

int safe_stat_fd(Agent *agent, int fd, SafeStat how, struct statx *out)
{
	if (agent)
		return agent_call(agent, &(AgentCall){.op = AGENT_STAT_FD,
		                                 .a = how,
		                                 .fd = fd,
		                                 .out = out,
		                                 .room = sizeof(*out)});
	return safeopen_look(fd, "", AT_EMPTY_PATH, how, out);
}

bool safe_is_mount_point(const struct statx *st)
{
	return (st->stx_attributes_mask & STATX_ATTR_MOUNT_ROOT) &&
	       (st->stx_attributes & STATX_ATTR_MOUNT_ROOT);
}

bool safe_is_elsewhere(const struct statx *st, bool same_device)
{
	bool told = st->stx_attributes_mask & STATX_ATTR_MOUNT_ROOT;
	return safe_is_mount_point(st) || (!same_device && (S_ISDIR(st->stx_mode) || !told));
}

int safe_open_root(Agent *agent, const char *path)
{
	if (agent)
		return agent_call(agent,
		        &(AgentCall){.op = AGENT_OPEN_ROOT, .path = path, .returns_fd = true});
	return open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

static bool safeopen_same_device(int one, int other)
{
	struct statx a, b;
	return safe_stat_fd(NULL, one, SAFE_CACHED, &a) == 0 &&
	       safe_stat_fd(NULL, other, SAFE_CACHED, &b) == 0 &&
	       a.stx_dev_major == b.stx_dev_major && a.stx_dev_minor == b.stx_dev_minor;
}

/* Opens one component; name is neither "." nor "..". */
static int safeopen_step(int dir_fd, int root_fd, const char *name, int flags)
{
	autofd fd = openat(dir_fd, name, flags | O_NOFOLLOW | O_CLOEXEC);
	struct statx st;
	if (fd < 0)
		return -1;
	if (safe_stat_fd(NULL, fd, SAFE_CACHED, &st) != 0)
		return -1;
	if (safe_is_elsewhere(&st, safeopen_same_device(fd, root_fd))) {
		errno = EXDEV;
		return -1;
	}
	return autofd_steal(&fd);
}

static int open_stepwise(int root_fd, const char *relative, int flags)
{
	g_auto(GStrv) parts = g_strsplit(relative, "/", -1);
	autofd at = -1;
	if (!*relative)
		return openat(root_fd, ".", flags | O_CLOEXEC);
	for (unsigned i = 0; parts[i]; i++) {
		if (!*parts[i] || strcmp(parts[i], ".") == 0 || strcmp(parts[i], "..") == 0) {
			errno = EXDEV;
			return -1;
		}
		int next = safeopen_step(at < 0 ? root_fd : at, root_fd, parts[i],
		        parts[i + 1] ? O_PATH | O_DIRECTORY : flags);
		if (next < 0)
			return -1;
		autofd_close(&at);
		at = next;
	}
	return autofd_steal(&at);
}

/* The kernel answers EAGAIN when a concurrent rename prevents it from proving that the path stays
 * below the root. Where renames never stop, opening component by component is slower but certain.
 */
static int open_beneath(int root_fd, const char *relative, int flags)
{
	struct open_how how = {
	        .flags = flags | O_CLOEXEC,
	        .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS |
	                   RESOLVE_NO_XDEV,
	};
	int fd = -1;
	if (strlen(relative) >= PATH_MAX)
		return open_stepwise(root_fd, relative, flags);
	for (unsigned i = 0; i < RACE_TRIES; i++) {
		fd = syscall(SYS_openat2, root_fd, *relative ? relative : ".", &how, sizeof(how));
		if (fd >= 0 || errno != EAGAIN)
			break;
	}
	if (fd < 0 && (errno == EAGAIN || errno == ENOSYS || errno == EPERM || errno == E2BIG ||
	                      errno == EINVAL))
		return open_stepwise(root_fd, relative, flags);
	return fd;
}

int safe_enter(
        Agent *agent, int dir_fd, const char *name, uint32_t device_major, uint32_t device_minor)
{
	struct statx st;
	if (agent)
		return agent_call(agent, &(AgentCall){.op = AGENT_ENTER,
		                                 .a = device_major,
		                                 .b = device_minor,
		                                 .fd = dir_fd,
		                                 .path = name,
		                                 .returns_fd = true});
	autofd fd = openat(dir_fd, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 || safe_stat_fd(NULL, fd, SAFE_CACHED, &st) != 0)
		return -1;
	if (st.stx_dev_major != device_major || st.stx_dev_minor != device_minor) {
		errno = EXDEV;
		return -1;
	}
	return autofd_steal(&fd);
}

/* Opens the mount point itself, then what is mounted on it. */
static int safeopen_cross(
        int from_fd, const char *path, uint32_t device_major, uint32_t device_minor)
{
	const char *slash = strrchr(path, '/');
	g_autofree char *above = slash ? g_strndup(path, slash - path) : NULL;
	if (!slash)
		return safe_enter(NULL, from_fd, path, device_major, device_minor);
	autofd fd = open_beneath(from_fd, above, O_PATH | O_DIRECTORY | O_NOFOLLOW);
	return fd < 0 ? -1 : safe_enter(NULL, fd, slash + 1, device_major, device_minor);
}

static int open_across(int root_fd, const char *relative, const SafeCrossings *crossings, int flags)
{
	autofd at = -1;
	size_t done = 0;
	for (unsigned i = 0; crossings && i < crossings->n; i++) {
		g_autofree char *part = g_strndup(relative + done, crossings->at[i].length - done);
		int next = safeopen_cross(at < 0 ? root_fd : at, part,
		        crossings->at[i].device_major, crossings->at[i].device_minor);
		if (next < 0)
			return -1;
		autofd_close(&at);
		at = next;
		done = crossings->at[i].length;
		done += relative[done] == '/';
	}
	return open_beneath(at < 0 ? root_fd : at, relative + done, flags);
}

static int ask_open(
        Agent *agent, AgentOp op, int root_fd, const char *relative, const SafeCrossings *crossings)
{
	return agent_call(agent, &(AgentCall){.op = op,
	                                 .fd = root_fd,
	                                 .path = relative,
	                                 .crossings = crossings,
	                                 .returns_fd = true});
}

int safe_open_dir(Agent *agent, int root_fd, const char *relative, const SafeCrossings *crossings)
{
	if (agent)
		return ask_open(agent, AGENT_OPEN_DIR, root_fd, relative, crossings);
	return open_across(
	        root_fd, relative, crossings, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK);
}

int safe_open_path(Agent *agent, int root_fd, const char *relative, const SafeCrossings *crossings)
{
	if (agent)
		return ask_open(agent, AGENT_OPEN_PATH, root_fd, relative, crossings);
	return open_across(root_fd, relative, crossings, O_PATH | O_NOFOLLOW);
}

int safe_reopen_file(int path_fd)
{
	enum { FLAGS = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC };
	char link[64];
	g_snprintf(link, sizeof(link), "/proc/self/fd/%d", path_fd);
	int fd = open(link, FLAGS | O_NOATIME);
	if (fd < 0 && errno == EPERM) /* Only the owner may use O_NOATIME. */
		fd = open(link, FLAGS);
	return fd;
}
