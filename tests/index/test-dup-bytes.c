/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/copies/dup-bytes.h"
#include "common/base/autofd.h"
#include <fcntl.h>
#include <glib/gstdio.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LARGE = 600 << 10 };

typedef struct {
	char *dir;
	GPtrArray *paths;
} Files;

static void files_up(Files *f, gconstpointer data)
{
	f->dir = g_dir_make_tmp("tarsier-bytes-XXXXXX", NULL);
	f->paths = g_ptr_array_new_with_free_func(g_free);
	g_assert_nonnull(f->dir);
}

static void files_down(Files *f, gconstpointer data)
{
	for (guint i = 0; i < f->paths->len; i++)
		g_unlink(f->paths->pdata[i]);
	g_rmdir(f->dir);
	g_ptr_array_unref(f->paths);
	g_free(f->dir);
}

static const char *add_path(Files *f, const char *name)
{
	char *path = g_build_filename(f->dir, name, NULL);
	g_ptr_array_add(f->paths, path);
	return path;
}

static void add_bytes(Files *f, const char *name, const char *bytes, gssize length)
{
	g_assert_true(g_file_set_contents(add_path(f, name), bytes, length, NULL));
}

/* The names of each class, joined by blanks; classes are divided by bars. */
static char *classes_of(const Files *f)
{
	g_autoptr(GPtrArray) classes = dup_bytes_classes(NULL, f->paths);
	GString *out = g_string_new(NULL);
	for (guint i = 0; i < classes->len; i++) {
		const GPtrArray *class = classes->pdata[i];
		for (guint k = 0; k < class->len; k++) {
			const char *path = f->paths->pdata[GPOINTER_TO_UINT(class->pdata[k])];
			g_autofree char *name = g_path_get_basename(path);
			g_string_append_printf(out, "%s%s", k > 0 ? " " : i > 0 ? "|" : "", name);
		}
	}
	return g_string_free(out, FALSE);
}

static void assert_classes(const Files *f, const char *expected)
{
	g_autofree char *classes = classes_of(f);
	g_assert_cmpstr(classes, ==, expected);
}

static void test_classes(Files *f, gconstpointer data)
{
	add_bytes(f, "a", "same", 4);
	add_bytes(f, "b", "else", 4);
	add_bytes(f, "c", "same", 4);
	add_bytes(f, "d", "same and more", -1);
	add_bytes(f, "e", "else", 4);
	assert_classes(f, "a c|b e|d");
}

static void test_large(Files *f, gconstpointer data)
{
	g_autofree char *bytes = g_malloc0(LARGE);
	add_bytes(f, "a", bytes, LARGE);
	add_bytes(f, "b", bytes, LARGE);
	bytes[LARGE - 1] = 1;
	add_bytes(f, "c", bytes, LARGE);
	add_bytes(f, "d", bytes, LARGE);
	assert_classes(f, "a b|c d");
}

static void test_unreadable(Files *f, gconstpointer data)
{
	add_bytes(f, "a", "same", 4);
	add_path(f, "missing");
	g_assert_cmpint(mkfifo(add_path(f, "fifo"), 0600), ==, 0);
	g_assert_cmpint(symlink(f->paths->pdata[0], add_path(f, "link")), ==, 0);
	add_bytes(f, "b", "same", 4);
	assert_classes(f, "a b");
}

/* A file of /proc that can be opened, and whose first byte cannot be read. */
static void test_read_error(Files *f, gconstpointer data)
{
	g_ptr_array_add(f->paths, g_strdup("/proc/self/mem"));
	add_bytes(f, "a", "", 0);
	add_bytes(f, "b", "", 0);
	assert_classes(f, "a b");
	g_ptr_array_add(f->paths, g_strdup("/proc/self/mem"));
	assert_classes(f, "a b");
}

static char leave_path[PATH_MAX];

static void leave_now(int number)
{
	unlink(leave_path);
}

/* "between" has a lease, which is broken as soon as it is opened. */
static bool arrange_leaving(Files *f, int *fd_r)
{
	g_strlcpy(leave_path, f->paths->pdata[0], sizeof leave_path);
	signal(SIGIO, leave_now);
	*fd_r = open(f->paths->pdata[2], O_RDWR | O_CLOEXEC);
	return fcntl(*fd_r, F_SETLEASE, F_WRLCK) == 0;
}

static void test_first_goes(Files *f, gconstpointer data)
{
	autofd fd = -1;
	add_bytes(f, "first", "same", 4);
	add_bytes(f, "second", "same", 4);
	add_bytes(f, "between", "same", 4);
	add_bytes(f, "last", "same", 4);
	if (!arrange_leaving(f, &fd)) {
		g_test_skip("the file system has no leases");
		return;
	}
	assert_classes(f, "second last");
	g_assert_false(g_file_test(leave_path, G_FILE_TEST_EXISTS));
	signal(SIGIO, SIG_DFL);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add("/index/dup-bytes/only-equal-bytes-are-in-one-class", Files, NULL, files_up,
	        test_classes, files_down);
	g_test_add("/index/dup-bytes/large-files-are-compared-to-their-end", Files, NULL, files_up,
	        test_large, files_down);
	g_test_add("/index/dup-bytes/what-is-no-readable-file-is-in-no-class", Files, NULL,
	        files_up, test_unreadable, files_down);
	g_test_add("/index/dup-bytes/a-file-with-a-read-error-is-in-no-class", Files, NULL,
	        files_up, test_read_error, files_down);
	g_test_add("/index/dup-bytes/if-the-first-file-goes-the-next-one-is-compared", Files, NULL,
	        files_up, test_first_goes, files_down);
	return g_test_run();
}
