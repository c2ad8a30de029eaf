/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/ipc/control.h"
#include "common/base/autofd.h"
#include "common/base/i18n.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#define MESSAGE_TYPE G_VARIANT_TYPE("(sa{sv})")
enum { SEND_TIMEOUT_MS = 5000, NAME_MAX_BYTES = 64 };
enum { EXIT_USAGE = 2, EXIT_NO_DAEMON = 3, EXIT_BUSY = 75 };

typedef struct {
	int exit_code; /* from the daemon's answer */
} ControlErrorPrivate;

static void control_error_private_init(ControlErrorPrivate *private)
{
	private->exit_code = EXIT_USAGE;
}

static void control_error_private_copy(const ControlErrorPrivate *from, ControlErrorPrivate *to)
{
	*to = *from;
}

static void control_error_private_clear(ControlErrorPrivate *private)
{
}

G_DEFINE_EXTENDED_ERROR(ControlError, control_error)

int control_exit_code(const GError *error)
{
	if (error->domain != CONTROL_ERROR)
		return EXIT_USAGE;
	switch ((ControlError)error->code) {
	case CONTROL_ERROR_REFUSED:
		return control_error_get_private(error)->exit_code;
	case CONTROL_ERROR_TIMEOUT:
		return EXIT_BUSY;
	case CONTROL_ERROR_ABSENT:
	case CONTROL_ERROR_IO:
	case CONTROL_ERROR_PROTOCOL:
		break;
	}
	return EXIT_NO_DAEMON;
}

static bool control_fail(GError **error, ControlError code, const char *message)
{
	g_set_error_literal(error, CONTROL_ERROR, code, message);
	return false;
}

static bool control_fail_errno(GError **error, const char *what)
{
	int code = errno;
	g_set_error(error, CONTROL_ERROR, CONTROL_ERROR_IO, "%s: %s", what, g_strerror(code));
	return false;
}

/* A socket address holds at most 107 bytes. A longer path is reached through a descriptor of its
 * directory; *dir_fd keeps that open while the address is in use. False with errno. */
static bool control_fill_address(struct sockaddr_un *address, const char *path, int *dir_fd)
{
	*address = (struct sockaddr_un){.sun_family = AF_UNIX};
	if (strlen(path) < sizeof(address->sun_path)) {
		strcpy(address->sun_path, path);
		return true;
	}
	g_autofree char *dir = g_path_get_dirname(path);
	g_autofree char *name = g_path_get_basename(path);
	*dir_fd = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (*dir_fd < 0)
		return false;
	int used = g_snprintf(
	        address->sun_path, sizeof(address->sun_path), "/proc/self/fd/%d/%s", *dir_fd, name);
	errno = ENAMETOOLONG;
	return (size_t)used < sizeof(address->sun_path);
}

bool control_peer_is_owner(int fd)
{
	struct ucred peer;
	socklen_t size = sizeof(peer);
	return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == geteuid();
}

static bool fail_connect(const char *socket_path, GError **error)
{
	if (errno == ENOENT || errno == ENOTDIR || errno == ECONNREFUSED)
		return control_fail(error, CONTROL_ERROR_ABSENT, _("the daemon is not running"));
	return control_fail_errno(error, socket_path);
}

static bool connect_to(int fd, const char *socket_path, GError **error)
{
	struct sockaddr_un address;
	autofd dir_fd = -1;
	if (!control_fill_address(&address, socket_path, &dir_fd) ||
	        connect(fd, (struct sockaddr *)&address, sizeof(address)) != 0)
		return fail_connect(socket_path, error);
	return true;
}

int control_connect(const char *socket_path, GError **error)
{
	autofd fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0) {
		control_fail_errno(error, "socket");
		return -1;
	}
	if (!connect_to(fd, socket_path, error))
		return -1;
	if (!control_peer_is_owner(fd)) {
		control_fail(error, CONTROL_ERROR_REFUSED, _("the daemon belongs to another user"));
		return -1;
	}
	return autofd_steal(&fd);
}

/* Removes only a socket. Any other file stays, and bind() then reports the error. */
static void remove_stale(const char *socket_path)
{
	struct stat st;
	if (lstat(socket_path, &st) == 0 && S_ISSOCK(st.st_mode))
		unlink(socket_path);
}

int control_listen(const char *socket_path, GError **error)
{
	struct sockaddr_un address;
	autofd dir_fd = -1;
	autofd fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	remove_stale(socket_path);
	/* fchmod() before bind() gives the socket file its mode from the start. */
	if (fd < 0 || !control_fill_address(&address, socket_path, &dir_fd) ||
	        fchmod(fd, 0600) != 0 ||
	        bind(fd, (struct sockaddr *)&address, sizeof(address)) != 0 ||
	        listen(fd, SOMAXCONN) != 0) {
		control_fail_errno(error, socket_path);
		return -1;
	}
	return autofd_steal(&fd);
}

GBytes *control_pack(const char *name, GVariant *values, GError **error)
{
	GVariant *dict = values ? values : g_variant_new("a{sv}", NULL);
	g_autoptr(GVariant) message = g_variant_ref_sink(g_variant_new("(s@a{sv})", name, dict));
	size_t size = g_variant_get_size(message);
	if (size > CONTROL_MAX_BYTES) {
		control_fail(error, CONTROL_ERROR_PROTOCOL, _("the message is too long"));
		return NULL;
	}
	uint32_t head = size;
	char *bytes = g_malloc(sizeof(head) + size);
	memcpy(bytes, &head, sizeof(head));
	memcpy(bytes + sizeof(head), g_variant_get_data(message), size);
	return g_bytes_new_take(bytes, sizeof(head) + size);
}

static bool control_parse(
        const void *bytes, size_t length, char **name_r, GVariant **values_r, GError **error)
{
	g_autoptr(GBytes) copy = g_bytes_new(bytes, length);
	g_autoptr(GVariant) message =
	        g_variant_ref_sink(g_variant_new_from_bytes(MESSAGE_TYPE, copy, FALSE));
	if (!g_variant_is_normal_form(message))
		return control_fail(error, CONTROL_ERROR_PROTOCOL, _("malformed message"));
	g_autofree char *name = NULL;
	g_autoptr(GVariant) values = NULL;
	g_variant_get(message, "(s@a{sv})", &name, &values);
	if (!*name || strlen(name) > NAME_MAX_BYTES)
		return control_fail(error, CONTROL_ERROR_PROTOCOL, _("malformed message"));
	*name_r = g_steal_pointer(&name);
	*values_r = g_steal_pointer(&values);
	return true;
}

/* Reads the length of a message from its first bytes. */
static bool control_read_head(const void *bytes, uint32_t *length_r, GError **error)
{
	memcpy(length_r, bytes, sizeof(*length_r));
	if (*length_r == 0 || *length_r > CONTROL_MAX_BYTES)
		return control_fail(error, CONTROL_ERROR_PROTOCOL, _("malformed message"));
	return true;
}

gssize control_unpack(
        const void *bytes, size_t length, char **name_r, GVariant **values_r, GError **error)
{
	uint32_t size;
	if (length < sizeof(size))
		return 0;
	if (!control_read_head(bytes, &size, error))
		return -1;
	if (length - sizeof(size) < size)
		return 0;
	if (!control_parse((const char *)bytes + sizeof(size), size, name_r, values_r, error))
		return -1;
	return sizeof(size) + size;
}

/* The time of the monotonic clock, in microseconds, at which waiting ends; -1 for never. */
static int64_t deadline_of(int timeout_ms)
{
	return timeout_ms < 0 ? -1 : g_get_monotonic_time() + (int64_t)timeout_ms * 1000;
}

static bool control_wait_for(int fd, short events, int64_t deadline_us, GError **error)
{
	for (;;) {
		int64_t left = deadline_us < 0 ? -1 : deadline_us - g_get_monotonic_time();
		int timeout_ms =
		        deadline_us < 0 ? -1 : (int)CLAMP((left + 999) / 1000, 0, G_MAXINT);
		struct pollfd watched = {fd, events, 0};
		int n = poll(&watched, 1, timeout_ms);
		if (n > 0)
			return true;
		if (n == 0)
			return control_fail(
			        error, CONTROL_ERROR_TIMEOUT, _("the daemon does not answer"));
		if (errno != EINTR)
			return control_fail_errno(error, "poll");
	}
}

bool control_send(int fd, const char *name, GVariant *values, GError **error)
{
	g_autoptr(GBytes) packed = control_pack(name, values, error);
	if (!packed)
		return false;
	size_t left;
	const char *bytes = g_bytes_get_data(packed, &left);
	int64_t deadline_us = deadline_of(SEND_TIMEOUT_MS);
	while (left > 0) {
		ssize_t n = send(fd, bytes, left, MSG_NOSIGNAL | MSG_DONTWAIT);
		if (n < 0 && errno == EAGAIN && !control_wait_for(fd, POLLOUT, deadline_us, error))
			return false;
		if (n < 0 && errno != EAGAIN && errno != EINTR)
			return control_fail_errno(error, "send");
		if (n > 0) {
			bytes += n;
			left -= n;
		}
	}
	return true;
}

/* Fills buffer. Returns the bytes received before the end of the file, -1 on error. */
static gssize receive_all(int fd, char *buffer, size_t length, int64_t deadline_us, GError **error)
{
	size_t done = 0;
	while (done < length) {
		ssize_t n = recv(fd, buffer + done, length - done, MSG_DONTWAIT);
		if (n == 0)
			break;
		if (n > 0) {
			done += n;
		} else if (errno == EAGAIN) {
			if (!control_wait_for(fd, POLLIN, deadline_us, error))
				return -1;
		} else if (errno != EINTR) {
			control_fail_errno(error, "recv");
			return -1;
		}
	}
	return done;
}

bool control_receive(int fd, int timeout_ms, char **name_r, GVariant **values_r, GError **error)
{
	char head[sizeof(uint32_t)];
	uint32_t size;
	int64_t deadline_us = deadline_of(timeout_ms);
	gssize got = receive_all(fd, head, sizeof(head), deadline_us, error);
	if (got <= 0)
		return false;
	if ((size_t)got < sizeof(head))
		return control_fail(
		        error, CONTROL_ERROR_PROTOCOL, _("the connection was interrupted"));
	if (!control_read_head(head, &size, error))
		return false;

	g_autofree char *body = g_malloc(size);
	got = receive_all(fd, body, size, deadline_us, error);
	if (got < 0)
		return false;
	if ((size_t)got < size)
		return control_fail(
		        error, CONTROL_ERROR_PROTOCOL, _("the connection was interrupted"));
	return control_parse(body, size, name_r, values_r, error);
}

/* Converts an answer named "error" into a GError. */
static void set_refused(GVariant *values, GError **error)
{
	g_autofree char *message = NULL;
	gint32 code = EXIT_USAGE;
	g_variant_lookup(values, "message", "s", &message);
	g_variant_lookup(values, "code", "i", &code);
	GError *refused = g_error_new_literal(CONTROL_ERROR, CONTROL_ERROR_REFUSED,
	        message ? message : _("the daemon rejected the request"));
	control_error_get_private(refused)->exit_code = code > 0 && code < 128 ? code : EXIT_USAGE;
	g_propagate_error(error, refused);
}

GVariant *control_answer(int fd, int timeout_ms, GError **error)
{
	g_autofree char *name = NULL;
	g_autoptr(GVariant) values = NULL;
	g_autoptr(GError) local = NULL;
	if (!control_receive(fd, timeout_ms, &name, &values, &local)) {
		if (!local)
			control_fail(&local, CONTROL_ERROR_ABSENT,
			        _("the daemon closed the connection"));
		g_propagate_error(error, g_steal_pointer(&local));
		return NULL;
	}
	if (strcmp(name, "ok") == 0)
		return g_steal_pointer(&values);
	if (strcmp(name, "error") == 0)
		set_refused(values, error);
	else
		control_fail(error, CONTROL_ERROR_PROTOCOL, _("malformed message"));
	return NULL;
}

GVariant *control_call(
        int fd, const char *request, GVariant *arguments, int timeout_ms, GError **error)
{
	g_autoptr(GError) unsent = NULL;
	g_autoptr(GError) local = NULL;
	bool sent = control_send(fd, request, arguments, &unsent);
	/* A peer that closed the connection before may have sent the reason. */
	GVariant *answer = control_answer(fd, sent ? timeout_ms : 0, &local);
	if (answer)
		return answer;
	bool refused = g_error_matches(local, CONTROL_ERROR, CONTROL_ERROR_REFUSED);
	g_propagate_error(
	        error, sent || refused ? g_steal_pointer(&local) : g_steal_pointer(&unsent));
	return NULL;
}
