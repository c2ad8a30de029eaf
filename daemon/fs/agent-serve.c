/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent-serve.c - the process that makes the calls: it has no threads and no index, nothing to lose
 */
#include <config.h>
#include "daemon/fs/agent-private.h"
#include "common/base/autofd.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>

typedef struct {
	AgentQuestion question;
	char path[AGENT_PATH_BYTES + 1];
	int fds[AGENT_FDS];
	char out[AGENT_BYTES];
	size_t length;
	int fd; /* the descriptor to return; -1: none */
} AgentService;

static int64_t return_fd(AgentService *s, int fd)
{
	s->fd = fd;
	return fd < 0 ? -1 : 0;
}

static int64_t return_bytes(AgentService *s, ssize_t result, size_t length)
{
	if (result >= 0)
		s->length = length;
	return result;
}

/* readable: it fails with ESTALE if the entries of the directory may not be read. */
static int serve_root(const char *path, bool readable)
{
	autofd root = safe_open_root(NULL, path);
	autofd entries = root < 0 || !readable ? -1 : safe_open_dir(NULL, root, "", NULL);
	if (root < 0 || !readable || entries >= 0 || errno != EACCES)
		return autofd_steal(&root);
	errno = ESTALE;
	return -1;
}

static int64_t agent_serve_serve(AgentService *s)
{
	const AgentQuestion *q = &s->question;
	int fd = s->fds[0];
	switch ((AgentOp)q->op) {
	case AGENT_OPEN_ROOT:
		return return_fd(s, serve_root(s->path, q->a));
	case AGENT_OPEN_DIR:
		return return_fd(s, safe_open_dir(NULL, fd, s->path, &q->crossings));
	case AGENT_OPEN_PATH:
		return return_fd(s, safe_open_path(NULL, fd, s->path, &q->crossings));
	case AGENT_ENTER:
		return return_fd(s, safe_enter(NULL, fd, s->path, q->a, q->b));
	case AGENT_COPY:
		return return_fd(s, safe_copy(NULL, fd, s->path, q->a));
	case AGENT_COPY_PART:
		return return_fd(s, safe_copy_part(NULL, fd, q->a, q->b));
	case AGENT_STAT:
		return return_bytes(s,
		        safe_stat(NULL, fd, s->path, (SafeStat)q->a, (struct statx *)s->out),
		        sizeof(struct statx));
	case AGENT_STAT_FD:
		return return_bytes(s,
		        safe_stat_fd(NULL, fd, (SafeStat)q->a, (struct statx *)s->out),
		        sizeof(struct statx));
	case AGENT_STATFS:
		return return_bytes(
		        s, safe_statfs(NULL, fd, (struct statfs *)s->out), sizeof(struct statfs));
	case AGENT_MAY:
		return safe_may(NULL, fd, s->path, q->a, q->b) ? 0 : -1;
	case AGENT_LIST: {
		ssize_t got = safe_read_entries(NULL, fd, s->out, sizeof(s->out));
		return return_bytes(s, got, got);
	}
	case AGENT_WATCH:
		return safe_watch(NULL, s->fds[1], fd, q->a);
	}
	errno = ENOSYS;
	return -1;
}

static bool serve_one(AgentService *s)
{
	size_t got;
	s->length = 0;
	s->fd = -1;
	if (!agent_receive(AGENT_FD, &s->question, sizeof(s->question), s->path, AGENT_PATH_BYTES,
	            &got, s->fds, AGENT_FDS))
		return false;
	s->path[got] = '\0';
	AgentAnswer answer = {.result = agent_serve_serve(s)};
	answer.error = errno;
	answer.length = s->length;
	AgentPacket packet = {&answer, s->out, sizeof(answer), s->length, &s->fd, s->fd >= 0};
	bool sent = agent_send(AGENT_FD, &packet);
	autofd_close(&s->fd);
	for (unsigned i = 0; i < AGENT_FDS; i++)
		autofd_close(&s->fds[i]);
	return sent;
}

int agent_serve(void)
{
	AgentService *s = g_aligned_alloc0(1, sizeof(AgentService), 16);
	while (serve_one(s))
		;
	g_aligned_free(s);
	return 0;
}
