/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/fs/agent-private.h"
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

typedef union {
	char bytes[CMSG_SPACE(AGENT_FDS * sizeof(int))];
	struct cmsghdr align;
} Control;

bool agent_send(int socket, const AgentPacket *packet)
{
	struct iovec parts[] = {{(void *)packet->head, packet->head_length},
	        {(void *)packet->body, packet->body_length}};
	struct msghdr message = {.msg_iov = parts, .msg_iovlen = packet->body_length > 0 ? 2 : 1};
	Control control = {{0}};
	if (packet->n_fds > 0) {
		message.msg_control = control.bytes;
		message.msg_controllen = CMSG_SPACE(packet->n_fds * sizeof(int));
		struct cmsghdr *item = CMSG_FIRSTHDR(&message);
		item->cmsg_level = SOL_SOCKET;
		item->cmsg_type = SCM_RIGHTS;
		item->cmsg_len = CMSG_LEN(packet->n_fds * sizeof(int));
		memcpy(CMSG_DATA(item), packet->fds, packet->n_fds * sizeof(int));
	}
	ssize_t sent;
	do {
		sent = sendmsg(socket, &message, MSG_NOSIGNAL);
	} while (sent < 0 && errno == EINTR);
	return sent >= 0;
}

static void take_fds(struct msghdr *message, int *fds, unsigned n_fds)
{
	int all[AGENT_FDS];
	struct cmsghdr *item = CMSG_FIRSTHDR(message);
	for (unsigned i = 0; i < n_fds; i++)
		fds[i] = -1;
	if (!item || item->cmsg_level != SOL_SOCKET || item->cmsg_type != SCM_RIGHTS)
		return;
	unsigned n = MIN((item->cmsg_len - CMSG_LEN(0)) / sizeof(int), AGENT_FDS);
	memcpy(all, CMSG_DATA(item), n * sizeof(int));
	for (unsigned i = 0; i < n; i++) {
		if (i < n_fds)
			fds[i] = all[i];
		else
			close(all[i]);
	}
}

bool agent_receive(int socket, void *head, size_t head_length, void *body, size_t room,
        size_t *got_r, int *fds, unsigned n_fds)
{
	struct iovec parts[] = {{head, head_length}, {body, room}};
	Control control = {{0}};
	struct msghdr message = {.msg_iov = parts,
	        .msg_iovlen = room > 0 ? 2 : 1,
	        .msg_control = control.bytes,
	        .msg_controllen = sizeof(control.bytes)};
	ssize_t got;
	do {
		got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
	} while (got < 0 && errno == EINTR);
	if (got < 0) {
		errno = errno == ECONNRESET ? EPIPE : errno; /* it left a packet unread */
		return false;
	}
	take_fds(&message, fds, n_fds);
	if ((size_t)got < head_length) {
		errno = EPIPE;
		return false;
	}
	*got_r = got - head_length;
	return true;
}
