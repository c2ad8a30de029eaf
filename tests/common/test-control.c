/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/base/autofd.h"
#include "common/ipc/control.h"
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

static void make_pair(int ends[2])
{
	g_assert_cmpint(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), ==, 0);
}

static GVariant *one_value(const char *key, GVariant *value)
{
	GVariantBuilder builder;
	g_variant_builder_init(&builder, G_VARIANT_TYPE("a{sv}"));
	g_variant_builder_add(&builder, "{sv}", key, value);
	return g_variant_builder_end(&builder);
}

static void test_message_arrives(void)
{
	int ends[2];
	make_pair(ends);
	autofd a = ends[0], b = ends[1];
	g_autofree char *name = NULL;
	g_autoptr(GVariant) values = NULL;
	gint64 seconds = 0;
	g_assert_true(
	        control_send(a, "pause", one_value("seconds", g_variant_new_int64(60)), NULL));
	g_assert_true(control_receive(b, 1000, &name, &values, NULL));
	g_assert_cmpstr(name, ==, "pause");
	g_assert_true(g_variant_lookup(values, "seconds", "x", &seconds));
	g_assert_cmpint(seconds, ==, 60);
}

static gpointer echo_ok(gpointer data)
{
	int fd = GPOINTER_TO_INT(data);
	char *name;
	GVariant *values;
	while (control_receive(fd, -1, &name, &values, NULL)) {
		control_send(fd, "ok", values, NULL);
		g_variant_unref(values);
		g_free(name);
	}
	return NULL;
}

static void test_long_messages_and_many(void)
{
	int ends[2];
	make_pair(ends);
	GThread *server = g_thread_new("server", echo_ok, GINT_TO_POINTER(ends[1]));
	g_autofree char *big = g_strnfill(CONTROL_MAX_BYTES - 100, 'x');
	for (int i = 0; i < 3; i++) {
		g_autoptr(GError) error = NULL;
		g_autoptr(GVariant) answer = control_call(
		        ends[0], "echo", one_value("s", g_variant_new_string(big)), 10000, &error);
		const char *back = NULL;
		g_assert_no_error(error);
		g_assert_true(g_variant_lookup(answer, "s", "&s", &back));
		g_assert_cmpstr(back, ==, big);
	}
	close(ends[0]);
	g_thread_join(server);
	close(ends[1]);
}

static void test_too_long_is_not_sent(void)
{
	int ends[2];
	make_pair(ends);
	autofd a = ends[0], b = ends[1];
	g_autoptr(GError) error = NULL;
	g_autofree char *big = g_strnfill(CONTROL_MAX_BYTES, 'x');
	char byte;
	g_assert_false(control_send(a, "echo", one_value("s", g_variant_new_string(big)), &error));
	g_assert_error(error, CONTROL_ERROR, CONTROL_ERROR_PROTOCOL);
	g_assert_cmpint(recv(b, &byte, 1, MSG_DONTWAIT), ==, -1);
}

static void assert_forged(const void *bytes, size_t length)
{
	int ends[2];
	make_pair(ends);
	autofd a = ends[0], b = ends[1];
	g_autofree char *name = NULL;
	g_autoptr(GVariant) values = NULL;
	g_autoptr(GError) error = NULL;
	g_assert_cmpint(write(a, bytes, length), ==, (gssize)length);
	shutdown(a, SHUT_WR);
	g_assert_false(control_receive(b, 1000, &name, &values, &error));
	g_assert_error(error, CONTROL_ERROR, CONTROL_ERROR_PROTOCOL);
	g_assert_null(name);
	g_assert_null(values);
}

static void test_forged_lengths_are_refused(void)
{
	uint32_t zero = 0, huge = UINT32_MAX, above = CONTROL_MAX_BYTES + 1;
	assert_forged(&zero, 4);
	assert_forged(&huge, 4);
	assert_forged(&above, 4);
	assert_forged("\1\0", 2); /* the head is truncated */
	assert_forged("\100\0\0\0abc", 7); /* the body is truncated */
}

static void test_every_cut_is_refused(void)
{
	g_autoptr(GBytes) packed =
	        control_pack("status", one_value("x", g_variant_new_bytestring("/p\377")), NULL);
	size_t length;
	const uint8_t *bytes = g_bytes_get_data(packed, &length);
	for (size_t i = 1; i < length; i++)
		assert_forged(bytes, i);
}

static void test_changed_bytes_never_crash(void)
{
	g_autoptr(GBytes) packed = control_pack(
	        "status", one_value("roots", g_variant_new_bytestring("/p\377")), NULL);
	size_t length;
	g_autofree uint8_t *bytes =
	        g_memdup2(g_bytes_get_data(packed, NULL), g_bytes_get_size(packed));
	length = g_bytes_get_size(packed);
	for (size_t i = 4; i < length; i++) {
		for (int bit = 0; bit < 8; bit++) {
			g_autofree char *name = NULL;
			g_autoptr(GVariant) values = NULL;
			bytes[i] ^= 1 << bit;
			gssize took = control_unpack(bytes, length, &name, &values, NULL);
			bytes[i] ^= 1 << bit;
			g_assert_true(took == -1 || took == (gssize)length);
			g_assert_true((took == -1) == (values == NULL));
			if (values)
				g_assert_true(g_variant_is_normal_form(values));
		}
	}
}

static void test_name_is_limited(void)
{
	g_autofree char *name = g_strnfill(65, 'n');
	g_autoptr(GBytes) packed = control_pack(name, NULL, NULL);
	g_autoptr(GBytes) nameless = control_pack("", NULL, NULL);
	assert_forged(g_bytes_get_data(packed, NULL), g_bytes_get_size(packed));
	assert_forged(g_bytes_get_data(nameless, NULL), g_bytes_get_size(nameless));
}

static void test_unpack_takes_one_message(void)
{
	g_autoptr(GBytes) one = control_pack("resume", NULL, NULL);
	g_autoptr(GByteArray) two = g_byte_array_new();
	g_autofree char *name = NULL;
	g_autoptr(GVariant) values = NULL;
	size_t length = g_bytes_get_size(one);
	g_byte_array_append(two, g_bytes_get_data(one, NULL), length);
	g_byte_array_append(two, g_bytes_get_data(one, NULL), length);
	g_assert_cmpint(control_unpack(two->data, length - 1, &name, &values, NULL), ==, 0);
	g_assert_cmpint(
	        control_unpack(two->data, two->len, &name, &values, NULL), ==, (gssize)length);
	g_assert_cmpstr(name, ==, "resume");
}

static void test_end_of_file_is_no_error(void)
{
	int ends[2];
	make_pair(ends);
	autofd b = ends[1];
	g_autofree char *name = NULL;
	g_autoptr(GVariant) values = NULL;
	g_autoptr(GError) error = NULL;
	close(ends[0]);
	g_assert_false(control_receive(b, 1000, &name, &values, &error));
	g_assert_no_error(error);
}

static void test_silence_times_out(void)
{
	int ends[2];
	make_pair(ends);
	autofd a = ends[0], b = ends[1];
	g_autoptr(GError) error = NULL;
	g_assert_null(control_call(a, "status", NULL, 20, &error));
	g_assert_error(error, CONTROL_ERROR, CONTROL_ERROR_TIMEOUT);
	g_assert_cmpint(control_exit_code(error), ==, 75);
	g_assert_cmpint(fcntl(b, F_GETFD), >=, 0);
}

static void test_refusal_carries_message_and_code(void)
{
	int ends[2];
	make_pair(ends);
	autofd a = ends[0], b = ends[1];
	GVariantBuilder builder;
	g_variant_builder_init(&builder, G_VARIANT_TYPE("a{sv}"));
	g_variant_builder_add(&builder, "{sv}", "message", g_variant_new_string("no such root"));
	g_variant_builder_add(&builder, "{sv}", "code", g_variant_new_int32(5));
	g_assert_true(control_send(b, "error", g_variant_builder_end(&builder), NULL));
	g_autoptr(GError) error = NULL;
	g_assert_null(control_call(a, "index", NULL, 1000, &error));
	g_assert_error(error, CONTROL_ERROR, CONTROL_ERROR_REFUSED);
	g_assert_cmpstr(error->message, ==, "no such root");
	g_assert_cmpint(control_exit_code(error), ==, 5);
}

static void test_a_closed_connection_tells_why(void)
{
	int ends[2];
	make_pair(ends);
	autofd a = ends[0];
	g_autoptr(GError) error = NULL;
	g_assert_true(control_send(
	        ends[1], "error", one_value("message", g_variant_new_string("too late")), NULL));
	close(ends[1]);
	g_assert_null(control_call(a, "status", NULL, 1000, &error));
	g_assert_error(error, CONTROL_ERROR, CONTROL_ERROR_REFUSED);
	g_assert_cmpstr(error->message, ==, "too late");
}

static void test_listen_and_connect(void)
{
	g_autofree char *dir = g_dir_make_tmp("control-XXXXXX", NULL);
	g_autofree char *path = g_build_filename(dir, "ctl", NULL);
	struct stat st;
	g_autoptr(GError) error = NULL;
	g_assert_cmpint(control_connect(path, &error), ==, -1);
	g_assert_error(error, CONTROL_ERROR, CONTROL_ERROR_ABSENT);
	g_assert_cmpint(control_exit_code(error), ==, 3);

	mode_t old = umask(0);
	int stale = control_listen(path, NULL);
	umask(old);
	g_assert_cmpint(stale, >=, 0);
	g_assert_cmpint(lstat(path, &st), ==, 0);
	g_assert_cmpuint(st.st_mode & 0777, ==, 0600);
	close(stale);
	g_clear_error(&error);
	g_assert_cmpint(control_connect(path, &error), ==, -1);
	g_assert_error(error, CONTROL_ERROR, CONTROL_ERROR_ABSENT);

	autofd server = control_listen(path, NULL);
	autofd client = control_connect(path, NULL);
	g_assert_cmpint(client, >=, 0);
	autofd peer = accept(server, NULL, NULL);
	g_assert_true(control_peer_is_owner(peer));
}

static void test_long_path(void)
{
	g_autofree char *top = g_dir_make_tmp("control-XXXXXX", NULL);
	g_autofree char *part = g_strnfill(200, 'd');
	g_autofree char *dir = g_build_filename(top, part, NULL);
	g_autofree char *path = g_build_filename(dir, "ctl", NULL);
	g_autoptr(GError) error = NULL;
	g_assert_cmpint(control_connect(path, &error), ==, -1);
	g_assert_error(error, CONTROL_ERROR, CONTROL_ERROR_ABSENT);
	g_assert_cmpint(mkdir(dir, 0700), ==, 0);
	autofd server = control_listen(path, NULL);
	g_assert_cmpint(server, >=, 0);
	autofd client = control_connect(path, NULL);
	g_assert_cmpint(client, >=, 0);
}

static void test_a_file_is_not_taken_away(void)
{
	g_autofree char *dir = g_dir_make_tmp("control-XXXXXX", NULL);
	g_autofree char *path = g_build_filename(dir, "ctl", NULL);
	g_assert_true(g_file_set_contents(path, "mine", -1, NULL));
	g_assert_cmpint(control_listen(path, NULL), ==, -1);
	g_assert_true(g_file_test(path, G_FILE_TEST_IS_REGULAR));
}

static void test_other_users_are_told_apart(void)
{
	if (geteuid() != 0) {
		g_test_skip("only root can become another user");
		return;
	}
	int ends[2];
	g_assert_cmpint(seteuid(4242), ==, 0);
	make_pair(ends);
	g_assert_cmpint(seteuid(0), ==, 0);
	autofd a = ends[0], b = ends[1];
	g_assert_false(control_peer_is_owner(a));
	g_assert_false(control_peer_is_owner(b));
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_setenv("TMPDIR", g_get_home_dir(), TRUE);
	g_test_add_func("/common/control/message-arrives", test_message_arrives);
	g_test_add_func("/common/control/long-messages-and-many", test_long_messages_and_many);
	g_test_add_func("/common/control/too-long-is-not-sent", test_too_long_is_not_sent);
	g_test_add_func(
	        "/common/control/forged-lengths-are-refused", test_forged_lengths_are_refused);
	g_test_add_func("/common/control/every-cut-is-refused", test_every_cut_is_refused);
	g_test_add_func(
	        "/common/control/changed-bytes-never-crash", test_changed_bytes_never_crash);
	g_test_add_func("/common/control/name-is-limited", test_name_is_limited);
	g_test_add_func("/common/control/unpack-takes-one-message", test_unpack_takes_one_message);
	g_test_add_func("/common/control/end-of-file-is-no-error", test_end_of_file_is_no_error);
	g_test_add_func("/common/control/silence-times-out", test_silence_times_out);
	g_test_add_func("/common/control/refusal-carries-message-and-code",
	        test_refusal_carries_message_and_code);
	g_test_add_func("/common/control/a-closed-connection-tells-why",
	        test_a_closed_connection_tells_why);
	g_test_add_func("/common/control/listen-and-connect", test_listen_and_connect);
	g_test_add_func("/common/control/a-socket-path-may-be-long", test_long_path);
	g_test_add_func(
	        "/common/control/listening-removes-no-regular-file", test_a_file_is_not_taken_away);
	g_test_add_func(
	        "/common/control/other-users-are-told-apart", test_other_users_are_told_apart);
	return g_test_run();
}
