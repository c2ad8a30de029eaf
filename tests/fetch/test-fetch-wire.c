/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests the messages to and from tarsier-fetch: round trips, and what is refused. */
#include <config.h>
#include "common/ipc/fetch-wire.h"
#include <string.h>

static FetchRequest sample_request(void)
{
	return (FetchRequest){.url = (char *)"https://example.org/a?b",
	        .accept = (char *)"text/html",
	        .if_none_match = (char *)"W/\"\344\"",
	        .if_modified_since = (char *)"Sat, 01 Jan 2000 00:00:00 GMT",
	        .authorization = (char *)"Bearer x",
	        .local = (char *)"example.org:443",
	        .contact = (char *)"me@example.org",
	        .wire_bytes = 1,
	        .body_bytes = FETCH_MAX_BODY,
	        .header_bytes = FETCH_MAX_HEADERS,
	        .seconds = FETCH_MAX_SECONDS,
	        .begin_until_ms = UINT64_MAX};
}

static WirePacket *packet_of_request(const FetchRequest *request)
{
	WirePacket *packet = g_new0(WirePacket, 1);
	g_assert_true(fetch_put_request(packet, 7, request));
	return packet;
}

static void test_request(void)
{
	FetchRequest sample = sample_request(), got;
	sample.head = true;
	g_autofree WirePacket *packet = packet_of_request(&sample);
	uint32_t serial = 0;
	g_assert_cmpint(fetch_kind(packet->bytes, packet->used), ==, FETCH_REQUEST);
	g_assert_true(fetch_take_request(packet->bytes, packet->used, &serial, &got));
	g_assert_cmpuint(serial, ==, 7);
	g_assert_true(got.head);
	g_assert_cmpstr(got.url, ==, sample.url);
	g_assert_cmpstr(got.accept, ==, sample.accept);
	g_assert_cmpstr(got.if_none_match, ==, sample.if_none_match);
	g_assert_cmpstr(got.if_modified_since, ==, sample.if_modified_since);
	g_assert_cmpstr(got.authorization, ==, sample.authorization);
	g_assert_cmpstr(got.local, ==, sample.local);
	g_assert_cmpstr(got.contact, ==, sample.contact);
	g_assert_cmpuint(got.wire_bytes, ==, sample.wire_bytes);
	g_assert_cmpuint(got.body_bytes, ==, sample.body_bytes);
	g_assert_cmpuint(got.header_bytes, ==, sample.header_bytes);
	g_assert_cmpuint(got.seconds, ==, sample.seconds);
	g_assert_cmpuint(got.begin_until_ms, ==, sample.begin_until_ms);
	fetch_request_clear(&got);
}

static void test_refused_urls(void)
{
	static const char *const urls[] = {"", "http:", "http://", "https:///a", "ftp://a/",
	        "HTTP://a/", "file:///a", "//a/", "http://u@a/", "http://u:p@a/", "http://u@a?b",
	        "http://a/#b", "http://a/ b", "http://a/\tb", "http://a\\b", "http://a/\r\nX: y",
	        "http://a/\303\244", "http://?a"};
	static const char *const good[] = {
	        "http://a", "http://a/", "https://a:1/@", "http://a?b@c", "http://[::1]/"};
	FetchRequest request = sample_request();
	for (size_t i = 0; i < G_N_ELEMENTS(urls); i++) {
		request.url = (char *)urls[i];
		if (fetch_request_is_valid(&request))
			g_error("%s is accepted", urls[i]);
	}
	for (size_t i = 0; i < G_N_ELEMENTS(good); i++) {
		request.url = (char *)good[i];
		if (!fetch_request_is_valid(&request))
			g_error("%s is refused", good[i]);
	}
	request.url = NULL;
	g_assert_false(fetch_request_is_valid(&request));
}

static void assert_value_refused(char **place, const char *value, const FetchRequest *request)
{
	char *kept = *place;
	*place = (char *)value;
	if (fetch_request_is_valid(request))
		g_error("a value is accepted: %s", value);
	*place = kept;
}

static void test_refused_values(void)
{
	FetchRequest request = sample_request();
	g_autofree char *line = g_strnfill(FETCH_MAX_VALUE + 1, 'x');
	char **const places[] = {&request.accept, &request.if_none_match,
	        &request.if_modified_since, &request.authorization, &request.local,
	        &request.contact};
	for (size_t i = 0; i < G_N_ELEMENTS(places); i++) {
		assert_value_refused(places[i], "Basic a\r\nX: y", &request);
		assert_value_refused(places[i], "Basic \n", &request);
		assert_value_refused(places[i], "Basic \177", &request);
		assert_value_refused(places[i], line, &request);
	}
	assert_value_refused(&request.authorization, "Negotiate x", &request);
	g_assert_true(fetch_request_is_valid(&request));
}

static void test_contacts(void)
{
	static const char *const good[] = {"me@example.org", "a.b+c@a-b.example.org",
	        "http://example.org", "https://example.org/about?me#x"};
	static const char *const bad[] = {"", "me", "@example.org", "me@", "me@example", "me@.org",
	        "me@example.", "me@a..b", "me@example.org)", "me@example.org (x", "a@b.org;x",
	        "<me@example.org>", "me@example.org\r\nX: y", "me@example.org\n", "a@b@c.org",
	        "mailto:me@example.org", "http://", "http:///a", "http://u@example.org/",
	        "ftp://example.org/", "https://example.org/\"", "https://example.org/\\",
	        "https://example.org/\303\244", "https://example.org/ a"};
	FetchRequest request = sample_request();
	g_autofree char *filler = g_strnfill(WEB_CONTACT_MOST, 'a');
	g_autofree char *longer = g_strconcat(filler, "@example.org", NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(good); i++) {
		request.contact = (char *)good[i];
		if (!fetch_request_is_valid(&request))
			g_error("%s is refused", good[i]);
	}
	for (size_t i = 0; i < G_N_ELEMENTS(bad); i++)
		assert_value_refused(&request.contact, bad[i], &request);
	assert_value_refused(&request.contact, longer, &request);
}

static void test_refused_limits(void)
{
	const FetchRequest sample = sample_request();
	FetchRequest request = sample;
	request.wire_bytes = 0;
	g_assert_false(fetch_request_is_valid(&request));
	request = sample;
	request.body_bytes = FETCH_MAX_BODY + 1;
	g_assert_false(fetch_request_is_valid(&request));
	request = sample;
	request.header_bytes = FETCH_MAX_HEADERS + 1;
	g_assert_false(fetch_request_is_valid(&request));
	request = sample;
	request.seconds = 0;
	g_assert_false(fetch_request_is_valid(&request));
}

static FetchAnswer sample_answer(void)
{
	return (FetchAnswer){.error = FETCH_OK,
	        .status = 200,
	        .headers = (char *)"HTTP/1.1 200 OK\r\n\r\n",
	        .address = (char *)"2001:db8::1",
	        .detail = (char *)"",
	        .wire_bytes = 10,
	        .body_bytes = 20,
	        .connect_us = 1,
	        .first_byte_us = 2,
	        .total_us = 3};
}

/* True if the other side takes this answer. */
static bool answer_passes(const FetchAnswer *answer)
{
	g_autofree WirePacket *packet = g_new0(WirePacket, 1);
	FetchAnswer got;
	uint32_t serial;
	g_assert_true(fetch_put_answer(packet, 9, answer));
	if (!fetch_take_answer(packet->bytes, packet->used, &serial, &got))
		return false;
	g_assert_cmpuint(serial, ==, 9);
	g_assert_cmpint(got.error, ==, answer->error);
	g_assert_cmpuint(got.status, ==, answer->status);
	g_assert_cmpint(got.truncated, ==, answer->truncated);
	g_assert_cmpstr(got.headers, ==, answer->headers);
	g_assert_cmpstr(got.address, ==, answer->address);
	g_assert_cmpuint(got.wire_bytes, ==, answer->wire_bytes);
	g_assert_cmpuint(got.body_bytes, ==, answer->body_bytes);
	g_assert_cmpuint(got.connect_us, ==, answer->connect_us);
	g_assert_cmpuint(got.first_byte_us, ==, answer->first_byte_us);
	g_assert_cmpuint(got.total_us, ==, answer->total_us);
	g_assert_true(g_utf8_validate(got.detail, -1, NULL));
	fetch_answer_clear(&got);
	return true;
}

static void test_answer(void)
{
	FetchAnswer answer = sample_answer();
	g_autofree char *detail = g_strnfill(2 * FETCH_MAX_DETAIL, '\344');
	g_assert_true(answer_passes(&answer));
	answer.error = FETCH_PROTOCOL;
	answer.truncated = true;
	answer.detail = detail; /* not UTF-8, and too long */
	g_assert_true(answer_passes(&answer));
	answer.status = 0;
	answer.headers = (char *)"";
	answer.address = (char *)"";
	g_assert_true(answer_passes(&answer));
}

static void test_refused_answers(void)
{
	g_autofree char *block = g_strnfill(FETCH_MAX_HEADERS + 1, 'x');
	FetchAnswer answer = sample_answer();
	answer.status = 99;
	g_assert_false(answer_passes(&answer));
	answer.status = 1000;
	g_assert_false(answer_passes(&answer));
	answer.status = 0; /* with headers */
	g_assert_false(answer_passes(&answer));
	answer = sample_answer();
	answer.truncated = true; /* without an error */
	g_assert_false(answer_passes(&answer));
	answer = sample_answer();
	answer.error = N_FETCH_ERRORS;
	g_assert_false(answer_passes(&answer));
	answer = sample_answer();
	answer.headers = (char *)""; /* with a status */
	g_assert_false(answer_passes(&answer));
	answer.headers = block;
	g_assert_false(answer_passes(&answer));
	answer = sample_answer();
	answer.address = (char *)"evil\033[2J";
	g_assert_false(answer_passes(&answer));
}

/* Every cut of a message, and a byte more, is malformed. */
static void test_lengths(void)
{
	const FetchRequest sample = sample_request();
	g_autofree WirePacket *packet = packet_of_request(&sample);
	FetchRequest got;
	uint32_t serial;
	for (size_t length = 0; length < packet->used; length++)
		g_assert_false(fetch_take_request(packet->bytes, length, &serial, &got));
	g_assert_false(fetch_take_request(packet->bytes, packet->used + 1, &serial, &got));
	g_assert_true(fetch_take_request(packet->bytes, packet->used, &serial, &got));
	fetch_request_clear(&got);
}

static void test_launcher(void)
{
	g_autofree WirePacket *packet = g_new0(WirePacket, 1);
	int error = -1, status = -1;
	g_assert_true(fetch_put_launch(packet));
	g_assert_true(fetch_take_launch(packet->bytes, packet->used));
	g_assert_false(fetch_take_stop(packet->bytes, packet->used));
	g_assert_false(fetch_take_launch(packet->bytes, packet->used - 1));
	g_assert_true(fetch_put_stop(packet));
	g_assert_true(fetch_take_stop(packet->bytes, packet->used));
	g_assert_false(fetch_take_launch(packet->bytes, packet->used));
	g_assert_true(fetch_put_ended(packet, 2, 0x100));
	g_assert_cmpint(fetch_kind(packet->bytes, packet->used), ==, FETCH_ENDED);
	g_assert_true(fetch_take_ended(packet->bytes, packet->used, &error, &status));
	g_assert_cmpint(error, ==, 2);
	g_assert_cmpint(status, ==, 0x100);
	g_assert_true(fetch_put_ended(packet, -1, 0));
	g_assert_false(fetch_take_ended(packet->bytes, packet->used, &error, &status));
}

static void test_start(void)
{
	g_autofree WirePacket *packet = g_new0(WirePacket, 1);
	char *certificates = NULL;
	uint32_t level = 0;
	g_assert_true(fetch_put_start(packet, "/a/b"));
	g_assert_true(fetch_take_start(packet->bytes, packet->used, &certificates));
	g_assert_cmpstr(certificates, ==, "/a/b");
	g_free(certificates);
	g_assert_false(fetch_take_hello(packet->bytes, packet->used, &level));
	packet->used = 0;
	g_assert_true(fetch_put_start(packet, NULL));
	g_assert_true(fetch_take_start(packet->bytes, packet->used, &certificates));
	g_assert_null(certificates);
	packet->used = 0;
	g_assert_true(fetch_put_hello(packet, 3));
	g_assert_true(fetch_take_hello(packet->bytes, packet->used, &level));
	g_assert_cmpuint(level, ==, 3);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/fetch-wire/request", test_request);
	g_test_add_func("/fetch-wire/refused-urls", test_refused_urls);
	g_test_add_func("/fetch-wire/refused-values", test_refused_values);
	g_test_add_func("/fetch-wire/contacts", test_contacts);
	g_test_add_func("/fetch-wire/refused-limits", test_refused_limits);
	g_test_add_func("/fetch-wire/answer", test_answer);
	g_test_add_func("/fetch-wire/refused-answers", test_refused_answers);
	g_test_add_func("/fetch-wire/lengths", test_lengths);
	g_test_add_func("/fetch-wire/start", test_start);
	g_test_add_func("/fetch-wire/launcher", test_launcher);
	return g_test_run();
}
