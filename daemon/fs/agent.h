/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent.h - a process that asks file systems which may not answer
 *
 * A call to a file system whose server is gone may never return, and a process in it may not even
 * be killed: FUSE waits for the answer to what its server has read already. So the daemon makes no
 * call itself on a root that lies on such a file system: a process of its own does (the same
 * program, without the index), and descriptors travel over a socket. Directories and O_PATH
 * descriptors of it may be kept and closed here, which asks no server; bytes of files come as
 * copies in memory.
 *
 * A call that is not answered within AGENT_PATIENCE_MS fails with ETIMEDOUT, and so does every
 * later one at once, until the answer comes: then the server is back. Used through safeopen.h, by
 * one thread. */
#pragma once
#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { AGENT_PATIENCE_MS = 2000, AGENT_BYTES = 32 << 10, AGENT_FD = 3 };

typedef enum {
	AGENT_OPEN_ROOT, /* path -> descriptor */
	AGENT_OPEN_DIR, /* root, path, crossings -> descriptor */
	AGENT_OPEN_PATH, /* the same */
	AGENT_ENTER, /* directory, name, device -> descriptor */
	AGENT_COPY, /* directory and name, or O_PATH descriptor; most bytes -> sealed copy in memory
	             */
	AGENT_STAT, /* directory, name, how -> struct statx */
	AGENT_STAT_FD, /* descriptor, how -> struct statx */
	AGENT_STATFS, /* descriptor -> struct statfs */
	AGENT_MAY, /* directory, name, mode, flags */
	AGENT_LIST, /* directory -> some of its entries, as getdents64(2) gives them */
	AGENT_WATCH, /* directory, inotify instance, mask -> number of the watch */
} AgentOp;

struct SafeCrossings;

typedef struct {
	AgentOp op;
	uint64_t a, b; /* numbers of the call, in its order */
	int fd, other_fd; /* 0: none */
	const char *path; /* NULL: "" */
	const struct SafeCrossings *crossings; /* NULL: none */
	void *out; /* what it returns besides a number or descriptor */
	size_t room;
	size_t got; /* bytes in out */
	bool returns_fd;
	unsigned more_ms; /* of patience */
} AgentCall;

typedef struct Agent Agent;

/* stop: not 0 ends all waiting; NULL: never. The process is started by the first call. */
Agent *agent_new(const gint *stop);
/* Kills the process, and does not wait until it is dead. */
void agent_free(Agent *agent);
/* The number or descriptor, or -1 with errno. */
int64_t agent_call(Agent *agent, AgentCall *call);
/* Is an answer overdue? */
bool agent_is_stuck(Agent *agent);

/* The process itself: serves calls that come over the socket AGENT_FD until it is closed. Returns
 * the exit status. */
int agent_serve(void);
