/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/cmd/export/opensearch-http.h"
#include "common/base/i18n.h"
#include <curl/curl.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	ANSWER_MOST = 64 << 20,
	SEARCH_ANSWER_MOST = 32 << 20, /* a client that searches has little memory */
	WORD_MOST = 8192, /* method, path, type */
	CONNECT_S = 15,
	REQUEST_S = 180,
	STALLED_S = 60,
	SOCKET_FD = 3, /* of the process */
};

struct OsHttp {
	int socket;
	pid_t process;
	int64_t deadline_us; /* of all requests, by the monotonic clock; 0: each has its own */
};

/* A message of the socket; the texts follow in this order. */
typedef struct {
	uint32_t method, path, type;
	uint32_t has_body;
	uint32_t timeout_ms;
	uint64_t body;
} RequestHead;

typedef struct {
	uint32_t status, retry_after_s;
	uint64_t body;
} AnswerHead;

static bool http_send(int fd, const void *bytes, size_t length)
{
	for (const char *at = bytes; length > 0;) {
		ssize_t sent = send(fd, at, length, MSG_NOSIGNAL);
		if (sent < 0 && errno == EINTR)
			continue;
		if (sent <= 0)
			return false;
		at += sent;
		length -= sent;
	}
	return true;
}

static bool http_receive(int fd, void *bytes, size_t length)
{
	for (char *at = bytes; length > 0;) {
		ssize_t got = TEMP_FAILURE_RETRY(recv(fd, at, length, 0));
		if (got <= 0)
			return false;
		at += got;
		length -= got;
	}
	return true;
}

/* ---- the process */

typedef struct {
	CURL *easy;
	char *url;
	char *authorization; /* a header, or NULL */
	char why[CURL_ERROR_SIZE];
	GString *answer;
	size_t most; /* bytes of an answer */
	bool too_large;
} HttpProcess;

static size_t http_on_body(char *bytes, size_t one, size_t length, void *data)
{
	HttpProcess *p = data;
	p->too_large = length > p->most - p->answer->len;
	if (p->too_large)
		return 0;
	g_string_append_len(p->answer, bytes, length);
	return length;
}

/* Everything that could lead elsewhere is off, whatever the defaults of this libcurl are. */
static bool http_prepare(HttpProcess *p, const ExportOpening *opening)
{
	const ExportCredentials *credentials = opening->credentials;
	const char *certificates = opening->certificates;
	CURL *easy = p->easy = curl_easy_init();
	if (credentials->api_key)
		p->authorization =
		        g_strconcat("Authorization: ApiKey ", credentials->api_key, NULL);
	return easy && curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https") == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_PROXY, "") == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_NETRC, (long)CURL_NETRC_IGNORED) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_HTTP09_ALLOWED, 0L) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "") == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_PATH_AS_IS, 1L) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2) ==
	               CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, 1L) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, 2L) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_USERAGENT, "tarsier/" PACKAGE_VERSION) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT,
	               opening->search ? (long)EXPORT_CONNECT_SECONDS : (long)CONNECT_S) ==
	               CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_LOW_SPEED_LIMIT, 1L) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_LOW_SPEED_TIME, (long)STALLED_S) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, p->why) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, http_on_body) == CURLE_OK &&
	       curl_easy_setopt(easy, CURLOPT_WRITEDATA, p) == CURLE_OK &&
	       (!certificates ||
	               curl_easy_setopt(easy, CURLOPT_CAINFO, certificates) == CURLE_OK) &&
	       (!credentials->user || (curl_easy_setopt(easy, CURLOPT_HTTPAUTH,
	                                       (long)CURLAUTH_BASIC) == CURLE_OK &&
	                                      curl_easy_setopt(easy, CURLOPT_USERNAME,
	                                              credentials->user) == CURLE_OK &&
	                                      curl_easy_setopt(easy, CURLOPT_PASSWORD,
	                                              credentials->password) == CURLE_OK));
}

static struct curl_slist *http_headers(const HttpProcess *p, const char *type)
{
	/* libcurl would wait for a permission to send a large body */
	struct curl_slist *headers = curl_slist_append(NULL, "Expect:");
	g_autofree char *line = g_strconcat("Content-Type: ", type, NULL);
	headers = curl_slist_append(headers, "Accept: application/json");
	if (*type)
		headers = curl_slist_append(headers, line);
	if (p->authorization)
		headers = curl_slist_append(headers, p->authorization);
	return headers;
}

static CURLcode http_perform(HttpProcess *p, const char *method, const char *path,
        const struct curl_slist *headers, const char *body, size_t length)
{
	g_autofree char *url = g_strconcat(p->url, path, NULL);
	bool set = curl_easy_setopt(p->easy, CURLOPT_URL, url) == CURLE_OK &&
	           curl_easy_setopt(p->easy, CURLOPT_HTTPHEADER, headers) == CURLE_OK;
	if (body)
		set = set && curl_easy_setopt(p->easy, CURLOPT_POST, 1L) == CURLE_OK &&
		      curl_easy_setopt(p->easy, CURLOPT_POSTFIELDS, body) == CURLE_OK &&
		      curl_easy_setopt(p->easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)length) ==
		              CURLE_OK;
	else
		set = set && curl_easy_setopt(p->easy, CURLOPT_HTTPGET, 1L) == CURLE_OK;
	set = set && curl_easy_setopt(p->easy, CURLOPT_CUSTOMREQUEST, method) == CURLE_OK;
	return set ? curl_easy_perform(p->easy) : CURLE_OUT_OF_MEMORY;
}

static bool http_answer(HttpProcess *p, CURLcode code)
{
	long status = 0;
	curl_off_t wait = 0;
	AnswerHead head = {0};
	if (code == CURLE_OK) {
		curl_easy_getinfo(p->easy, CURLINFO_RESPONSE_CODE, &status);
		curl_easy_getinfo(p->easy, CURLINFO_RETRY_AFTER, &wait);
		head.status = status;
		head.retry_after_s = CLAMP(wait, 0, G_MAXINT32);
	} else {
		g_string_assign(p->answer, p->too_large ? "the answer is too large"
		                           : *p->why    ? p->why
		                                        : curl_easy_strerror(code));
	}
	head.body = p->answer->len;
	return http_send(SOCKET_FD, &head, sizeof head) &&
	       http_send(SOCKET_FD, p->answer->str, p->answer->len);
}

/* Receives a request, makes it, and answers. False: the client is gone. */
static bool http_serve(HttpProcess *p)
{
	RequestHead head;
	char method[WORD_MOST], path[WORD_MOST], type[WORD_MOST];
	if (!http_receive(SOCKET_FD, &head, sizeof head) || head.method >= WORD_MOST ||
	        head.path >= WORD_MOST || head.type >= WORD_MOST || head.body > SIZE_MAX / 2)
		return false;
	g_autofree char *body = g_try_malloc(head.body + 1);
	if (!body || !http_receive(SOCKET_FD, method, head.method) ||
	        !http_receive(SOCKET_FD, path, head.path) ||
	        !http_receive(SOCKET_FD, type, head.type) ||
	        !http_receive(SOCKET_FD, body, head.body))
		return false;
	method[head.method] = path[head.path] = type[head.type] = body[head.body] = '\0';
	p->too_large = false;
	p->why[0] = '\0';
	g_string_truncate(p->answer, 0);
	struct curl_slist *headers = http_headers(p, type);
	curl_easy_setopt(p->easy, CURLOPT_TIMEOUT_MS, (long)head.timeout_ms);
	CURLcode code =
	        http_perform(p, method, path, headers, head.has_body ? body : NULL, head.body);
	bool ok = http_answer(p, code);
	curl_easy_setopt(p->easy, CURLOPT_HTTPHEADER, NULL);
	curl_slist_free_all(headers);
	return ok;
}

static G_GNUC_NORETURN void http_main(int fd, const char *url, const ExportOpening *opening)
{
	HttpProcess p = {.url = g_strdup(url),
	        .answer = g_string_new(NULL),
	        .most = opening->search ? SEARCH_ANSWER_MOST : ANSWER_MOST};
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
	setsid(); /* a signal of the terminal is for the client */
	signal(SIGPIPE, SIG_IGN);
	dup2(fd, SOCKET_FD);
	syscall(SYS_close_range, SOCKET_FD + 1, ~0u, 0);
	bool ready = curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK &&
	             http_prepare(&p, opening) && opening->confine(opening->certificates);
	while (ready && http_serve(&p))
		;
	_exit(!ready);
}

/* ---- the client */

OsHttp *os_http_new(const char *url, const ExportOpening *opening, GError **error)
{
	int fds[2];
	pid_t process = -1;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) == 0) {
		process = fork();
		if (process == 0)
			http_main(fds[1], url, opening);
		close(fds[1]);
		if (process < 0)
			close(fds[0]);
	}
	if (process < 0) {
		g_set_error(error, EXPORT_ERROR, EXPORT_ERROR_UNAVAILABLE, "fork: %s",
		        g_strerror(errno));
		return NULL;
	}
	OsHttp *http = g_new(OsHttp, 1);
	*http = (OsHttp){.socket = fds[0], .process = process};
	if (opening->search)
		http->deadline_us = g_get_monotonic_time() + EXPORT_SEARCH_SECONDS * G_USEC_PER_SEC;
	return http;
}

void os_http_free(OsHttp *http)
{
	if (!http)
		return;
	close(http->socket);
	kill(http->process, SIGKILL);
	TEMP_FAILURE_RETRY(waitpid(http->process, NULL, 0));
	g_free(http);
}

bool os_http_has_time(const OsHttp *http, unsigned seconds)
{
	return http->deadline_us == 0 ||
	       g_get_monotonic_time() + seconds * G_USEC_PER_SEC < http->deadline_us;
}

static uint32_t http_timeout_ms(const OsHttp *http)
{
	int64_t left_us = http->deadline_us - g_get_monotonic_time();
	return http->deadline_us == 0 ? REQUEST_S * 1000 : (uint32_t)MAX(left_us / 1000, 1);
}

bool os_http_ask(OsHttp *http, const char *method, const char *path, const char *type,
        const char *body, size_t length, OsAnswer *out, GError **error)
{
	AnswerHead answer;
	const RequestHead head = {strlen(method), strlen(path), strlen(type), body != NULL,
	        http_timeout_ms(http), length};
	bool ok = http_send(http->socket, &head, sizeof head) &&
	          http_send(http->socket, method, head.method) &&
	          http_send(http->socket, path, head.path) &&
	          http_send(http->socket, type, head.type) &&
	          http_send(http->socket, body, length) &&
	          http_receive(http->socket, &answer, sizeof answer) && answer.body <= ANSWER_MOST;
	if (ok) {
		*out = (OsAnswer){answer.status, answer.retry_after_s, g_string_new(NULL)};
		g_string_set_size(out->body, answer.body);
		ok = http_receive(http->socket, out->body->str, answer.body);
		if (!ok)
			g_string_free(out->body, TRUE);
	}
	if (!ok)
		g_set_error(error, EXPORT_ERROR, EXPORT_ERROR_UNAVAILABLE,
		        _("the process that asks the search engine could not be confined, or has "
		          "died"));
	return ok;
}
