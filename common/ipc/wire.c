/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/ipc/wire.h"
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

bool wire_put(WirePacket *packet, WireKind kind, unsigned a, unsigned b, const void *head,
        size_t head_length, const void *tail, size_t tail_length)
{
	size_t room = WIRE_PACKET_BYTES - packet->used;
	if (room < WIRE_HEADER_BYTES || head_length > room - WIRE_HEADER_BYTES ||
	        tail_length > room - WIRE_HEADER_BYTES - head_length)
		return false;
	uint8_t *at = packet->bytes + packet->used;
	uint16_t b16 = b;
	uint32_t length = head_length + tail_length;
	at[0] = kind;
	at[1] = a;
	memcpy(at + 2, &b16, sizeof b16);
	memcpy(at + 4, &length, sizeof length);
	if (head_length > 0)
		memcpy(at + WIRE_HEADER_BYTES, head, head_length);
	if (tail_length > 0)
		memcpy(at + WIRE_HEADER_BYTES + head_length, tail, tail_length);
	packet->used += WIRE_HEADER_BYTES + length;
	return true;
}

int wire_next(const uint8_t *packet, size_t length, size_t *position, WireFrame *frame)
{
	if (*position == length)
		return 0;
	if (*position > length || length - *position < WIRE_HEADER_BYTES)
		return -1;
	const uint8_t *at = packet + *position;
	uint16_t b;
	memcpy(&b, at + 2, sizeof b);
	memcpy(&frame->length, at + 4, sizeof frame->length);
	if (frame->length > length - *position - WIRE_HEADER_BYTES)
		return -1;
	frame->kind = at[0];
	frame->a = at[1];
	frame->b = b;
	frame->bytes = at + WIRE_HEADER_BYTES;
	*position += WIRE_HEADER_BYTES + frame->length;
	return 1;
}

static void put_fd(struct msghdr *message, void *control, size_t control_length, int fd)
{
	message->msg_control = control;
	message->msg_controllen = control_length;
	struct cmsghdr *header = CMSG_FIRSTHDR(message);
	header->cmsg_level = SOL_SOCKET;
	header->cmsg_type = SCM_RIGHTS;
	header->cmsg_len = CMSG_LEN(sizeof fd);
	memcpy(CMSG_DATA(header), &fd, sizeof fd);
}

/* As wire_send_now(). flags: of sendmsg(2). */
static int wire_send_once(int socket_fd, const WirePacket *packet, int fd, int flags)
{
	union {
		struct cmsghdr align;
		char bytes[CMSG_SPACE(sizeof(int))];
	} control = {0};
	struct iovec part = {(void *)packet->bytes, packet->used};
	struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
	ssize_t sent;
	if (fd >= 0)
		put_fd(&message, control.bytes, sizeof control.bytes, fd);
	do
		sent = sendmsg(socket_fd, &message, MSG_NOSIGNAL | flags);
	while (sent < 0 && errno == EINTR);
	return sent >= 0 ? 1 : errno == EAGAIN ? 0 : -1;
}

int wire_send_now(int socket_fd, WirePacket *packet, int fd)
{
	int sent = wire_send_once(socket_fd, packet, fd, MSG_DONTWAIT);
	if (sent > 0)
		packet->used = 0;
	return sent;
}

bool wire_send(int socket_fd, WirePacket *packet, int fd)
{
	int sent;
	while ((sent = wire_send_once(socket_fd, packet, fd, 0)) == 0) {
		struct pollfd room = {socket_fd, POLLOUT, 0};
		if (poll(&room, 1, -1) < 0 && errno != EINTR)
			return false;
	}
	if (sent > 0)
		packet->used = 0;
	return sent > 0;
}

/* Returns the first descriptor of the message, -1 if there is none. Any others are closed. */
static int take_fd(struct msghdr *message)
{
	int taken = -1;
	for (struct cmsghdr *header = CMSG_FIRSTHDR(message); header;
	        header = CMSG_NXTHDR(message, header)) {
		if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS)
			continue;
		size_t n = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
		for (size_t i = 0; i < n; i++) {
			int fd;
			memcpy(&fd, CMSG_DATA(header) + i * sizeof fd, sizeof fd);
			if (taken < 0)
				taken = fd;
			else
				close(fd);
		}
	}
	return taken;
}

ssize_t wire_receive(int socket_fd, uint8_t *buffer, int *fd_r)
{
	union {
		struct cmsghdr align;
		char bytes[CMSG_SPACE(sizeof(int))];
	} control;
	struct iovec part = {buffer, WIRE_PACKET_BYTES};
	struct msghdr message = {.msg_iov = &part,
	        .msg_iovlen = 1,
	        .msg_control = control.bytes,
	        .msg_controllen = sizeof control.bytes};
	ssize_t length;
	*fd_r = -1;
	do
		length = recvmsg(socket_fd, &message, MSG_CMSG_CLOEXEC);
	while (length < 0 && errno == EINTR);
	if (length < 0)
		return -1;
	*fd_r = take_fd(&message);
	if (!(message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)))
		return length;
	if (*fd_r >= 0)
		close(*fd_r);
	*fd_r = -1;
	errno = EMSGSIZE;
	return -1;
}
