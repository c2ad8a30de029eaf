/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests which names a list of a directory rules out, and their order. */
#include <config.h>
#include "common/base/autofd.h"
#include "daemon/fs/safeopen.h"
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>

static void add_file(const char *top, const char *name)
{
	g_autofree char *path = g_build_filename(top, name, NULL);
	g_assert_true(g_file_set_contents(path, "", 0, NULL));
}

static SafeList *open_list(const char *top, int *fd)
{
	*fd = open(top, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	g_assert_cmpint(*fd, >=, 0);
	return safe_list_new(NULL, *fd);
}

static void remove_all(const char *top)
{
	g_autoptr(GDir) dir = g_dir_open(top, 0, NULL);
	for (const char *name; (name = g_dir_read_name(dir));) {
		g_autofree char *path = g_build_filename(top, name, NULL);
		g_unlink(path);
	}
	g_rmdir(top);
}

static unsigned count_rest(SafeList *list)
{
	unsigned n = 0;
	while (safe_list_next(list))
		n++;
	g_assert_cmpint(errno, ==, 0);
	return n;
}

static void test_few(void)
{
	g_autofree char *top = g_dir_make_tmp("list-XXXXXX", NULL);
	autofd fd = -1;
	add_file(top, "a");
	add_file(top, ".NoMedia");
	g_autoptr(SafeList) list = open_list(top, &fd);
	g_assert_true(safe_list_may_have(list, "a"));
	g_assert_true(safe_list_may_have(list, ".nomedia"));
	g_assert_false(safe_list_may_have(list, ".nomed"));
	g_assert_false(safe_list_may_have(list, "b"));
	g_assert_cmpuint(count_rest(list), ==, 2);
	g_assert_null(safe_list_next(list));
	remove_all(top);
}

/* More names than the list reads ahead: nothing is ruled out, and none is lost. */
static void test_many(void)
{
	enum { FILES = 3000 };
	g_autofree char *top = g_dir_make_tmp("list-XXXXXX", NULL);
	autofd fd = -1;
	for (unsigned i = 0; i < FILES; i++) {
		g_autofree char *name = g_strdup_printf("a-name-of-some-length-%u", i);
		add_file(top, name);
	}
	g_autoptr(SafeList) list = open_list(top, &fd);
	g_assert_true(safe_list_may_have(list, "b"));
	g_assert_cmpuint(count_rest(list), ==, FILES);
	remove_all(top);
}

/* Names that are read at a time come in their order, whatever that of the file system is. */
static void test_sorted(void)
{
	static const char *const names[] = {"10", "9", "B", "a", "a b", "\xff"};
	g_autofree char *top = g_dir_make_tmp("list-XXXXXX", NULL);
	autofd fd = -1;
	for (size_t i = G_N_ELEMENTS(names); i > 0; i--)
		add_file(top, names[i - 1]);
	g_autoptr(SafeList) list = open_list(top, &fd);
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
		g_assert_cmpstr(safe_list_next(list), ==, names[i]);
	g_assert_null(safe_list_next(list));
	remove_all(top);
}

/* When names were taken, those may be what is asked for. */
static void test_begun(void)
{
	g_autofree char *top = g_dir_make_tmp("list-XXXXXX", NULL);
	autofd fd = -1;
	add_file(top, "a");
	g_autoptr(SafeList) list = open_list(top, &fd);
	g_assert_cmpstr(safe_list_next(list), ==, "a");
	g_assert_true(safe_list_may_have(list, "a"));
	g_assert_true(safe_list_may_have(list, "b"));
	remove_all(top);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/list/few", test_few);
	g_test_add_func("/list/many", test_many);
	g_test_add_func("/list/begun", test_begun);
	g_test_add_func("/list/sorted", test_sorted);
	return g_test_run();
}
