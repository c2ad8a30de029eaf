/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-web/browse-server.h"
#include "common/base/autofd.h"
#include "common/base/i18n.h"
#include "ui-web/browse-guard.h"
#include "ui-web/browse-peer.h"
#include "ui-web/browse-static.h"
#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* HEADER_BYTES: of a connection; a query of 4 KiB takes up to 12 in a URL. SILENT_S: a connection
 * that says nothing for that long is closed. */
enum { HEADER_BYTES = 48 << 10, SILENT_S = 30, FIELDS = 32, TAB_FIELD_BYTES = 40 };

struct BrowseServer {
	BrowseLife *life; /* borrowed */
	char *first; /* where the page begins */
	BrowseGuard guard; /* of the thread, once it runs */
	struct sockaddr_in own;
	int socket; /* -1: the thread has it */
	int peers; /* of browse_peer_open() */
	struct MHD_Daemon *daemon; /* NULL: not started */
	GAsyncQueue *questions; /* Exchange; or the server itself: look again how long to wait */
	GMutex mutex;
	GPtrArray *waiting; /* Exchange that the main thread has or will have; with the mutex */
	bool closing; /* nobody asks the main thread any more; with the mutex */
};

/* A request from its first line until its answer is sent. */
typedef struct {
	BrowseRequest request; /* first: it is what the main thread knows */
	struct MHD_Connection *connection;
	BrowseVerdict verdict;
	GString *sent; /* the body of the request */
	bool refused; /* an answer without the main thread has been queued */
	bool answered; /* by the main thread */
	unsigned n_fields;
	bool malformed;
} Exchange;

/* ---- answers */

/* No page of ours is put into a frame, kept, guessed the type of, or names itself to others; and
 * whatever slips into its text runs nothing and loads nothing. */
static const char *const server_headers[][2] = {
        {"Content-Security-Policy",
                "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
                "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"},
        {"X-Frame-Options", "DENY"},
        {"X-Content-Type-Options", "nosniff"},
        {"Referrer-Policy", "no-referrer"},
        {"Cache-Control", "no-store"},
        {"Cross-Origin-Opener-Policy", "same-origin"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
};

static void server_add_headers(struct MHD_Response *response, const char *type)
{
	for (size_t i = 0; i < G_N_ELEMENTS(server_headers); i++)
		MHD_add_response_header(response, server_headers[i][0], server_headers[i][1]);
	MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type);
}

static enum MHD_Result server_queue(
        struct MHD_Connection *connection, unsigned status, struct MHD_Response *response)
{
	enum MHD_Result queued = MHD_queue_response(connection, status, response);
	MHD_destroy_response(response);
	return queued;
}

static struct MHD_Response *server_text(const char *text)
{
	struct MHD_Response *response =
	        MHD_create_response_from_buffer(strlen(text), (void *)text, MHD_RESPMEM_MUST_COPY);
	server_add_headers(response, "text/plain; charset=utf-8");
	return response;
}

static enum MHD_Result server_refuse(Exchange *exchange, unsigned status, const char *text)
{
	struct MHD_Response *response = server_text(text);
	bool action = exchange->request.path && browse_guard_is_action(exchange->request.path);
	exchange->refused = true;
	if (status == MHD_HTTP_METHOD_NOT_ALLOWED) /* RFC 9110, 15.5.6 */
		MHD_add_response_header(
		        response, MHD_HTTP_HEADER_ALLOW, action ? "POST" : "GET, HEAD");
	/* what else it sends is not read */
	MHD_add_response_header(response, MHD_HTTP_HEADER_CONNECTION, "close");
	return server_queue(exchange->connection, status, response);
}

static enum MHD_Result server_exchange_token(BrowseServer *server, Exchange *exchange)
{
	struct MHD_Response *response = server_text("");
	g_autofree char *cookie = g_strdup_printf("%s=%s; Path=/; HttpOnly; SameSite=Strict",
	        server->guard.cookie_name, server->guard.cookie);
	exchange->refused = true;
	MHD_add_response_header(response, MHD_HTTP_HEADER_SET_COOKIE, cookie);
	MHD_add_response_header(response, MHD_HTTP_HEADER_LOCATION, server->first);
	return server_queue(exchange->connection, MHD_HTTP_SEE_OTHER, response);
}

static enum MHD_Result server_answer_verdict(BrowseServer *server, Exchange *exchange)
{
	switch (exchange->verdict) {
	case GUARD_EXCHANGE:
		return server_exchange_token(server, exchange);
	case GUARD_METHOD:
		return server_refuse(exchange, MHD_HTTP_METHOD_NOT_ALLOWED,
		        _("This page does not accept this method.\n"));
	case GUARD_TOKEN:
		return server_refuse(exchange, MHD_HTTP_FORBIDDEN,
		        _("This address was good for one time, or for another run. \"tarsier "
		          "browse\" opens a new page.\n"));
	case GUARD_COOKIE:
		return server_refuse(exchange, MHD_HTTP_FORBIDDEN,
		        _("This browser has not opened the page. \"tarsier browse\" opens a new "
		          "one.\n"));
	default:
		return server_refuse(exchange, MHD_HTTP_FORBIDDEN,
		        _("Another page asks for this, or by another name. Type the address "
		          "yourself.\n"));
	}
}

static enum MHD_Result server_send_static(Exchange *exchange, const BrowseStatic *file)
{
	struct MHD_Response *response = MHD_create_response_from_buffer(
	        strlen(file->text), (void *)file->text, MHD_RESPMEM_PERSISTENT);
	server_add_headers(response, file->type);
	return server_queue(exchange->connection, MHD_HTTP_OK, response);
}

/* Has the other end closed the connection? libmicrohttpd does not look while nothing is sent, and
 * what is sent to an end that is closed counts as sent. */
static bool exchange_is_aborted(const Exchange *exchange)
{
	char byte;
	const union MHD_ConnectionInfo *info =
	        MHD_get_connection_info(exchange->connection, MHD_CONNECTION_INFO_CONNECTION_FD);
	ssize_t n = info ? recv(info->connect_fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) : 0;
	return n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR);
}

/* How long the server goes on is looked at again. */
static void server_take_abort(BrowseServer *server, Exchange *exchange)
{
	if (exchange->request.load == 0)
		return;
	browse_life_abort(server->life, exchange->request.load);
	exchange->request.load = 0;
	g_async_queue_push(server->questions, server);
}

/* While the server ends, libmicrohttpd takes an answer, drops it and asks for it again. */
static enum MHD_Result exchange_send_answer(BrowseServer *server, Exchange *exchange)
{
	if (exchange_is_aborted(exchange))
		server_take_abort(server, exchange);
	GString *body = g_steal_pointer(&exchange->request.body);
	if (!body)
		return MHD_NO;
	size_t length = body->len;
	struct MHD_Response *response = MHD_create_response_from_buffer_with_free_callback(
	        length, g_string_free(body, FALSE), g_free);
	server_add_headers(response,
	        exchange->request.type ? exchange->request.type : "text/html; charset=utf-8");
	return server_queue(exchange->connection, exchange->request.status, response);
}

/* ---- questions */

static Exchange *exchange_new(struct MHD_Connection *connection, const char *path, bool action)
{
	Exchange *exchange = g_new0(Exchange, 1);
	exchange->connection = connection;
	exchange->request.path = g_strdup(path);
	exchange->request.action = action;
	exchange->request.fields = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	exchange->request.status = MHD_HTTP_OK;
	exchange->request.body = g_string_new(NULL);
	exchange->sent = g_string_new(NULL);
	return exchange;
}

static void exchange_free(Exchange *exchange)
{
	g_free(exchange->request.path);
	g_hash_table_unref(exchange->request.fields);
	if (exchange->request.body)
		g_string_free(exchange->request.body, TRUE);
	g_string_free(exchange->sent, TRUE);
	g_free(exchange);
}

static enum MHD_Result exchange_take_field(void *data, enum MHD_ValueKind kind, const char *key,
        size_t key_size, const char *value, size_t value_size)
{
	Exchange *exchange = data;
	if (++exchange->n_fields > FIELDS || strlen(key) != key_size ||
	        (value && strlen(value) != value_size) || !g_utf8_validate(key, -1, NULL) ||
	        (value && !g_utf8_validate(value, -1, NULL))) {
		exchange->malformed = true;
		return MHD_NO;
	}
	g_hash_table_insert(exchange->request.fields, g_strdup(key), g_strdup(value ? value : ""));
	return MHD_YES;
}

static void exchange_take_body(Exchange *exchange)
{
	GHashTableIter each;
	gpointer key, value;
	g_autoptr(GHashTable) posted = g_uri_parse_params(
	        exchange->sent->str, exchange->sent->len, "&", G_URI_PARAMS_WWW_FORM, NULL);
	exchange->malformed = !posted || g_hash_table_size(posted) > FIELDS;
	if (exchange->malformed)
		return;
	g_hash_table_iter_init(&each, posted);
	while (g_hash_table_iter_next(&each, &key, &value))
		g_hash_table_insert(exchange->request.fields, g_strdup(key), g_strdup(value));
}

/* A header that is there twice would let a proxy and us read different ones. */
static enum MHD_Result server_count_headers(
        void *data, enum MHD_ValueKind kind, const char *key, const char *value)
{
	static const char *const single[] = {MHD_HTTP_HEADER_HOST, MHD_HTTP_HEADER_ORIGIN,
	        MHD_HTTP_HEADER_COOKIE, "Sec-Fetch-Site"};
	unsigned *seen = data;
	for (unsigned i = 0; i < G_N_ELEMENTS(single); i++)
		if (g_ascii_strcasecmp(key, single[i]) == 0)
			seen[seen[i + 1] ? 0 : i + 1] = 1;
	return MHD_YES;
}

static void server_look(BrowseServer *server, Exchange *exchange, const char *method)
{
	struct MHD_Connection *connection = exchange->connection;
	unsigned seen[5] = {0};
	MHD_get_connection_values(connection, MHD_HEADER_KIND, server_count_headers, seen);
	const BrowseClaims claims = {
	        .method = method,
	        .path = exchange->request.path,
	        .host = MHD_lookup_connection_value(
	                connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_HOST),
	        .origin = MHD_lookup_connection_value(
	                connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_ORIGIN),
	        .site = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Sec-Fetch-Site"),
	        .cookies = MHD_lookup_connection_value(
	                connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_COOKIE),
	        .token = MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "token"),
	        .repeated = seen[0] != 0,
	};
	exchange->verdict = browse_guard_check(&server->guard, &claims);
}

/* A page that asks anew while somebody types, or goes from hit to hit, does not wait for what it
 * asked before. An action is done as often as it is asked for. */
static void server_supersede(const BrowseServer *server, const Exchange *newer)
{
	static const char *const latest_only[] = {"/hits", "/text", NULL};
	const char *tab = browse_field(&newer->request, "tab");
	if (!g_strv_contains(latest_only, newer->request.path))
		return;
	for (guint i = 0; *tab && i < server->waiting->len; i++) {
		Exchange *older = server->waiting->pdata[i];
		if (strcmp(browse_field(&older->request, "tab"), tab) == 0 &&
		        strcmp(older->request.path, newer->request.path) == 0)
			g_atomic_int_set(&older->request.superseded, 1);
	}
}

static enum MHD_Result server_ask(BrowseServer *server, Exchange *exchange)
{
	g_mutex_lock(&server->mutex);
	bool fits = !server->closing && server->waiting->len < SERVER_WAITING;
	if (fits) {
		server_supersede(server, exchange);
		g_ptr_array_add(server->waiting, exchange);
		MHD_suspend_connection(exchange->connection);
		g_async_queue_push(server->questions, exchange);
	}
	g_mutex_unlock(&server->mutex);
	return fits ? MHD_YES
	            : server_refuse(exchange, MHD_HTTP_SERVICE_UNAVAILABLE,
	                      _("Too many requests wait.\n"));
}

/* Reports of the script need no answer. */
static bool server_take_sign(BrowseServer *server, Exchange *exchange)
{
	const char *path = exchange->request.path;
	const char *tab = browse_field(&exchange->request, "tab");
	bool alive = strcmp(path, "/alive") == 0, bye = strcmp(path, "/bye") == 0;
	if (alive)
		browse_life_alive(
		        server->life, tab, browse_number(&exchange->request, "load", 0, G_MAXUINT));
	else if (bye)
		browse_life_bye(server->life, tab);
	if (bye)
		g_async_queue_push(server->questions, server);
	return alive || bye;
}

/* Does a window show the answer? Browsers also ask for icons, and tell so (W3C Fetch Metadata). */
static bool server_is_page(const Exchange *exchange)
{
	const char *destination = MHD_lookup_connection_value(
	        exchange->connection, MHD_HEADER_KIND, "Sec-Fetch-Dest");
	return !exchange->request.action && strcmp(exchange->request.path, "/picture") != 0 &&
	       !browse_has_field(&exchange->request, "fragment") &&
	       (!destination || strcmp(destination, "document") == 0);
}

static enum MHD_Result server_handle_whole(BrowseServer *server, Exchange *exchange)
{
	struct MHD_Connection *connection = exchange->connection;
	const BrowseStatic *file = browse_static_find(exchange->request.path);
	if (file)
		return server_send_static(exchange, file);
	MHD_get_connection_values_n(
	        connection, MHD_GET_ARGUMENT_KIND, exchange_take_field, exchange);
	if (exchange->request.action && !exchange->malformed)
		exchange_take_body(exchange);
	if (exchange->malformed)
		return server_refuse(
		        exchange, MHD_HTTP_BAD_REQUEST, _("The request is malformed.\n"));
	if (!server_take_sign(server, exchange)) {
		if (server_is_page(exchange))
			exchange->request.load = browse_life_page(server->life);
		return server_ask(server, exchange);
	}
	return server_queue(connection, MHD_HTTP_NO_CONTENT, server_text(""));
}

static enum MHD_Result server_handle(void *data, struct MHD_Connection *connection,
        const char *path, const char *method, const char *version, const char *sent,
        size_t *sent_size, void **state)
{
	BrowseServer *server = data;
	Exchange *exchange = *state;
	if (!exchange) {
		*state = exchange = exchange_new(connection, path, strcmp(method, "POST") == 0);
		server_look(server, exchange, method);
		return exchange->verdict == GUARD_OK ? MHD_YES
		                                     : server_answer_verdict(server, exchange);
	}
	if (*sent_size > 0) {
		if (!exchange->refused && exchange->sent->len + *sent_size <= SERVER_BODY_BYTES)
			g_string_append_len(exchange->sent, sent, *sent_size);
		else
			exchange->malformed = true;
		*sent_size = 0;
		return MHD_YES;
	}
	if (exchange->refused)
		return MHD_YES;
	if (exchange->malformed)
		return server_refuse(
		        exchange, MHD_HTTP_CONTENT_TOO_LARGE, _("The request is malformed.\n"));
	return exchange->answered ? exchange_send_answer(server, exchange)
	                          : server_handle_whole(server, exchange);
}

static void server_on_end(void *data, struct MHD_Connection *connection, void **state,
        enum MHD_RequestTerminationCode code)
{
	BrowseServer *server = data;
	Exchange *exchange = *state;
	*state = NULL;
	if (!exchange)
		return;
	if (code != MHD_REQUEST_TERMINATED_COMPLETED_OK)
		server_take_abort(server, exchange);
	exchange_free(exchange);
}

/* Another user of this machine is refused before anything is read from the connection. */
static enum MHD_Result server_let_in(void *data, const struct sockaddr *peer, socklen_t length)
{
	const BrowseServer *server = data;
	uid_t uid;
	return peer->sa_family == AF_INET && length >= sizeof server->own &&
	                       browse_peer_uid(server->peers, (const struct sockaddr_in *)peer,
	                               &server->own, &uid) &&
	                       uid == geteuid()
	               ? MHD_YES
	               : MHD_NO;
}

/* ---- life */

static bool server_listen(BrowseServer *server)
{
	socklen_t length = sizeof server->own;
	server->own = (struct sockaddr_in){
	        .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	server->peers = browse_peer_open();
	server->socket = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	return server->socket >= 0 &&
	       bind(server->socket, (struct sockaddr *)&server->own, sizeof server->own) == 0 &&
	       listen(server->socket, SERVER_CONNECTIONS) == 0 &&
	       getsockname(server->socket, (struct sockaddr *)&server->own, &length) == 0;
}

BrowseServer *browse_server_new(BrowseLife *life, const char *first, GError **error)
{
	g_autoptr(BrowseServer) server = g_new0(BrowseServer, 1);
	server->life = life;
	server->first = g_strdup(first);
	server->questions = g_async_queue_new();
	server->waiting = g_ptr_array_new();
	g_mutex_init(&server->mutex);
	if (server_listen(server) && browse_guard_init(&server->guard, ntohs(server->own.sin_port)))
		return g_steal_pointer(&server);
	g_set_error(error, G_FILE_ERROR, g_file_error_from_errno(errno),
	        _("no port of this machine is available: %s"), g_strerror(errno));
	return NULL;
}

char *browse_server_url(const BrowseServer *server)
{
	return g_strdup_printf("%s/?token=%s", server->guard.origin, server->guard.token);
}

bool browse_server_start(BrowseServer *server)
{
	server->daemon = MHD_start_daemon(MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME,
	        0, server_let_in, server, server_handle, server, MHD_OPTION_LISTEN_SOCKET,
	        server->socket, MHD_OPTION_CONNECTION_LIMIT, (unsigned)SERVER_CONNECTIONS,
	        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)SILENT_S,
	        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)HEADER_BYTES,
	        MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_NOTIFY_COMPLETED, server_on_end, server,
	        MHD_OPTION_END);
	if (server->daemon)
		server->socket = -1;
	return server->daemon != NULL;
}

BrowseRequest *browse_server_next(BrowseServer *server, int64_t wait_us)
{
	void *next = g_async_queue_timeout_pop(server->questions, MAX(wait_us, 1));
	return next == server ? NULL : next;
}

/* Its connection is suspended, so nobody else touches it. */
bool browse_server_is_waiting(const BrowseRequest *request)
{
	return !exchange_is_aborted((const Exchange *)request);
}

void browse_server_put_back(BrowseServer *server, BrowseRequest *request)
{
	g_async_queue_push(server->questions, request);
}

void browse_server_answer(BrowseServer *server, BrowseRequest *request)
{
	Exchange *exchange = (Exchange *)request;
	g_mutex_lock(&server->mutex);
	g_ptr_array_remove(server->waiting, exchange);
	g_mutex_unlock(&server->mutex);
	exchange->answered = true;
	MHD_resume_connection(exchange->connection);
}

/* Those who wait are told that it is over. */
void browse_server_free(BrowseServer *server)
{
	void *next;
	int listener = server->daemon ? MHD_quiesce_daemon(server->daemon) : -1;
	g_mutex_lock(&server->mutex);
	server->closing = true;
	g_mutex_unlock(&server->mutex);
	while ((next = g_async_queue_try_pop(server->questions))) {
		BrowseRequest *request = next;
		if (next == server)
			continue;
		request->status = MHD_HTTP_SERVICE_UNAVAILABLE;
		browse_server_answer(server, request);
	}
	if (server->daemon)
		MHD_stop_daemon(server->daemon);
	autofd_close(&listener);
	autofd_close(&server->peers);
	autofd_close(&server->socket);
	g_async_queue_unref(server->questions);
	g_ptr_array_unref(server->waiting);
	g_mutex_clear(&server->mutex);
	g_free(server->first);
	g_free(server);
}
