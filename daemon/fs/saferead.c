/* SPDX-License-Identifier: GPL-3.0-or-later */
/* saferead.c - the part of safeopen.h that reads: copies, stat data, entries */
#include <config.h>
#include "daemon/fs/safeopen.h"
#include "common/base/autofd.h"
#include "common/base/text.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/syscall.h>

enum { COPY_BYTES_PER_MS = 1000 }; /* a server slower than this counts as dead */

/* ---- copies */

bool safe_write_all(int fd, const char *bytes, size_t length)
{
	while (length > 0) {
		ssize_t put = write(fd, bytes, length);
		if (put < 0 && errno == EINTR)
			continue;
		if (put < 0)
			return false;
		bytes += put;
		length -= put;
	}
	return true;
}

/* Copies up to max_bytes. *whole_r: the file ends there. */
static bool copy_bytes(int from, int to, uint64_t max_bytes, bool *whole_r)
{
	char buffer[32 << 10];
	for (uint64_t left = max_bytes;;) {
		ssize_t got = read(from, buffer, MIN(left, sizeof(buffer) - 1) + 1);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return false;
		*whole_r = got == 0;
		bool over = got > 0 && (uint64_t)got > left;
		if (!safe_write_all(to, buffer, over ? (ssize_t)left : got))
			return false;
		if (got == 0 || over)
			return true;
		left -= got;
	}
}

static int saferead_open_file(int fd, const char *name)
{
	struct statx st;
	autofd path_fd = -1;
	if (*name) {
		path_fd = openat(fd, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
		if (path_fd < 0)
			return -1;
		fd = path_fd;
	}
	if (safe_stat_fd(NULL, fd, SAFE_ASK, &st) != 0)
		return -1;
	if (!S_ISREG(st.stx_mode)) {
		errno = EINVAL;
		return -1;
	}
	return safe_reopen_file(fd);
}

/* Makes the copy in this process. */
static int saferead_copy(
        int fd, const char *name, uint64_t offset, uint64_t max_bytes, bool *whole_r)
{
	enum { SEALS = F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL };
	autofd from = saferead_open_file(fd, name);
	autofd to = from < 0 ? -1 : memfd_create("copy", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (to < 0 || lseek(from, (off_t)offset, SEEK_SET) < 0 ||
	        lseek(to, (off_t)offset, SEEK_SET) < 0 ||
	        !copy_bytes(from, to, max_bytes, whole_r) || lseek(to, 0, SEEK_SET) != 0 ||
	        fcntl(to, F_ADD_SEALS, SEALS) != 0)
		return -1;
	return autofd_steal(&to);
}

static unsigned copy_more_ms(uint64_t bytes)
{
	return MIN(bytes / COPY_BYTES_PER_MS, 600 * 1000);
}

int safe_copy(Agent *agent, int fd, const char *name, uint64_t max_bytes)
{
	bool whole;
	if (agent)
		return agent_call(agent, &(AgentCall){.op = AGENT_COPY,
		                                 .a = max_bytes,
		                                 .fd = fd,
		                                 .path = name,
		                                 .returns_fd = true,
		                                 .more_ms = copy_more_ms(max_bytes)});
	autofd copy = saferead_copy(fd, name, 0, max_bytes, &whole);
	if (copy < 0 || whole)
		return autofd_steal(&copy);
	errno = EFBIG;
	return -1;
}

int safe_copy_part(Agent *agent, int path_fd, uint64_t offset, uint64_t length)
{
	bool whole;
	if (agent)
		return agent_call(agent, &(AgentCall){.op = AGENT_COPY_PART,
		                                 .a = offset,
		                                 .b = length,
		                                 .fd = path_fd,
		                                 .returns_fd = true,
		                                 .more_ms = copy_more_ms(length)});
	return saferead_copy(path_fd, "", offset, length, &whole);
}

/* ---- stat data */

int safe_statfs(Agent *agent, int fd, struct statfs *out)
{
	if (agent)
		return agent_call(agent,
		        &(AgentCall){
		                .op = AGENT_STATFS, .fd = fd, .out = out, .room = sizeof(*out)});
	return fstatfs(fd, out);
}

bool safe_may(Agent *agent, int dir_fd, const char *name, int mode, int flags)
{
	if (agent)
		return agent_call(agent, &(AgentCall){.op = AGENT_MAY,
		                                 .a = mode,
		                                 .b = flags,
		                                 .fd = dir_fd,
		                                 .path = name}) == 0;
	return faccessat(dir_fd, name, mode, flags | AT_EACCESS) == 0;
}

int safe_watch(Agent *agent, int inotify_fd, int dir_fd, uint32_t mask)
{
	char path[64];
	if (agent)
		return agent_call(agent, &(AgentCall){.op = AGENT_WATCH,
		                                 .a = mask,
		                                 .fd = dir_fd,
		                                 .other_fd = inotify_fd});
	g_snprintf(path, sizeof(path), "/proc/self/fd/%d", dir_fd);
	return inotify_add_watch(inotify_fd, path, mask);
}

/* ---- directory entries */

/* The kernel's format: getdents64(2). */
typedef struct {
	uint64_t ino;
	int64_t offset;
	uint16_t length;
	uint8_t type;
	char name[];
} RawDirent;

struct SafeList {
	Agent *agent;
	int fd;
	size_t length; /* of what is in the buffer */
	bool ended; /* the buffer holds all that is left */
	bool sorted; /* names are those in the buffer, and nothing more is read into it */
	GPtrArray *names;
	guint at;
	char buffer[AGENT_BYTES] __attribute__((aligned(8)));
};

ssize_t safe_read_entries(Agent *agent, int dir_fd, void *buffer, size_t room)
{
	AgentCall call = {.op = AGENT_LIST, .fd = dir_fd, .out = buffer, .room = room};
	if (!agent)
		return syscall(SYS_getdents64, dir_fd, buffer, room);
	return agent_call(agent, &call) < 0 ? -1 : (ssize_t)call.got;
}

SafeList *safe_list_new(Agent *agent, int dir_fd)
{
	SafeList *list = g_new(SafeList, 1);
	list->agent = agent;
	list->fd = dir_fd;
	list->length = 0;
	list->ended = list->sorted = false;
	list->names = g_ptr_array_new();
	list->at = 0;
	return list;
}

void safe_list_free(SafeList *list)
{
	if (list)
		g_ptr_array_unref(list->names);
	g_free(list);
}

static bool is_dot(const char *name)
{
	return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

/* Appends the next entries to the buffer. False at the end, or on an error (errno). */
static bool list_read(SafeList *list)
{
	ssize_t got = safe_read_entries(list->agent, list->fd, list->buffer + list->length,
	        sizeof(list->buffer) - list->length);
	if (got <= 0) {
		list->ended = got == 0;
		return false;
	}
	list->length += got;
	return true;
}

/* True if the buffer holds all entries. An agent does not know how much room is left. */
static bool list_is_whole(SafeList *list)
{
	enum { LONGEST_RECORD = sizeof(RawDirent) + 256 + 8 };
	if (list->agent || list->sorted)
		return false;
	while (!list->ended && sizeof(list->buffer) - list->length >= LONGEST_RECORD) {
		if (!list_read(list))
			break;
	}
	return list->ended;
}

bool safe_list_may_have(SafeList *list, const char *name)
{
	if (!list_is_whole(list))
		return true;
	for (size_t at = 0; at < list->length;) {
		const RawDirent *record = (const RawDirent *)(list->buffer + at);
		if (g_ascii_strcasecmp(record->name, name) == 0)
			return true;
		at += record->length;
	}
	return false;
}

/* Finds and sorts the names in the buffer. */
static void list_sort(SafeList *list)
{
	for (size_t at = 0; at < list->length;) {
		RawDirent *record = (RawDirent *)(list->buffer + at);
		at += record->length;
		if (!is_dot(record->name))
			g_ptr_array_add(list->names, record->name);
	}
	g_ptr_array_sort(list->names, text_compare_elements);
	list->sorted = true;
}

static void list_empty(SafeList *list)
{
	g_ptr_array_set_size(list->names, 0);
	list->at = list->length = 0;
	list->sorted = false;
}

const char *safe_list_next(SafeList *list)
{
	while (list->at == list->names->len) {
		errno = 0;
		if (list->sorted)
			list_empty(list);
		if (list->length == 0 && (list->ended || !list_read(list)))
			return NULL;
		list_sort(list);
	}
	return list->names->pdata[list->at++];
}

bool safe_is_empty(Agent *agent, int dir_fd)
{
	g_autoptr(SafeList) list = safe_list_new(agent, dir_fd);
	return !safe_list_next(list) && errno == 0;
}
