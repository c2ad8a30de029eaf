/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/base/autofd.h"
#include "common/ipc/wire.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>

static WirePacket *packet_new(void)
{
	WirePacket *packet = g_new(WirePacket, 1);
	packet->used = 0;
	return packet;
}

static void test_frames(void)
{
	g_autofree WirePacket *packet = packet_new();
	WireFrame frame;
	size_t position = 0;
	g_assert_true(wire_put(packet, WIRE_TEXT, 3, 500, "head", 4, "tail", 4));
	g_assert_true(wire_put(packet, WIRE_ALIVE, 0, 0, NULL, 0, NULL, 0));
	g_assert_cmpint(wire_next(packet->bytes, packet->used, &position, &frame), ==, 1);
	g_assert_cmpint(frame.kind, ==, WIRE_TEXT);
	g_assert_cmpuint(frame.a, ==, 3);
	g_assert_cmpuint(frame.b, ==, 500);
	g_assert_cmpmem(frame.bytes, frame.length, "headtail", 8);
	g_assert_cmpint(wire_next(packet->bytes, packet->used, &position, &frame), ==, 1);
	g_assert_cmpint(frame.kind, ==, WIRE_ALIVE);
	g_assert_cmpuint(frame.length, ==, 0);
	g_assert_cmpint(wire_next(packet->bytes, packet->used, &position, &frame), ==, 0);
}

static void test_full_packet(void)
{
	g_autofree WirePacket *packet = packet_new();
	g_autofree char *bytes = g_malloc0(WIRE_PACKET_BYTES);
	g_assert_true(wire_put(packet, WIRE_TEXT, 0, 0, bytes,
	        WIRE_PACKET_BYTES - WIRE_HEADER_BYTES - 8, NULL, 0));
	g_assert_false(wire_put(packet, WIRE_TEXT, 0, 0, bytes, 1, NULL, 0));
	g_assert_true(wire_put(packet, WIRE_TEXT, 0, 0, NULL, 0, NULL, 0));
	g_assert_cmpuint(packet->used, ==, WIRE_PACKET_BYTES);
	g_assert_false(wire_put(packet, WIRE_TEXT, 0, 0, NULL, 0, NULL, 0));
	packet->used = 0;
	/* lengths that would wrap around */
	g_assert_false(wire_put(packet, WIRE_TEXT, 0, 0, bytes, SIZE_MAX, bytes, 1));
	g_assert_false(wire_put(packet, WIRE_TEXT, 0, 0, bytes, 1, bytes, SIZE_MAX));
	g_assert_cmpuint(packet->used, ==, 0);
}

/* Every truncation of a packet is malformed, except between frames. */
static void test_cut(void)
{
	g_autofree WirePacket *packet = packet_new();
	WireFrame frame;
	wire_put(packet, WIRE_TEXT, 0, 0, "abc", 3, NULL, 0);
	size_t first = packet->used;
	wire_put(packet, WIRE_TEXT, 0, 0, "defg", 4, NULL, 0);
	for (size_t length = 0; length < packet->used; length++) {
		g_autofree uint8_t *exact = g_memdup2(packet->bytes, length);
		size_t position = 0;
		int result;
		while ((result = wire_next(exact, length, &position, &frame)) > 0)
			g_assert_cmpuint(position, <=, length);
		g_assert_cmpint(result, ==, length == 0 || length == first ? 0 : -1);
	}
}

static void test_forged_length(void)
{
	g_autofree WirePacket *packet = packet_new();
	const uint32_t lengths[] = {4, 100, WIRE_PACKET_BYTES, 0x7fffffff, 0xfffffff8, 0xffffffff};
	wire_put(packet, WIRE_TEXT, 0, 0, "abc", 3, NULL, 0);
	for (size_t i = 0; i < G_N_ELEMENTS(lengths); i++) {
		WireFrame frame;
		size_t position = 0;
		memcpy(packet->bytes + 4, &lengths[i], 4);
		g_assert_cmpint(wire_next(packet->bytes, packet->used, &position, &frame), ==, -1);
	}
}

/* ---- the socket */

typedef struct {
	int ends[2];
	uint8_t *buffer;
} Fixture;

static void set_up(Fixture *f, gconstpointer data)
{
	g_assert_cmpint(
	        socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, f->ends), ==,
	        0);
	f->buffer = g_malloc(WIRE_PACKET_BYTES);
}

static void tear_down(Fixture *f, gconstpointer data)
{
	close(f->ends[0]);
	if (f->ends[1] >= 0)
		close(f->ends[1]);
	g_free(f->buffer);
}

static void test_send_and_receive(Fixture *f, gconstpointer data)
{
	g_autofree WirePacket *packet = packet_new();
	int fd;
	wire_put(packet, WIRE_TEXT, 0, 0, "abc", 3, NULL, 0);
	g_assert_true(wire_send(f->ends[0], packet, -1));
	g_assert_cmpuint(packet->used, ==, 0);
	g_assert_cmpint(wire_receive(f->ends[1], f->buffer, &fd), ==, WIRE_HEADER_BYTES + 3);
	g_assert_cmpint(fd, ==, -1);
	g_assert_cmpint(wire_receive(f->ends[1], f->buffer, &fd), ==, -1);
	g_assert_cmpint(errno, ==, EAGAIN);
	close(f->ends[1]);
	f->ends[1] = -1;
	g_assert_cmpint(wire_receive(f->ends[0], f->buffer, &fd), ==, 0);
	wire_put(packet, WIRE_TEXT, 0, 0, "abc", 3, NULL, 0);
	g_assert_false(wire_send(f->ends[0], packet, -1));
}

static void test_descriptor(Fixture *f, gconstpointer data)
{
	g_autofree WirePacket *packet = packet_new();
	autofd null = open("/dev/null", O_RDONLY | O_CLOEXEC);
	struct stat sent, got;
	int received;
	wire_put(packet, WIRE_JOB, 0, 0, NULL, 0, NULL, 0);
	g_assert_true(wire_send(f->ends[0], packet, null));
	g_assert_cmpint(wire_receive(f->ends[1], f->buffer, &received), ==, WIRE_HEADER_BYTES);
	autofd copy = received;
	g_assert_cmpint(fcntl(copy, F_GETFD) & FD_CLOEXEC, !=, 0);
	g_assert_cmpint(fstat(null, &sent) | fstat(copy, &got), ==, 0);
	g_assert_cmpuint(sent.st_ino, ==, got.st_ino);
}

static void test_oversized(Fixture *f, gconstpointer data)
{
	g_autofree char *bytes = g_malloc0(WIRE_PACKET_BYTES + 1);
	int fd;
	g_assert_cmpint(
	        send(f->ends[0], bytes, WIRE_PACKET_BYTES + 1, 0), ==, WIRE_PACKET_BYTES + 1);
	g_assert_cmpint(wire_receive(f->ends[1], f->buffer, &fd), ==, -1);
	g_assert_cmpint(errno, ==, EMSGSIZE);
}

/* If a packet has several descriptors, none of them is left open. */
static void test_many_descriptors(Fixture *f, gconstpointer count)
{
	union {
		struct cmsghdr align;
		char bytes[CMSG_SPACE(8 * sizeof(int))];
	} control = {0};
	int n = GPOINTER_TO_INT(count), fds[8], received;
	struct iovec part = {(char *)"x", 1};
	struct msghdr message = {.msg_iov = &part,
	        .msg_iovlen = 1,
	        .msg_control = control.bytes,
	        .msg_controllen = CMSG_SPACE(n * sizeof(int))};
	struct cmsghdr *header = CMSG_FIRSTHDR(&message);
	header->cmsg_level = SOL_SOCKET;
	header->cmsg_type = SCM_RIGHTS;
	header->cmsg_len = CMSG_LEN(n * sizeof(int));
	for (int i = 0; i < n; i++)
		fds[i] = f->ends[0];
	memcpy(CMSG_DATA(header), fds, n * sizeof(int));
	autofd before = dup(0);
	g_assert_cmpint(sendmsg(f->ends[0], &message, 0), ==, 1);
	if (wire_receive(f->ends[1], f->buffer, &received) >= 0)
		close(received);
	else
		g_assert_cmpint(errno, ==, EMSGSIZE);
	autofd after = dup(0);
	g_assert_cmpint(after, ==, before + 1);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/common/wire/frames-are-read-as-written", test_frames);
	g_test_add_func("/common/wire/a-packet-takes-frames-up-to-its-size", test_full_packet);
	g_test_add_func("/common/wire/cut-frames-are-refused", test_cut);
	g_test_add_func("/common/wire/forged-lengths-are-refused", test_forged_length);
	g_test_add("/common/wire/packets-arrive-as-sent", Fixture, NULL, set_up,
	        test_send_and_receive, tear_down);
	g_test_add("/common/wire/a-descriptor-arrives", Fixture, NULL, set_up, test_descriptor,
	        tear_down);
	g_test_add("/common/wire/oversized-packets-are-refused", Fixture, NULL, set_up,
	        test_oversized, tear_down);
	g_test_add("/common/wire/two-descriptors-are-refused", Fixture, GINT_TO_POINTER(2), set_up,
	        test_many_descriptors, tear_down);
	g_test_add("/common/wire/eight-descriptors-are-refused", Fixture, GINT_TO_POINTER(8),
	        set_up, test_many_descriptors, tear_down);
	return g_test_run();
}
