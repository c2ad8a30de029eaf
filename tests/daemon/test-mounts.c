/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/base/mounts.h"
#include "daemon/fs/safeopen.h"
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

static const char *const table =
        "22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n"
        "23 22 0:21 / /proc rw shared:2 - proc proc rw\n"
        "24 22 8:17 / /media/A\\040B rw shared:3 master:4 - vfat /dev/sdb1 rw\n"
        "25 22 0:50 / /home/u/remote rw - fuse.sshfs host:/ rw\n"
        "26 22 0:51 / /home/u/ntfs rw - fuseblk /dev/sdc1 rw\n"
        "27 22 0:52 / /home/u/nfs rw - nfs4 host:/x rw\n"
        "28 22 0:53 / /tmp rw - tmpfs tmpfs rw\n"
        "nonsense\n29 22\n30 22 0:54 / /cut rw\n";

static void collect(const char *path, void *data)
{
	g_ptr_array_add(data, g_strdup(path));
}

static void test_kinds(void)
{
	g_autofree char *file = g_build_filename(g_getenv("TEST_TMP"), "mountinfo", NULL);
	g_assert_true(g_file_set_contents(file, table, -1, NULL));
	g_autoptr(GPtrArray) changed = g_ptr_array_new_with_free_func(g_free);
	Mounts *mounts = mounts_new(file);
	mounts_read(mounts, collect, changed);
	g_assert_cmpuint(changed->len, ==, 0);
	g_assert_cmpint(mounts_kind(mounts, 8, 1), ==, MOUNT_ORDINARY);
	g_assert_cmpint(mounts_kind(mounts, 8, 17), ==, MOUNT_ORDINARY);
	g_assert_cmpint(mounts_kind(mounts, 0, 53), ==, MOUNT_ORDINARY);
	g_assert_cmpint(mounts_kind(mounts, 0, 51), ==, MOUNT_ORDINARY);
	g_assert_cmpint(mounts_kind(mounts, 0, 21), ==, MOUNT_PSEUDO);
	g_assert_cmpint(mounts_kind(mounts, 0, 50), ==, MOUNT_NETWORK);
	g_assert_cmpint(mounts_kind(mounts, 0, 52), ==, MOUNT_NETWORK);
	g_assert_cmpint(mounts_kind(mounts, 0, 54), ==, MOUNT_UNKNOWN);
	mounts_free(mounts);
}

static void check_origin(
        const Mounts *mounts, unsigned minor, const char *source, const char *point)
{
	const MountOrigin *origin = mounts_origin(mounts, 0, minor);
	g_assert_nonnull(origin);
	g_assert_cmpstr(origin->source, ==, source);
	g_assert_cmpstr(origin->point, ==, point);
}

/* A part of the file system may be mounted before the whole, and the whole twice. */
static void test_origins(void)
{
	g_autofree char *file = g_build_filename(g_getenv("TEST_TMP"), "mountinfo", NULL);
	const char *lines = "22 1 0:40 /part /a rw - nfs4 host:/x rw,vers=4.2\n"
	                    "23 22 0:40 / /b\\040b rw - nfs4 host:/x rw,vers=4.2\n"
	                    "24 22 0:40 / /c rw - nfs4 host:/x rw,vers=4.2\n"
	                    "25 22 0:41 /part /d rw shared:7 - fuse.sshfs u@h:/a\\040b rw\n"
	                    "26 22 0:42 / /e rw - fuse.x\n";
	g_assert_true(g_file_set_contents(file, lines, -1, NULL));
	Mounts *mounts = mounts_new(file);
	mounts_read(mounts, NULL, NULL);
	check_origin(mounts, 40, "host:/x", "/b b");
	check_origin(mounts, 41, "u@h:/a\\040b", "/d");
	check_origin(mounts, 42, "", "/e");
	g_assert_null(mounts_origin(mounts, 0, 43));
	mounts_free(mounts);
}

/* A symbolic link in the path leads to a file system that may not answer; it is not accessed. */
static void test_links(void)
{
	const char *top = g_getenv("TEST_TMP");
	g_autofree char *file = g_build_filename(top, "mountinfo", NULL);
	g_autofree char *real = g_build_filename(top, "real", "deep", NULL);
	g_autofree char *link = g_build_filename(top, "link", NULL);
	g_autofree char *relative = g_build_filename(top, "relative", NULL);
	g_autofree char *loop = g_build_filename(top, "loop", NULL);
	g_autofree char *lines = g_strdup_printf("22 1 8:1 / / rw - ext4 /dev/sda1 rw\n"
	                                         "27 22 0:52 / %s/net rw - nfs4 host:/x rw\n"
	                                         "28 22 0:53 / %s/auto rw - autofs auto rw\n"
	                                         "29 22 0:54 / %s/proc rw - proc proc rw\n",
	        top, top, top);
	g_assert_true(g_file_set_contents(file, lines, -1, NULL));
	g_assert_cmpint(g_mkdir_with_parents(real, 0700), ==, 0);
	g_autofree char *net = g_build_filename(top, "net", "home", NULL);
	g_assert_cmpint(symlink(net, link), ==, 0);
	g_assert_cmpint(symlink("real/deep/../../link/dir", relative), ==, 0);
	g_assert_cmpint(symlink("loop", loop), ==, 0);
	Mounts *mounts = mounts_new(file);
	mounts_read(mounts, NULL, NULL);
	const struct {
		const char *path;
		MountKind kind;
	} cases[] = {{"real/deep", MOUNT_ORDINARY}, {"real//deep/./x", MOUNT_ORDINARY},
	        {"link", MOUNT_NETWORK}, {"link/x/../y", MOUNT_NETWORK},
	        {"relative", MOUNT_NETWORK}, {"relative/../../../real", MOUNT_NETWORK},
	        {"net", MOUNT_NETWORK}, {"net/..", MOUNT_NETWORK}, {"auto/x", MOUNT_AUTO},
	        {"network", MOUNT_ORDINARY}, {"loop/x", MOUNT_ORDINARY}, {"proc/1", MOUNT_PSEUDO},
	        {"missing/x", MOUNT_ORDINARY}};
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *path = g_build_filename(top, cases[i].path, NULL);
		g_assert_cmpint(mounts_kind_of_path(mounts, path), ==, cases[i].kind);
	}
	g_assert_cmpint(mounts_kind_of_path(mounts, "/"), ==, MOUNT_ORDINARY);
	g_assert_true(mounts_may_hang(mounts, relative));
	g_assert_false(mounts_may_hang(mounts, real));
	mounts_free(mounts);
}

static gint compare(gconstpointer one, gconstpointer other)
{
	return strcmp(*(const char *const *)one, *(const char *const *)other);
}

static void test_changes(void)
{
	g_autofree char *file = g_build_filename(g_getenv("TEST_TMP"), "mountinfo", NULL);
	g_autoptr(GPtrArray) changed = g_ptr_array_new_with_free_func(g_free);
	g_assert_true(g_file_set_contents(file, table, -1, NULL));
	Mounts *mounts = mounts_new(file);
	mounts_read(mounts, collect, changed);
	mounts_read(mounts, collect, changed);
	g_assert_cmpuint(changed->len, ==, 0);
	const char *now = "22 1 8:1 / / rw - ext4 /dev/sda1 rw\n"
	                  "23 22 0:21 / /proc rw - proc proc rw\n"
	                  "24 22 8:33 / /media/A\\040B rw - vfat /dev/sdc1 rw\n"
	                  "26 22 0:51 / /home/u/ntfs rw - fuseblk /dev/sdc1 rw\n"
	                  "27 22 0:52 / /home/u/nfs rw - nfs4 host:/x rw\n"
	                  "28 22 0:53 / /tmp rw - tmpfs tmpfs rw\n";
	g_assert_true(g_file_set_contents(file, now, -1, NULL));
	mounts_read(mounts, collect, changed);
	g_ptr_array_sort(changed, compare);
	g_assert_cmpuint(changed->len, ==, 2);
	g_assert_cmpstr(changed->pdata[0], ==, "/home/u/remote");
	g_assert_cmpstr(changed->pdata[1], ==, "/media/A B");
	mounts_free(mounts);
}

/* A crossing leads only to the expected device. */
static void test_crossing(void)
{
	const char *top = g_getenv("TEST_TMP");
	g_autofree char *dir = g_build_filename(top, "a", "b", "c", NULL);
	struct statx st;
	g_assert_cmpint(g_mkdir_with_parents(dir, 0700), ==, 0);
	int root = safe_open_root(NULL, top);
	g_assert_cmpint(safe_stat_fd(NULL, root, SAFE_ASK, &st), ==, 0);
	SafeCrossings crossings = {1, {{strlen("a/b"), st.stx_dev_major, st.stx_dev_minor}}};
	int fd = safe_open_dir(NULL, root, "a/b/c", &crossings);
	g_assert_cmpint(fd, >=, 0);
	close(fd);
	fd = safe_open_dir(NULL, root, "a/b", &crossings);
	g_assert_cmpint(fd, >=, 0);
	close(fd);
	crossings.at[0].device_minor++;
	g_assert_cmpint(safe_open_dir(NULL, root, "a/b/c", &crossings), ==, -1);
	g_assert_cmpint(errno, ==, EXDEV);
	close(root);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/daemon/mounts/kinds-of-file-systems-are-told-apart", test_kinds);
	g_test_add_func("/daemon/mounts/a-device-has-the-source-of-its-whole", test_origins);
	g_test_add_func(
	        "/daemon/mounts/links-in-the-way-are-not-followed-into-a-mount", test_links);
	g_test_add_func("/daemon/mounts/mounts-and-unmounts-are-noticed", test_changes);
	g_test_add_func(
	        "/daemon/mounts/opening-crosses-only-to-the-expected-device", test_crossing);
	return g_test_run();
}
