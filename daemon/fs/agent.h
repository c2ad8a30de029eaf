/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent.h - a process that makes calls to file systems which may hang
 *
 * A call to a file system whose server is gone may never return, and the calling process may not
 * even be killable: FUSE waits for the answer to a request that its server has already read.
 * Therefore the daemon makes no call itself on a root that lies on such a file system. A process of
 * its own makes it (the same program, without the index), and descriptors travel over a socket. The
 * daemon may keep and close directories and O_PATH descriptors of that file system, because this
 * asks no server; the bytes of files come as copies in memory.
 *
 * An agent that an agent launcher started (agent-launcher.h) may read one root and nothing else, as
 * it was at the start of the agent. If another directory is there, the next AGENT_OPEN_ROOT starts
 * another agent.
 *
 * A call without an answer after AGENT_PATIENCE_MS fails with ETIMEDOUT, and so does every later
 * call at once, until the answer comes and shows that the server is back. Used through safeopen.h,
 * by one thread. */
#pragma once
#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { AGENT_PATIENCE_MS = 2000, AGENT_BYTES = 32 << 10, AGENT_FD = 3 };

typedef enum {
	AGENT_OPEN_ROOT, /* path, whether it must be readable (or ESTALE) -> descriptor */
	AGENT_OPEN_DIR, /* root, path, crossings -> descriptor */
	AGENT_OPEN_PATH, /* the same */
	AGENT_ENTER, /* directory, name, device -> descriptor */
	AGENT_COPY, /* directory and name, or O_PATH descriptor; size limit -> sealed copy in memory
	             */
	AGENT_COPY_PART, /* O_PATH descriptor; offset, length -> sealed copy in memory */
	AGENT_STAT, /* directory, name, SafeStat -> struct statx */
	AGENT_STAT_FD, /* descriptor, SafeStat -> struct statx */
	AGENT_STATFS, /* descriptor -> struct statfs */
	AGENT_MAY, /* directory, name, mode, flags */
	AGENT_LIST, /* directory -> some of its entries in the format of getdents64(2) */
	AGENT_WATCH, /* directory, inotify instance, mask -> watch descriptor */
} AgentOp;

struct SafeCrossings;

typedef struct {
	AgentOp op;
	uint64_t a, b; /* numeric arguments of the call, in its order */
	int fd, other_fd; /* 0: none */
	const char *path; /* NULL: "" */
	const struct SafeCrossings *crossings; /* NULL: none */
	void *out; /* receives data that the call returns besides a number or descriptor */
	size_t room;
	size_t got; /* bytes written to out */
	bool returns_fd;
	unsigned more_ms; /* added to AGENT_PATIENCE_MS */
} AgentCall;

typedef struct Agent Agent;

/* stop: a value other than 0 ends all waiting; NULL: never. root: the path of the root. The first
 * call starts the process. */
Agent *agent_new(const gint *stop, const char *root);
/* Kills the process without waiting for its end. */
void agent_free(Agent *agent);
/* Returns the number or descriptor, or -1 with errno. */
int64_t agent_call(Agent *agent, AgentCall *call);
/* True while an answer is overdue. */
bool agent_is_stuck(Agent *agent);

/* Runs the process itself: serves calls over the socket AGENT_FD until it is closed. Returns the
 * exit status. */
int agent_serve(void);
