/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/ipc/partition-wire.h"
#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <sys/socket.h>
#include <unistd.h>

enum { SEND_MS = 10000 };

typedef struct {
	uint32_t kind, length;
} PartitionHead;

static const char *const partition_types[N_PARTITION_KINDS] = {
        [PARTITION_OPEN] = PARTITION_OPEN_TYPE,
        [PARTITION_OPENED] = PARTITION_OPENED_TYPE,
        [PARTITION_SYNC] = PARTITION_SYNC_TYPE,
        [PARTITION_SYNCED] = PARTITION_SYNCED_TYPE,
        [PARTITION_LOAD] = PARTITION_LOAD_TYPE,
        [PARTITION_LOADED] = PARTITION_LOADED_TYPE,
        [PARTITION_BYE] = "()",
};

/* deadline_us: monotonic; -1: none. */
static bool partition_wait(int fd, short events, int64_t deadline_us)
{
	for (;;) {
		struct pollfd ready = {fd, events, 0};
		int64_t left_us = deadline_us - g_get_monotonic_time();
		int wait_ms = deadline_us < 0 ? -1 : (int)(MAX(0, left_us) / 1000);
		int result = poll(&ready, 1, wait_ms);
		if (result > 0)
			return true;
		if (result == 0 || errno != EINTR)
			return false;
	}
}

static bool partition_write(int fd, const uint8_t *bytes, size_t length)
{
	int64_t deadline_us = g_get_monotonic_time() + SEND_MS * G_TIME_SPAN_MILLISECOND;
	while (length > 0) {
		ssize_t sent = send(fd, bytes, length, MSG_NOSIGNAL | MSG_DONTWAIT);
		if (sent > 0) {
			bytes += sent;
			length -= sent;
			continue;
		}
		if (sent == 0 || (errno != EINTR && errno != EAGAIN) ||
		        !partition_wait(fd, POLLOUT, deadline_us))
			return false;
	}
	return true;
}

static bool partition_read(int fd, uint8_t *bytes, size_t length, int64_t deadline_us)
{
	while (length > 0) {
		if (!partition_wait(fd, POLLIN, deadline_us))
			return false;
		ssize_t got = recv(fd, bytes, length, MSG_DONTWAIT);
		if (got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN))
			return false;
		bytes += MAX(got, 0);
		length -= MAX(got, 0);
	}
	return true;
}

bool partition_send(int fd, PartitionKind kind, GVariant *body)
{
	g_autoptr(GVariant) owned = g_variant_ref_sink(body);
	g_assert(g_variant_is_of_type(owned, G_VARIANT_TYPE(partition_types[kind])));
	gsize length = g_variant_get_size(owned);
	const PartitionHead head = {kind, (uint32_t)length};
	return length <= PARTITION_MESSAGE_MOST &&
	       partition_write(fd, (const uint8_t *)&head, sizeof head) &&
	       partition_write(fd, g_variant_get_data(owned), length);
}

GVariant *partition_receive(int fd, int timeout_ms, PartitionKind *kind_r)
{
	PartitionHead head;
	int64_t deadline_us =
	        timeout_ms < 0 ? -1 : g_get_monotonic_time() + timeout_ms * G_TIME_SPAN_MILLISECOND;
	if (!partition_read(fd, (uint8_t *)&head, sizeof head, deadline_us) ||
	        head.kind >= N_PARTITION_KINDS || !partition_types[head.kind] ||
	        head.length > PARTITION_MESSAGE_MOST)
		return NULL;
	g_autofree uint8_t *data = g_try_malloc(MAX(head.length, 1));
	if (!data || !partition_read(fd, data, head.length, deadline_us))
		return NULL;
	g_autoptr(GBytes) bytes = g_bytes_new_take(g_steal_pointer(&data), head.length);
	GVariant *body =
	        g_variant_new_from_bytes(G_VARIANT_TYPE(partition_types[head.kind]), bytes, FALSE);
	g_variant_ref_sink(body);
	*kind_r = head.kind;
	if (g_variant_is_normal_form(body))
		return body;
	g_variant_unref(body);
	return NULL;
}
