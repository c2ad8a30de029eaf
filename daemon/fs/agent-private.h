/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent-private.h - what agent.c and agent-launcher.c send to the processes that serve them
 * (agent-serve.c, agent-launcher-serve.c), which are the same program */
#pragma once
#include "daemon/fs/agent-launcher.h"
#include "daemon/fs/agent.h"
#include "daemon/fs/safeopen.h"

enum { AGENT_FDS = 2, AGENT_PATH_BYTES = 64 << 10 };

/* A request. Up to AGENT_FDS descriptors go with it; the path and its NUL follow. */
typedef struct {
	uint32_t op, n_fds;
	uint64_t a, b;
	SafeCrossings crossings;
} AgentQuestion;

/* An answer. A descriptor goes with it if a successful call returns one; the call's data follow. */
typedef struct {
	int64_t result;
	int32_t error;
	uint32_t length;
} AgentAnswer;

/* Sends one packet. fds: descriptors to pass. Returns false with errno; EPIPE if the socket is
 * closed. */
typedef struct {
	const void *head, *body;
	size_t head_length, body_length;
	const int *fds;
	unsigned n_fds;
} AgentPacket;
bool agent_send(int socket, const AgentPacket *packet);
/* Receives one packet. Returns false with errno; EPIPE if the other end is closed. *got_r: bytes of
 * the body. At most n_fds received descriptors go to fds; the rest of fds is set to -1. */
bool agent_receive(int socket, void *head, size_t head_length, void *body, size_t room,
        size_t *got_r, int *fds, unsigned n_fds);

/* An order to the launcher. A descriptor goes with it; the path and its NUL follow. */
typedef enum {
	ORDER_AGENT, /* the agent's end of its socket; the root */
	ORDER_CONFIG /* where the answer is to be sent, an AgentAnswer; the file */
} AgentOrder;

/* Runs the launcher in a process of its own: sends its level, then serves orders over this socket
 * until it is closed. */
void agent_launcher_serve(int orders, const AgentLauncherRules *rules);
