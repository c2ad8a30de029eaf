/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/ipc/fetch-wire.h"
#include <limits.h>
#include <string.h>

enum { MAX_TEXTS = 7, METHOD_GET = 0, METHOD_HEAD = 1 };

/* The head of every message. Fields that a kind does not use are zero. */
typedef struct {
	uint32_t kind, serial;
	uint32_t numbers[4];
	uint64_t sizes[5];
	uint32_t lengths[MAX_TEXTS]; /* of the texts that follow */
} FetchHead;

static const char *const fetch_error_names[N_FETCH_ERRORS] = {
        [FETCH_OK] = "ok",
        [FETCH_RESOLVE] = "resolve",
        [FETCH_REFUSED] = "refused-address",
        [FETCH_CONNECT] = "connect",
        [FETCH_NO_NETWORK] = "no-network",
        [FETCH_TLS] = "tls",
        [FETCH_TIMEOUT] = "timeout",
        [FETCH_TOO_LARGE] = "too-large",
        [FETCH_PROTOCOL] = "protocol",
        [FETCH_INVALID] = "invalid",
        [FETCH_FAILED] = "failed",
        [FETCH_LATE] = "late",
};

const char *fetch_error_name(FetchError error)
{
	g_assert(error < N_FETCH_ERRORS);
	return fetch_error_names[error];
}

void fetch_request_clear(FetchRequest *request)
{
	g_free(request->url);
	g_free(request->accept);
	g_free(request->if_none_match);
	g_free(request->if_modified_since);
	g_free(request->authorization);
	g_free(request->local);
	g_free(request->contact);
	*request = (FetchRequest){0};
}

void fetch_answer_clear(FetchAnswer *answer)
{
	g_free(answer->headers);
	g_free(answer->address);
	g_free(answer->detail);
	*answer = (FetchAnswer){0};
}

/* ---- what a request may hold */

static bool fetch_url_is_valid(const char *url)
{
	const char *host = g_str_has_prefix(url, "http://")    ? url + strlen("http://")
	                   : g_str_has_prefix(url, "https://") ? url + strlen("https://")
	                                                       : NULL;
	if (!host || strlen(url) > FETCH_MAX_URL)
		return false;
	for (const char *at = url; *at; at++)
		if (!g_ascii_isgraph(*at) || *at == '#' || *at == '\\')
			return false;
	size_t authority = strcspn(host, "/?");
	return authority > 0 && !memchr(host, '@', authority);
}

/* NULL and "" are not a header. */
static bool fetch_value_is_valid(const char *value)
{
	if (!value)
		return true;
	for (const char *at = value; *at; at++)
		if (g_ascii_iscntrl(*at) && *at != '\t')
			return false;
	return strlen(value) <= FETCH_MAX_VALUE;
}

static bool fetch_authorization_is_valid(const char *value)
{
	return !value || !*value || g_str_has_prefix(value, "Basic ") ||
	       g_str_has_prefix(value, "Bearer ");
}

bool fetch_request_is_valid(const FetchRequest *request)
{
	return request->url && fetch_url_is_valid(request->url) &&
	       fetch_value_is_valid(request->accept) &&
	       fetch_value_is_valid(request->if_none_match) &&
	       fetch_value_is_valid(request->if_modified_since) &&
	       fetch_value_is_valid(request->authorization) &&
	       fetch_authorization_is_valid(request->authorization) &&
	       fetch_value_is_valid(request->local) &&
	       (!request->contact || web_contact_is_valid(request->contact)) &&
	       request->wire_bytes > 0 && request->wire_bytes <= FETCH_MAX_BODY &&
	       request->body_bytes > 0 && request->body_bytes <= FETCH_MAX_BODY &&
	       request->header_bytes > 0 && request->header_bytes <= FETCH_MAX_HEADERS &&
	       request->seconds > 0 && request->seconds <= FETCH_MAX_SECONDS;
}

/* ---- writing */

static bool fetch_put(
        WirePacket *packet, FetchHead *head, const char *const *texts, unsigned n_texts)
{
	size_t used = sizeof *head;
	g_assert(n_texts <= MAX_TEXTS);
	for (unsigned i = 0; i < n_texts; i++) {
		size_t length = texts[i] ? strlen(texts[i]) : 0;
		if (length > WIRE_PACKET_BYTES - used)
			return false;
		if (length > 0)
			memcpy(packet->bytes + used, texts[i], length);
		head->lengths[i] = length;
		used += length;
	}
	memcpy(packet->bytes, head, sizeof *head);
	packet->used = used;
	return true;
}

bool fetch_put_start(WirePacket *packet, const char *certificates)
{
	FetchHead head = {.kind = FETCH_START, .numbers = {FETCH_WIRE_VERSION}};
	if (certificates && strlen(certificates) > FETCH_MAX_PATH)
		return false;
	return fetch_put(packet, &head, &certificates, 1);
}

bool fetch_put_hello(WirePacket *packet, uint32_t level)
{
	FetchHead head = {.kind = FETCH_HELLO, .numbers = {FETCH_WIRE_VERSION, level}};
	return fetch_put(packet, &head, NULL, 0);
}

bool fetch_put_request(WirePacket *packet, uint32_t serial, const FetchRequest *request)
{
	const char *const texts[MAX_TEXTS] = {request->url, request->accept, request->if_none_match,
	        request->if_modified_since, request->authorization, request->local,
	        request->contact};
	FetchHead head = {.kind = FETCH_REQUEST,
	        .serial = serial,
	        .numbers = {request->head ? METHOD_HEAD : METHOD_GET, request->header_bytes,
	                request->seconds},
	        .sizes = {request->wire_bytes, request->body_bytes, request->begin_until_ms}};
	return fetch_request_is_valid(request) && fetch_put(packet, &head, texts, MAX_TEXTS);
}

bool fetch_put_launch(WirePacket *packet)
{
	FetchHead head = {.kind = FETCH_LAUNCH};
	return fetch_put(packet, &head, NULL, 0);
}

bool fetch_put_stop(WirePacket *packet)
{
	FetchHead head = {.kind = FETCH_STOP};
	return fetch_put(packet, &head, NULL, 0);
}

bool fetch_put_partition(WirePacket *packet)
{
	FetchHead head = {.kind = FETCH_PARTITION};
	return fetch_put(packet, &head, NULL, 0);
}

bool fetch_put_ended(WirePacket *packet, int error, int status)
{
	FetchHead head = {.kind = FETCH_ENDED, .numbers = {error, status}};
	return fetch_put(packet, &head, NULL, 0);
}

bool fetch_put_answer(WirePacket *packet, uint32_t serial, const FetchAnswer *answer)
{
	g_autofree char *valid = g_utf8_make_valid(answer->detail ? answer->detail : "", -1);
	g_autofree char *detail =
	        g_utf8_substring(valid, 0, MIN(g_utf8_strlen(valid, -1), FETCH_MAX_DETAIL / 4));
	const char *const texts[] = {answer->headers, answer->address, detail};
	FetchHead head = {.kind = FETCH_ANSWER,
	        .serial = serial,
	        .numbers = {answer->error, answer->status, answer->truncated},
	        .sizes = {answer->wire_bytes, answer->body_bytes, answer->connect_us,
	                answer->first_byte_us, answer->total_us}};
	return fetch_put(packet, &head, texts, G_N_ELEMENTS(texts));
}

/* ---- reading */

/* A message of this kind with these many texts at most, whose lengths are those of the packet. */
static bool fetch_take_head(
        const uint8_t *packet, size_t length, FetchKind kind, unsigned n_texts, FetchHead *head)
{
	if (length < sizeof *head)
		return false;
	memcpy(head, packet, sizeof *head);
	uint64_t total = sizeof *head;
	for (unsigned i = 0; i < MAX_TEXTS; i++) {
		if (i >= n_texts && head->lengths[i] != 0)
			return false;
		total += head->lengths[i];
	}
	return head->kind == kind && total == length;
}

/* Copies a text of the packet. False if it is too long or holds a NUL byte. */
static bool fetch_take_text(const uint8_t *packet, const FetchHead *head, unsigned i, size_t limit,
        bool empty_is_null, char **text_r)
{
	size_t at = sizeof *head;
	for (unsigned k = 0; k < i; k++)
		at += head->lengths[k];
	size_t length = head->lengths[i];
	if (length > limit || (length > 0 && memchr(packet + at, 0, length)))
		return false;
	*text_r =
	        length == 0 && empty_is_null ? NULL : g_strndup((const char *)packet + at, length);
	return true;
}

FetchKind fetch_kind(const uint8_t *packet, size_t length)
{
	FetchHead head;
	if (length < sizeof head)
		return 0;
	memcpy(&head, packet, sizeof head);
	return head.kind >= FETCH_START && head.kind <= FETCH_PARTITION ? head.kind : 0;
}

bool fetch_take_start(const uint8_t *packet, size_t length, char **certificates_r)
{
	FetchHead head;
	return fetch_take_head(packet, length, FETCH_START, 1, &head) &&
	       head.numbers[0] == FETCH_WIRE_VERSION &&
	       fetch_take_text(packet, &head, 0, FETCH_MAX_PATH, true, certificates_r);
}

bool fetch_take_hello(const uint8_t *packet, size_t length, uint32_t *level_r)
{
	FetchHead head;
	if (!fetch_take_head(packet, length, FETCH_HELLO, 0, &head) ||
	        head.numbers[0] != FETCH_WIRE_VERSION)
		return false;
	*level_r = head.numbers[1];
	return true;
}

static bool fetch_take_request_texts(
        const uint8_t *packet, const FetchHead *head, FetchRequest *request)
{
	char **const texts[MAX_TEXTS] = {&request->url, &request->accept, &request->if_none_match,
	        &request->if_modified_since, &request->authorization, &request->local,
	        &request->contact};
	for (unsigned i = 0; i < MAX_TEXTS; i++)
		if (!fetch_take_text(packet, head, i, FETCH_MAX_URL, true, texts[i]))
			return false;
	return fetch_request_is_valid(request);
}

bool fetch_take_request(
        const uint8_t *packet, size_t length, uint32_t *serial_r, FetchRequest *request)
{
	FetchHead head;
	if (!fetch_take_head(packet, length, FETCH_REQUEST, MAX_TEXTS, &head) ||
	        head.numbers[0] > METHOD_HEAD)
		return false;
	*serial_r = head.serial;
	*request = (FetchRequest){.head = head.numbers[0] == METHOD_HEAD,
	        .header_bytes = head.numbers[1],
	        .seconds = head.numbers[2],
	        .wire_bytes = head.sizes[0],
	        .body_bytes = head.sizes[1],
	        .begin_until_ms = head.sizes[2]};
	if (fetch_take_request_texts(packet, &head, request))
		return true;
	fetch_request_clear(request);
	return false;
}

bool fetch_take_launch(const uint8_t *packet, size_t length)
{
	FetchHead head;
	return fetch_take_head(packet, length, FETCH_LAUNCH, 0, &head);
}

bool fetch_take_stop(const uint8_t *packet, size_t length)
{
	FetchHead head;
	return fetch_take_head(packet, length, FETCH_STOP, 0, &head);
}

bool fetch_take_partition(const uint8_t *packet, size_t length)
{
	FetchHead head;
	return fetch_take_head(packet, length, FETCH_PARTITION, 0, &head);
}

bool fetch_take_ended(const uint8_t *packet, size_t length, int *error_r, int *status_r)
{
	FetchHead head;
	if (!fetch_take_head(packet, length, FETCH_ENDED, 0, &head) || head.numbers[0] > INT_MAX ||
	        head.numbers[1] > INT_MAX)
		return false;
	*error_r = head.numbers[0];
	*status_r = head.numbers[1];
	return true;
}

static bool fetch_address_is_valid(const char *address)
{
	return strspn(address, "0123456789abcdefABCDEF.:%") == strlen(address);
}

/* An answer without an error has a status, and everything that ended early has an error. */
static bool fetch_answer_is_valid(const FetchAnswer *answer)
{
	return (answer->status == 0 || (answer->status >= 100 && answer->status <= 999)) &&
	       (answer->error != FETCH_OK || (answer->status != 0 && !answer->truncated)) &&
	       (answer->status == 0) == (*answer->headers == '\0') &&
	       fetch_address_is_valid(answer->address) && g_utf8_validate(answer->detail, -1, NULL);
}

bool fetch_take_answer(
        const uint8_t *packet, size_t length, uint32_t *serial_r, FetchAnswer *answer)
{
	FetchHead head;
	if (!fetch_take_head(packet, length, FETCH_ANSWER, 3, &head) ||
	        head.numbers[0] >= N_FETCH_ERRORS || head.numbers[2] > 1)
		return false;
	*serial_r = head.serial;
	*answer = (FetchAnswer){.error = head.numbers[0],
	        .status = head.numbers[1],
	        .truncated = head.numbers[2],
	        .wire_bytes = head.sizes[0],
	        .body_bytes = head.sizes[1],
	        .connect_us = head.sizes[2],
	        .first_byte_us = head.sizes[3],
	        .total_us = head.sizes[4]};
	if (fetch_take_text(packet, &head, 0, FETCH_MAX_HEADERS, false, &answer->headers) &&
	        fetch_take_text(packet, &head, 1, FETCH_MAX_ADDRESS, false, &answer->address) &&
	        fetch_take_text(packet, &head, 2, FETCH_MAX_DETAIL, false, &answer->detail) &&
	        fetch_answer_is_valid(answer))
		return true;
	fetch_answer_clear(answer);
	return false;
}
