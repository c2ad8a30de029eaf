/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent-private.h - packets between agent.c and agent-serve.c, the same program */
#pragma once
#include "daemon/fs/agent.h"
#include "daemon/fs/safeopen.h"

enum { AGENT_FDS = 2, AGENT_PATH_BYTES = 64 << 10 };

/* With up to AGENT_FDS descriptors; the path follows, with its NUL. */
typedef struct {
	uint32_t op, n_fds;
	uint64_t a, b;
	SafeCrossings crossings;
} AgentQuestion;

/* With a descriptor if the call returns one and went well; what it says follows. */
typedef struct {
	int64_t result;
	int32_t error;
	uint32_t length;
} AgentAnswer;

/* One packet. fds: sent along; fd_r: got along, -1 if none. False with errno; a closed socket is
 * EPIPE. */
typedef struct {
	const void *head, *body;
	size_t head_length, body_length;
	const int *fds;
	unsigned n_fds;
} AgentPacket;
bool agent_send(int socket, const AgentPacket *packet);
/* Head and body as they come; *got_r: bytes of the body. Descriptors go to fds, at most n_fds, -1
 * where there is none. */
bool agent_receive(int socket, void *head, size_t head_length, void *body, size_t room,
        size_t *got_r, int *fds, unsigned n_fds);
