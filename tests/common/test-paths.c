/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/base/paths.h"
#include <glib.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* Returns a new directory for the test, below the private home of the test run. */
static char *scratch(void)
{
	char *dir = g_dir_make_tmp("paths-XXXXXX", NULL);
	g_assert_nonnull(dir);
	return dir;
}

static unsigned mode_of(const char *path)
{
	struct stat st;
	g_assert_cmpint(lstat(path, &st), ==, 0);
	return st.st_mode & 07777;
}

static void test_defaults_follow_xdg(void)
{
	g_unsetenv("XDG_DATA_HOME");
	g_unsetenv("TARSIER_INDEX");
	g_setenv("XDG_CONFIG_HOME", "/conf", TRUE);
	g_setenv("XDG_CACHE_HOME", "relative/is/void", TRUE);
	g_setenv("XDG_RUNTIME_DIR", "/run/user/7", TRUE);
	g_autofree char *usual = g_build_filename(g_get_home_dir(), ".local/share/tarsier", NULL);
	g_autofree char *caches = g_build_filename(g_get_home_dir(), ".cache/tarsier", NULL);
	g_autofree char *index = paths_index_dir(NULL);
	g_autofree char *config = paths_config_file(NULL);
	g_autofree char *cache = paths_cache_dir(index);
	g_autofree char *ctl = paths_socket(index);
	g_assert_cmpstr(index, ==, usual);
	g_assert_cmpstr(config, ==, "/conf/tarsier/tarsier.conf");
	g_assert_cmpstr(cache, ==, caches);
	g_assert_cmpstr(ctl, ==, "/run/user/7/tarsier/ctl");
	g_unsetenv("XDG_CONFIG_HOME");
	g_unsetenv("XDG_CACHE_HOME");
}

static void test_option_beats_environment(void)
{
	g_setenv("TARSIER_INDEX", "/from/env", TRUE);
	g_autofree char *env = paths_index_dir(NULL);
	g_autofree char *option = paths_index_dir("/from/../option/");
	g_autofree char *relative = paths_index_dir("x");
	g_unsetenv("TARSIER_INDEX");
	g_assert_cmpstr(env, ==, "/from/env");
	g_assert_cmpstr(option, ==, "/option");
	g_assert_true(g_path_is_absolute(relative));
}

static void test_other_index_keeps_its_own_things(void)
{
	g_autofree char *cache = paths_cache_dir("/other");
	g_autofree char *ctl = paths_socket("/other");
	g_assert_cmpstr(cache, ==, "/other/cache");
	g_assert_cmpstr(ctl, ==, "/other/ctl");
}

static void test_default_index_without_runtime_dir(void)
{
	g_unsetenv("XDG_RUNTIME_DIR");
	g_autofree char *index = paths_index_dir(NULL);
	g_autofree char *ctl = paths_socket(index);
	g_autofree char *expected = g_build_filename(index, "ctl", NULL);
	g_assert_cmpstr(ctl, ==, expected);
}

static void assert_made_private(mode_t mask)
{
	g_autofree char *top = scratch();
	g_autofree char *mid = g_build_filename(top, "a", NULL);
	g_autofree char *dir = g_build_filename(mid, "b", NULL);
	mode_t old = umask(mask);
	g_autoptr(GError) error = NULL;
	bool ok = paths_make_private_dir(dir, &error);
	umask(old);
	g_assert_no_error(error);
	g_assert_true(ok);
	g_assert_cmpuint(mode_of(mid), ==, 0700);
	g_assert_cmpuint(mode_of(dir), ==, 0700);
	g_assert_true(paths_make_private_dir(dir, NULL)); /* a second time */
}

static void test_made_private_whatever_the_umask(void)
{
	assert_made_private(0);
	assert_made_private(022);
	assert_made_private(0777);
}

static void test_file_is_private_whatever_the_umask(void)
{
	static const mode_t masks[] = {0, 022, 0277, 0777};
	g_autofree char *top = scratch();
	for (size_t i = 0; i < G_N_ELEMENTS(masks); i++) {
		g_autofree char *file = g_strdup_printf("%s/%zu", top, i);
		mode_t old = umask(masks[i]);
		g_autoptr(GError) error = NULL;
		bool ok = paths_write_private(
		        file, "text", 4, G_FILE_SET_CONTENTS_CONSISTENT, &error);
		umask(old);
		g_assert_no_error(error);
		g_assert_true(ok);
		g_assert_cmpuint(mode_of(file), ==, 0600);
	}
}

static void test_open_directory_is_closed(void)
{
	g_autofree char *dir = scratch();
	g_assert_cmpint(chmod(dir, 0755), ==, 0);
	g_assert_true(paths_make_private_dir(dir, NULL));
	g_assert_cmpuint(mode_of(dir), ==, 0700);
}

static void test_link_is_refused(void)
{
	g_autofree char *top = scratch();
	g_autofree char *target = g_build_filename(top, "target", NULL);
	g_autofree char *link = g_build_filename(top, "link", NULL);
	g_assert_cmpint(mkdir(target, 0755), ==, 0);
	g_assert_cmpint(symlink(target, link), ==, 0);
	g_autoptr(GError) error = NULL;
	g_assert_false(paths_make_private_dir(link, &error));
	g_assert_error(error, G_FILE_ERROR, G_FILE_ERROR_PERM);
	g_assert_cmpuint(mode_of(target), ==, 0755);
}

static void test_file_is_refused(void)
{
	g_autofree char *top = scratch();
	g_autofree char *file = g_build_filename(top, "file", NULL);
	g_assert_true(g_file_set_contents(file, "x", 1, NULL));
	g_assert_false(paths_make_private_dir(file, NULL));
	g_autofree char *below = g_build_filename(file, "dir", NULL);
	g_assert_false(paths_make_private_dir(below, NULL));
}

static void test_dangling_link_is_refused(void)
{
	g_autofree char *top = scratch();
	g_autofree char *link = g_build_filename(top, "link", NULL);
	g_assert_cmpint(symlink("nowhere", link), ==, 0);
	g_assert_false(paths_make_private_dir(link, NULL));
}

static void test_directory_of_others_is_refused(void)
{
	if (geteuid() != 0) {
		g_test_skip("only root can make another user's directory");
		return;
	}
	g_autofree char *dir = scratch();
	g_assert_cmpint(chown(dir, 4242, 4242), ==, 0);
	g_autoptr(GError) error = NULL;
	g_assert_false(paths_make_private_dir(dir, &error));
	g_assert_error(error, G_FILE_ERROR, G_FILE_ERROR_PERM);
	g_assert_cmpint(chown(dir, 0, 0), ==, 0);
}

static void test_below(void)
{
	static const struct {
		const char *path, *dir;
		bool below;
	} pairs[] = {{"/a/b", "/a", true}, {"/a", "/a", true}, {"/ab", "/a", false},
	        {"/a", "/a/b", false}, {"/a", "/", true}, {"/", "/", true}, {"/a", NULL, true}};
	for (size_t i = 0; i < G_N_ELEMENTS(pairs); i++)
		g_assert_cmpint(paths_is_below(pairs[i].path, pairs[i].dir), ==, pairs[i].below);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_setenv("TMPDIR", g_get_home_dir(), TRUE);
	g_test_add_func("/common/paths/defaults-follow-xdg", test_defaults_follow_xdg);
	g_test_add_func("/common/paths/option-beats-environment", test_option_beats_environment);
	g_test_add_func("/common/paths/other-index-keeps-its-own-things",
	        test_other_index_keeps_its_own_things);
	g_test_add_func("/common/paths/default-index-without-runtime-dir",
	        test_default_index_without_runtime_dir);
	g_test_add_func("/common/paths/made-private-whatever-the-umask",
	        test_made_private_whatever_the_umask);
	g_test_add_func("/common/paths/file-is-private-whatever-the-umask",
	        test_file_is_private_whatever_the_umask);
	g_test_add_func("/common/paths/open-directory-is-closed", test_open_directory_is_closed);
	g_test_add_func("/common/paths/link-is-refused", test_link_is_refused);
	g_test_add_func("/common/paths/file-is-refused", test_file_is_refused);
	g_test_add_func("/common/paths/dangling-link-is-refused", test_dangling_link_is_refused);
	g_test_add_func("/common/paths/directory-of-another-user-is-refused",
	        test_directory_of_others_is_refused);
	g_test_add_func("/common/paths/below-is-by-components", test_below);
	return g_test_run();
}
