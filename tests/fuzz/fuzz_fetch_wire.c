/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_fetch_wire.c - fuzzes the messages to and from tarsier-fetch: what is accepted keeps the
 * promises of the header, and can be written again */
#include <config.h>
#include "common/ipc/fetch-wire.h"
#include "tests/fuzz/fuzz.h"

const char *const fuzz_seeds[] = {"tests/fuzz/seeds/fetch-wire/*", NULL};

static void write_request(WirePacket *packet, const uint8_t *data, size_t size)
{
	FetchRequest request;
	uint32_t serial;
	if (!fetch_take_request(data, size, &serial, &request))
		return;
	g_assert_true(fetch_request_is_valid(&request));
	g_assert_true(fetch_put_request(packet, serial, &request));
	fetch_request_clear(&request);
}

static void write_answer(WirePacket *packet, const uint8_t *data, size_t size)
{
	FetchAnswer answer;
	uint32_t serial;
	if (!fetch_take_answer(data, size, &serial, &answer))
		return;
	g_assert_cmpstr(fetch_error_name(answer.error), !=, "");
	g_assert_true(g_utf8_validate(answer.detail, -1, NULL));
	g_assert_true(answer.error != FETCH_OK || answer.status >= 100);
	/* a long detail is cut */
	if (g_utf8_strlen(answer.detail, -1) <= FETCH_MAX_DETAIL / 4)
		g_assert_true(fetch_put_answer(packet, serial, &answer));
	fetch_answer_clear(&answer);
}

static void write_start(WirePacket *packet, const uint8_t *data, size_t size)
{
	g_autofree char *certificates = NULL;
	if (fetch_take_start(data, size, &certificates))
		g_assert_true(fetch_put_start(packet, certificates));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autofree uint8_t *exact = g_memdup2(data, size);
	g_autofree WirePacket *packet = g_new0(WirePacket, 1);
	uint32_t number;
	int error, status;
	switch (fetch_kind(exact, size)) {
	case FETCH_START:
		write_start(packet, exact, size);
		break;
	case FETCH_HELLO:
		if (fetch_take_hello(exact, size, &number))
			g_assert_true(fetch_put_hello(packet, number));
		break;
	case FETCH_REQUEST:
		write_request(packet, exact, size);
		break;
	case FETCH_ENDED:
		if (fetch_take_ended(exact, size, &error, &status))
			g_assert_true(fetch_put_ended(packet, error, status));
		break;
	case FETCH_LAUNCH:
		if (fetch_take_launch(exact, size))
			g_assert_true(fetch_put_launch(packet));
		break;
	case FETCH_STOP:
		if (fetch_take_stop(exact, size))
			g_assert_true(fetch_put_stop(packet));
		break;
	case FETCH_PARTITION:
		if (fetch_take_partition(exact, size))
			g_assert_true(fetch_put_partition(packet));
		break;
	case FETCH_ANSWER:
		write_answer(packet, exact, size);
		break;
	}
	g_assert_cmpuint(packet->used, <=, size);
	return 0;
}
