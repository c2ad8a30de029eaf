/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests the messages to and from tarsier-partition: round trips, and what is refused. */
#include <config.h>
#include "common/ipc/partition-wire.h"
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int ends[2];

static void begin(void)
{
	g_assert_cmpint(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), ==, 0);
}

static void end(void)
{
	close(ends[0]);
	close(ends[1]);
}

static void test_round_trip(void)
{
	PartitionKind kind = 0;
	const char *address, *id, *session, *name;
	begin();
	g_assert_true(partition_send(ends[0], PARTITION_OPEN,
	        g_variant_new(PARTITION_OPEN_TYPE, "postgresql://h/d", "id", "session", "name")));
	g_assert_true(partition_send(ends[0], PARTITION_BYE, g_variant_new_tuple(NULL, 0)));
	g_autoptr(GVariant) body = partition_receive(ends[1], 1000, &kind);
	g_assert_nonnull(body);
	g_assert_cmpint(kind, ==, PARTITION_OPEN);
	g_variant_get(body, "(&s&s&s&s)", &address, &id, &session, &name);
	g_assert_cmpstr(address, ==, "postgresql://h/d");
	g_assert_cmpstr(name, ==, "name");
	g_autoptr(GVariant) bye = partition_receive(ends[1], 1000, &kind);
	g_assert_nonnull(bye);
	g_assert_cmpint(kind, ==, PARTITION_BYE);
	end();
}

static void test_end_and_silence(void)
{
	PartitionKind kind;
	begin();
	g_assert_null(partition_receive(ends[1], 10, &kind));
	close(ends[0]);
	g_assert_null(partition_receive(ends[1], 1000, &kind));
	g_assert_false(partition_send(ends[1], PARTITION_BYE, g_variant_new_tuple(NULL, 0)));
	ends[0] = -1;
	end();
}

/* Bytes that are not a message of a known kind, of its type, complete and in normal form. */
static void assert_refused(uint32_t kind, uint32_t length, const void *bytes, size_t n)
{
	PartitionKind kind_read;
	const uint32_t head[] = {kind, length};
	begin();
	g_assert_cmpint(send(ends[0], head, sizeof head, 0), ==, sizeof head);
	g_assert_cmpint(send(ends[0], bytes, n, 0), ==, (ssize_t)n);
	shutdown(ends[0], SHUT_WR);
	g_assert_null(partition_receive(ends[1], 1000, &kind_read));
	end();
}

static void test_refused(void)
{
	static const char zeros[64],
	        text[] = "no NUL at the end of any of these texts, and no frames";
	assert_refused(0, 0, zeros, 0);
	assert_refused(N_PARTITION_KINDS, 4, zeros, 4);
	assert_refused(UINT32_MAX, 4, zeros, 4);
	assert_refused(PARTITION_OPEN, UINT32_MAX, zeros, 4);
	assert_refused(PARTITION_OPEN, PARTITION_MESSAGE_MOST + 1, zeros, 4);
	assert_refused(PARTITION_OPEN, 64, zeros, 32);
	assert_refused(PARTITION_OPEN, strlen(text), text, strlen(text));
	assert_refused(PARTITION_SYNCED, 3, text, 3);
	assert_refused(PARTITION_LOADED, strlen(text), text, strlen(text));
}

/* Cut anywhere, or with any byte changed, a message is refused or still of its type. */
static void test_mutations(void)
{
	GVariantBuilder urls;
	PartitionKind kind;
	g_variant_builder_init(&urls, G_VARIANT_TYPE("a" PARTITION_URL));
	g_variant_builder_add(&urls, PARTITION_URL, "https://example.org", (gint64)5, "/a", 0, 1, 2,
	        200, 3, (gint64)60, (gint64)60, 1.0, 2.0, 0);
	g_autoptr(GVariant) whole =
	        g_variant_ref_sink(g_variant_new("(usba" PARTITION_URL ")", 0, "", FALSE, &urls));
	size_t length = g_variant_get_size(whole);
	for (size_t at = 0; at < length; at++) {
		g_autofree uint8_t *bytes = g_memdup2(g_variant_get_data(whole), length);
		const uint32_t head[] = {PARTITION_LOADED, (uint32_t)length};
		bytes[at] ^= 0xff;
		begin();
		g_assert_cmpint(send(ends[0], head, sizeof head, 0), ==, sizeof head);
		g_assert_cmpint(send(ends[0], bytes, length, 0), ==, (ssize_t)length);
		g_autoptr(GVariant) body = partition_receive(ends[1], 1000, &kind);
		if (body)
			g_assert_true(
			        g_variant_is_of_type(body, G_VARIANT_TYPE(PARTITION_LOADED_TYPE)));
		end();
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/partition-wire/round-trip", test_round_trip);
	g_test_add_func("/partition-wire/end-and-silence", test_end_and_silence);
	g_test_add_func("/partition-wire/refused", test_refused);
	g_test_add_func("/partition-wire/mutations", test_mutations);
	return g_test_run();
}
