/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "fetch/transfer.h"
#include "common/base/autofd.h"
#include "fetch/address.h"
#include "fetch/decode.h"
#include "fetch/route.h"
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { BUFFER_BYTES = 64 << 10, CONNECT_MS = 30000 };

/* The server's people read it: it says who asks, and where to complain. */
#define USER_AGENT_NAME FETCH_AGENT "/" PACKAGE_VERSION
#define USER_AGENT_ABOUT (*WEBMASTER_PAGE ? WEBMASTER_PAGE : "a person's own search")

struct Transfer {
	CURL *easy;
	uint32_t serial;
	FetchRequest request;
	struct curl_slist *lines; /* headers that are sent */
	GString *headers;
	size_t headers_read; /* bytes, of interim answers and trailers too */
	bool block_open; /* a status line came, and the empty line after its headers did not */
	bool headers_end; /* those of the final answer are complete: what follows are trailers */
	bool is_ready, local_allowed;
	bool refused, too_large, out_of_memory, late;
	char peer[FETCH_MAX_ADDRESS]; /* that is connected to, in numbers; "" if none yet */
	int body;
	BodyDecoder *decoder; /* of the body; NULL: none of it has come */
	FetchAnswer answer;
	char detail[CURL_ERROR_SIZE];
};

/* ---- what is read */

static uint64_t transfer_number(const Transfer *t, CURLINFO what)
{
	curl_off_t number = 0;
	curl_easy_getinfo(t->easy, what, &number);
	return MAX(number, 0);
}

static unsigned status_of_line(const char *line, size_t length)
{
	const char *space = memchr(line, ' ', length);
	size_t left = space ? length - (space - line) : 0;
	if (left < 4 || !g_ascii_isdigit(space[1]) || !g_ascii_isdigit(space[2]) ||
	        !g_ascii_isdigit(space[3]))
		return 0;
	return (space[1] - '0') * 100 + (space[2] - '0') * 10 + (space[3] - '0');
}

/* An interim answer (1xx) is dropped when the next status line comes. */
static void transfer_begin_block(Transfer *t, const char *line, size_t length)
{
	g_string_truncate(t->headers, 0);
	t->answer.status = status_of_line(line, length);
	t->block_open = true;
}

static void transfer_keep_header(Transfer *t, const char *bytes, size_t length)
{
	gsize at = t->headers->len;
	g_string_append_len(t->headers, bytes, length);
	for (; at < t->headers->len; at++)
		if (t->headers->str[at] == '\0')
			t->headers->str[at] = ' ';
}

/* libcurl itself keeps all headers of a transfer, so trailers, which are dropped, are counted. */
static size_t transfer_on_header(char *bytes, size_t one, size_t length, void *data)
{
	Transfer *t = data;
	t->headers_read += length;
	t->too_large = t->headers_read > t->request.header_bytes;
	if (t->too_large)
		return 0;
	if (t->headers_end)
		return length; /* a trailer */
	if (!t->block_open && length > 5 && memcmp(bytes, "HTTP/", 5) == 0)
		transfer_begin_block(t, bytes, length);
	transfer_keep_header(t, bytes, length);
	if (length <= 2 && (bytes[0] == '\r' || bytes[0] == '\n')) {
		t->block_open = false;
		t->headers_end = t->answer.status >= 200;
	}
	return length;
}

static bool write_body(Transfer *t, const char *bytes, size_t length)
{
	if (t->body < 0)
		t->body = memfd_create("body", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	while (t->body >= 0 && length > 0) {
		ssize_t written = write(t->body, bytes, length);
		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0)
			break;
		bytes += written;
		length -= written;
		t->answer.body_bytes += written;
	}
	t->out_of_memory = length > 0;
	return length == 0;
}

static bool transfer_on_decoded(const uint8_t *bytes, size_t length, void *data)
{
	Transfer *t = data;
	uint64_t room = t->request.body_bytes - t->answer.body_bytes;
	t->too_large |= length > room;
	return write_body(t, (const char *)bytes, MIN(length, room)) && !t->too_large;
}

/* The caller frees it. */
static char *transfer_codings(const Transfer *t)
{
	GString *codings = g_string_new(NULL);
	struct curl_header *header;
	for (size_t n = 0; curl_easy_header(t->easy, "Content-Encoding", n, CURLH_HEADER, -1,
	                           &header) == CURLHE_OK;
	        n++)
		g_string_append_printf(codings, ",%s", header->value);
	return g_string_free(codings, FALSE);
}

static size_t transfer_on_body(char *bytes, size_t one, size_t length, void *data)
{
	Transfer *t = data;
	if (!t->decoder) {
		g_autofree char *codings = transfer_codings(t);
		t->decoder = decoder_new(codings, t->request.body_bytes, transfer_on_decoded, t);
	}
	DecodeResult result = decoder_write(t->decoder, (const uint8_t *)bytes, length);
	t->too_large |= result == DECODE_TOO_LARGE ||
	                transfer_number(t, CURLINFO_SIZE_DOWNLOAD_T) > t->request.wire_bytes;
	return result == DECODE_OK && !t->too_large ? length : 0;
}

/* Ends a body that is too large before it is decoded. */
static int transfer_on_progress(
        void *data, curl_off_t total, curl_off_t now, curl_off_t up_total, curl_off_t up_now)
{
	Transfer *t = data;
	if ((uint64_t)now <= t->request.wire_bytes)
		return 0;
	t->too_large = true;
	return 1;
}

/* ---- addresses */

static bool transfer_may_ask(const Transfer *t, AddressKind kind)
{
	return kind == ADDRESS_GLOBAL || (kind == ADDRESS_LOCAL && t->local_allowed);
}

/* A new connection. libcurl tries the next address of the name if this one is refused. */
static curl_socket_t transfer_on_socket(
        void *data, curlsocktype purpose, struct curl_sockaddr *address)
{
	Transfer *t = data;
	if (purpose != CURLSOCKTYPE_IPCXN ||
	        !transfer_may_ask(t, address_kind(&address->addr, address->addrlen))) {
		t->refused = true;
		return CURL_SOCKET_BAD;
	}
	if (getnameinfo(&address->addr, address->addrlen, t->peer, sizeof t->peer, NULL, 0,
	            NI_NUMERICHOST) != 0)
		*t->peer = '\0';
	return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

static bool transfer_is_late(const Transfer *t)
{
	struct timespec now;
	clock_gettime(CLOCK_BOOTTIME, &now);
	uint64_t now_ms = now.tv_sec * (uint64_t)1000 + now.tv_nsec / 1000000;
	return t->request.begin_until_ms != 0 && now_ms >= t->request.begin_until_ms;
}

/* Just before the request is sent, on a connection of an earlier request too. */
static int transfer_on_connected(
        void *data, char *address, char *own_address, int port, int own_port)
{
	Transfer *t = data;
	if (!address || !transfer_may_ask(t, address_kind_of_text(address))) {
		t->refused = true;
		return CURL_PREREQFUNC_ABORT;
	}
	g_strlcpy(t->peer, address, sizeof t->peer);
	t->late = transfer_is_late(t);
	return t->late ? CURL_PREREQFUNC_ABORT : CURL_PREREQFUNC_OK;
}

/* The host and port as libcurl itself reads them. */
static bool transfer_check_place(Transfer *t)
{
	g_autofree char *place = NULL;
	char *host = NULL, *port = NULL;
	CURLU *parts = curl_url();
	bool good = parts && curl_url_set(parts, CURLUPART_URL, t->request.url, 0) == CURLUE_OK &&
	            curl_url_get(parts, CURLUPART_HOST, &host, 0) == CURLUE_OK &&
	            curl_url_get(parts, CURLUPART_PORT, &port, CURLU_DEFAULT_PORT) == CURLUE_OK;
	if (good) {
		place = g_strdup_printf("%s:%s", host, port);
		t->local_allowed =
		        t->request.local && g_ascii_strcasecmp(place, t->request.local) == 0;
		t->refused = !t->local_allowed &&
		             address_port_is_refused(g_ascii_strtoll(port, NULL, 10));
	}
	curl_free(host);
	curl_free(port);
	curl_url_cleanup(parts);
	return good;
}

/* ---- settings */

static bool transfer_add_line(Transfer *t, const char *name, const char *value)
{
	if (!value || !*value)
		return true;
	g_autofree char *line = g_strconcat(name, ": ", value, NULL);
	struct curl_slist *longer = curl_slist_append(t->lines, line);
	if (longer)
		t->lines = longer;
	return longer != NULL;
}

static bool transfer_set_headers(Transfer *t)
{
	return transfer_add_line(t, "Accept", t->request.accept) &&
	       transfer_add_line(t, "Accept-Encoding", DECODE_ACCEPTED) &&
	       transfer_add_line(t, "If-None-Match", t->request.if_none_match) &&
	       transfer_add_line(t, "If-Modified-Since", t->request.if_modified_since) &&
	       transfer_add_line(t, "Authorization", t->request.authorization) &&
	       curl_easy_setopt(t->easy, CURLOPT_HTTPHEADER, t->lines) == CURLE_OK;
}

static bool transfer_set_callbacks(Transfer *t)
{
	CURL *easy = t->easy;
	return curl_easy_setopt(easy, CURLOPT_PRIVATE, t) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, t->detail) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, transfer_on_header) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_HEADERDATA, t) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, transfer_on_body) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_WRITEDATA, t) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, transfer_on_progress) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_XFERINFODATA, t) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_NOPROGRESS, 0L) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, transfer_on_socket) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, t) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, transfer_on_connected) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_PREREQDATA, t) == CURLE_OK;
}

static bool transfer_set_limits(Transfer *t)
{
	CURL *easy = t->easy;
	long all_ms = t->request.seconds * 1000L;
	/* refused if the handle still has the buffer of an earlier transfer, which is good enough
	 */
	(void)curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, (long)BUFFER_BYTES);
#if LIBCURL_VERSION_NUM >= 0x075700
	/* the thread that still resolves a name ends by itself: waiting for it would stop all other
	 * transfers for as long as a name server likes */
	(void)curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
#endif
	return curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, all_ms) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, (long)MIN(all_ms, CONNECT_MS)) ==
	               CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L) == CURLE_OK;
}

/* Everything that could lead elsewhere is off, whatever the defaults of this libcurl are. */
static bool transfer_set_protocol(Transfer *t, const char *certificates)
{
	CURL *easy = t->easy;
	const char *contact = t->request.contact;
	g_autofree char *agent = g_strdup_printf(USER_AGENT_NAME " (+%s%s%s)", USER_AGENT_ABOUT,
	        contact ? "; " : "", contact ? contact : "");
	return curl_easy_setopt(easy, CURLOPT_URL, t->request.url) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_NOBODY, (long)t->request.head) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_USERAGENT, agent) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https") == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_PATH_AS_IS, 1L) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_PROXY, "") == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_NETRC, (long)CURL_NETRC_IGNORED) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_HTTP09_ALLOWED, 0L) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_HTTP_CONTENT_DECODING, 0L) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_2TLS) ==
	               CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2) ==
	               CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, 1L) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, 2L) == CURLE_OK &&
	       (!certificates || curl_easy_setopt(easy, CURLOPT_CAINFO, certificates) == CURLE_OK);
}

Transfer *transfer_new(CURL *easy, uint32_t serial, FetchRequest *request, const char *certificates)
{
	Transfer *t = g_new0(Transfer, 1);
	t->easy = easy;
	t->serial = serial;
	t->request = *request;
	*request = (FetchRequest){0};
	t->headers = g_string_new(NULL);
	t->body = -1;
	t->is_ready = transfer_check_place(t) && !t->refused && transfer_set_callbacks(t) &&
	              transfer_set_limits(t) && transfer_set_headers(t) &&
	              transfer_set_protocol(t, certificates);
	return t;
}

void transfer_free(Transfer *transfer)
{
	curl_easy_setopt(transfer->easy, CURLOPT_PRIVATE, NULL);
	curl_slist_free_all(transfer->lines);
	g_string_free(transfer->headers, TRUE);
	decoder_free(transfer->decoder);
	autofd_close(&transfer->body);
	g_free(transfer->answer.address);
	fetch_request_clear(&transfer->request);
	g_free(transfer);
}

bool transfer_is_ready(const Transfer *transfer)
{
	return transfer->is_ready;
}

CURL *transfer_easy(const Transfer *transfer)
{
	return transfer->easy;
}

uint32_t transfer_serial(const Transfer *transfer)
{
	return transfer->serial;
}

Transfer *transfer_of(CURL *easy)
{
	Transfer *transfer = NULL;
	curl_easy_getinfo(easy, CURLINFO_PRIVATE, &transfer);
	return transfer;
}

/* ---- the answer */

static FetchError error_of_code(CURLcode code)
{
	switch (code) {
	case CURLE_OK:
		return FETCH_OK;
	case CURLE_COULDNT_RESOLVE_HOST:
		return FETCH_RESOLVE;
	case CURLE_COULDNT_CONNECT:
		return FETCH_CONNECT;
	case CURLE_OPERATION_TIMEDOUT:
		return FETCH_TIMEOUT;
	case CURLE_SSL_CONNECT_ERROR:
	case CURLE_PEER_FAILED_VERIFICATION:
	case CURLE_SSL_CERTPROBLEM:
	case CURLE_SSL_CIPHER:
	case CURLE_SSL_CACERT_BADFILE:
	case CURLE_SSL_ISSUER_ERROR:
	case CURLE_SSL_INVALIDCERTSTATUS:
	case CURLE_SSL_PINNEDPUBKEYNOTMATCH:
	case CURLE_SSL_CRL_BADFILE:
	case CURLE_USE_SSL_FAILED:
		return FETCH_TLS;
	case CURLE_URL_MALFORMAT:
		return FETCH_INVALID;
	case CURLE_OUT_OF_MEMORY:
	case CURLE_FAILED_INIT:
		return FETCH_FAILED;
	default:
		return FETCH_PROTOCOL;
	}
}

bool transfer_is_cut_off(const Transfer *transfer)
{
	return *transfer->peer && !route_leads_to(transfer->peer) && !route_leads_out();
}

/* Without a way out, it is not a fault of the host that its name is not found. */
static bool transfer_lacks_network(const Transfer *t)
{
	return transfer_is_cut_off(t) || (!*t->peer && !route_leads_out());
}

static FetchError transfer_error(const Transfer *t, CURLcode result)
{
	if (t->too_large)
		return FETCH_TOO_LARGE;
	if (t->out_of_memory)
		return FETCH_FAILED;
	if (t->late)
		return FETCH_LATE;
	if (t->refused && result != CURLE_OK && t->answer.status == 0)
		return FETCH_REFUSED;
	if (!t->is_ready)
		return FETCH_INVALID;
	if (result == CURLE_OK && !t->headers_end)
		return FETCH_PROTOCOL;
	if (result != CURLE_OK && transfer_lacks_network(t))
		return FETCH_NO_NETWORK;
	return error_of_code(result);
}

static void transfer_measure(Transfer *t)
{
	const char *address = NULL;
	curl_easy_getinfo(t->easy, CURLINFO_PRIMARY_IP, &address);
	t->answer.address = g_strdup(address ? address : "");
	t->answer.wire_bytes = transfer_number(t, CURLINFO_SIZE_DOWNLOAD_T);
	t->answer.connect_us = transfer_number(t, CURLINFO_CONNECT_TIME_T);
	t->answer.first_byte_us = transfer_number(t, CURLINFO_STARTTRANSFER_TIME_T);
	t->answer.total_us = transfer_number(t, CURLINFO_TOTAL_TIME_T);
}

static bool transfer_seal(Transfer *t)
{
	return t->body < 0 ||
	       fcntl(t->body, F_ADD_SEALS,
	               F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE) == 0;
}

/* An answer whose headers are not complete is none. */
static void transfer_finish(Transfer *t, FetchError error)
{
	transfer_measure(t);
	if (!transfer_seal(t)) {
		error = FETCH_FAILED;
		t->answer.body_bytes = 0;
	}
	if (!t->headers_end) {
		t->answer.status = 0;
		t->answer.body_bytes = 0;
		g_string_truncate(t->headers, 0);
	}
	t->answer.error = error;
	t->answer.truncated = error != FETCH_OK && t->answer.status != 0;
	t->answer.headers = t->headers->str;
	t->answer.detail = t->detail;
}

void transfer_end(Transfer *transfer, CURLcode result)
{
	if (result != CURLE_OK && !*transfer->detail)
		g_strlcpy(transfer->detail, curl_easy_strerror(result), sizeof transfer->detail);
	if (!transfer->is_ready && transfer->refused)
		transfer_finish(transfer, FETCH_REFUSED);
	else
		transfer_finish(transfer, transfer_error(transfer, result));
}

void transfer_end_cut_off(Transfer *transfer)
{
	transfer_finish(transfer, FETCH_NO_NETWORK);
}

const FetchAnswer *transfer_answer(const Transfer *transfer)
{
	return &transfer->answer;
}

int transfer_body(const Transfer *transfer)
{
	return transfer->answer.body_bytes > 0 ? transfer->body : -1;
}
