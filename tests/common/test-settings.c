/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/settings/conffile.h"
#include "common/settings/settings.h"
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *scratch_file(void)
{
	g_autofree char *dir = g_dir_make_tmp("settings-XXXXXX", NULL);
	g_assert_nonnull(dir);
	return g_build_filename(dir, "tarsier.conf", NULL);
}

static void put(const char *file, const char *text)
{
	g_autofree char *dir = g_path_get_dirname(file);
	g_assert_cmpint(g_mkdir_with_parents(dir, 0700), ==, 0);
	g_assert_true(g_file_set_contents(file, text, -1, NULL));
}

static void assert_text(const char *file, const char *expected)
{
	g_autofree char *text = NULL;
	g_assert_true(g_file_get_contents(file, &text, NULL, NULL));
	g_assert_cmpstr(text, ==, expected);
}

static Settings *load(const char *file, GPtrArray *warnings)
{
	g_autoptr(GError) error = NULL;
	Settings *s = settings_load(file, warnings, &error);
	g_assert_no_error(error);
	return s;
}

/* Loading text fails with code, and the message contains all words (NULL-terminated). */
static void assert_bad(const char *text, gssize length, int code, const char *words)
{
	g_autofree char *file = scratch_file();
	g_autoptr(GError) error = NULL;
	g_assert_true(g_file_set_contents(file, text, length, NULL));
	g_autoptr(Settings) s = settings_load(file, NULL, &error);
	g_assert_null(s);
	g_assert_error(error, SETTINGS_ERROR, code);
	g_assert_true(g_utf8_validate(error->message, -1, NULL));
	g_assert_true(g_str_has_prefix(error->message, file));
	g_test_message("%s", error->message);
	g_assert_nonnull(strstr(error->message, words));
}

static void test_presets(void)
{
	g_autofree char *file = scratch_file();
	g_autoptr(Settings) s = load(file, NULL);
	g_autofree char *text = NULL;
	g_autofree char *origin = settings_origin(s, "limits", "text", NULL, &text);
	g_assert_cmpint(settings_int(s, "limits", "text", NULL), ==, 10 << 20);
	g_assert_cmpint(settings_int(s, "limits", "file", NULL), ==, 500 << 20);
	g_assert_cmpint(settings_int(s, "limits", "time", NULL), ==, 60);
	g_assert_false(settings_bool(s, "daemon", "unsandboxed", NULL));
	g_assert_cmpstr(text, ==, "10 MiB");
	g_assert_cmpstr(origin, ==, "built in");
	g_assert_null(settings_roots(s)[0]);
	ExtractLimits limits = settings_limits(s), expected = EXTRACT_LIMITS_DEFAULT;
	g_assert_cmpmem(&limits, sizeof(limits), &expected, sizeof(expected));
}

static void test_table_is_sound(void)
{
	for (const SettingKey *key = setting_keys; key->section; key++) {
		g_assert_true(settings_find_key(key->section, key->name) == key);
		g_assert_nonnull(key->preset);
		if (key->type == SETTING_INT || key->type == SETTING_SIZE ||
		        key->type == SETTING_TIME)
			g_assert_cmpint(key->min, <, key->max);
		if (key->per_dir)
			g_assert_true(settings_find_key("dir:/x", key->name) == key);
	}
	g_assert_null(settings_find_key("dir:/x", "converters"));
	g_assert_true(
	        settings_find_key("web:http://x/", "pages") == settings_find_key("web", "pages"));
	g_assert_null(settings_find_key("web:http://x/", "roots"));
}

static void test_values_and_their_origin(void)
{
	g_autofree char *file = scratch_file();
	put(file, "# mine\n\n[limits]\ntext = 5 k\nfile=2Gi\ntime = 2 min\n  depth =7 \n"
	          "[daemon]\nunsandboxed=yes\n");
	g_autoptr(Settings) s = load(file, NULL);
	g_autofree char *expected = g_strdup_printf("%s:7", file);
	g_autofree char *origin = settings_origin(s, "limits", "depth", NULL, NULL);
	g_assert_cmpstr(origin, ==, expected);
	g_assert_cmpint(settings_int(s, "limits", "depth", NULL), ==, 7);
	g_assert_cmpint(settings_int(s, "limits", "file", NULL), ==, INT64_C(2) << 30);
	g_assert_cmpint(settings_int(s, "limits", "time", NULL), ==, 120);
	g_assert_true(settings_bool(s, "daemon", "unsandboxed", NULL));
}

static void test_bad_values_name_line_and_range(void)
{
	const int bad = SETTINGS_ERROR_VALUE;
	assert_bad("[limits]\ntext = lots\n", -1, bad,
	        ":2: limits.text: \"lots\" is not valid; allowed");
	assert_bad("[limits]\n\n\ndepth = 0\n", -1, bad, ":4: limits.depth");
	assert_bad("[limits]\ndepth = 33\n", -1, bad, "a number from 1 to 32");
	assert_bad("[limits]\ndepth = -1\n", -1, bad, ":2:");
	assert_bad("[limits]\ndepth = 5 MiB\n", -1, bad, ":2:");
	assert_bad("[limits]\ntext = 99999999999999999999999\n", -1, bad, ":2:");
	assert_bad("[limits]\ntext = 18446744073709551615 Ti\n", -1, bad, "4 KiB to 1 GiB");
	assert_bad("[limits]\ntext = 5 m\n", -1, bad, ":2:");
	assert_bad("[limits]\ntime = 2 m\n", -1, bad, "units s min h d w");
	assert_bad("[daemon]\nunsandboxed = perhaps\n", -1, bad, "true or false");
	assert_bad("[index]\nskip = builds;cakes\n", -1, bad, "version-control builds");
	assert_bad("[index]\nexclude = a\\qb\n", -1, bad, "backslash");
	assert_bad("[index]\nroots = relative\n", -1, bad, ":2: index.roots: \"relative\"");
	assert_bad("[dir:relative]\nhidden = x\n", -1, bad, ":2:");
	assert_bad("[limits]\ntext = \377\033[31m\n", -1, bad, "\\x1b[31m");
}

static void test_bad_syntax_names_line(void)
{
	const int bad = SETTINGS_ERROR_SYNTAX;
	assert_bad("[limits]\nnonsense\n", -1, bad, ":2: expected");
	assert_bad("depth = 3\n", -1, bad, ":1: expected");
	assert_bad("[limits\ndepth = 3\n", -1, bad, ":1: expected");
	assert_bad("[]\n", -1, bad, ":1:");
	assert_bad("[limits]\n= 3\n", -1, bad, ":2:");
	assert_bad("[limits]\ndepth = 3\0\n", 20, bad, ":2:");
}

static void test_unknown_is_a_warning(void)
{
	g_autofree char *file = scratch_file();
	g_autoptr(GPtrArray) warnings = g_ptr_array_new_with_free_func(g_free);
	put(file, "[limits]\ndeepth = 3\n[cake]\nsize = 3\n[dir:/x]\ndepth = 3\n");
	g_autoptr(Settings) s = load(file, warnings);
	g_autofree char *first = g_strdup_printf("%s:2: unknown key: deepth", file);
	g_autofree char *second = g_strdup_printf("%s:3: unknown section: cake", file);
	g_autofree char *third = g_strdup_printf("%s:6: unknown key: depth", file);
	g_assert_cmpuint(warnings->len, ==, 3);
	g_assert_cmpstr(warnings->pdata[0], ==, first);
	g_assert_cmpstr(warnings->pdata[1], ==, second);
	g_assert_cmpstr(warnings->pdata[2], ==, third);
}

/* A second list of roots would silently drop the first one. */
static void test_set_again_is_a_warning(void)
{
	g_autofree char *file = scratch_file();
	g_autoptr(GPtrArray) warnings = g_ptr_array_new_with_free_func(g_free);
	put(file, "\xef\xbb\xbf[index]\nroots = /a\nroots = +;/b\n[limits]\ndepth = 3\n[index]\n"
	          "roots = /c\n[dir:/c]\nhidden = x\n");
	g_autoptr(Settings) s = load(file, warnings);
	g_autofree char *again =
	        g_strdup_printf("%s:7: \"roots\" is set again; line 3 has no effect", file);
	g_assert_cmpuint(warnings->len, ==, 1);
	g_assert_cmpstr(warnings->pdata[0], ==, again);
	g_assert_cmpstr(settings_listed(s)[0], ==, "/c");
}

static void test_layers(void)
{
	g_autofree char *file = scratch_file();
	g_autofree char *system = g_dir_make_tmp("xdg-XXXXXX", NULL);
	g_autofree char *far = g_strconcat(system, "/far/tarsier/tarsier.conf", NULL);
	g_autofree char *near = g_strconcat(system, "/near/tarsier/tarsier.conf", NULL);
	g_autofree char *dirs = g_strdup_printf("%s/near:%s/far:relative", system, system);
	g_autofree char *a = g_strconcat(file, ".d/a.conf", NULL);
	g_autofree char *b = g_strconcat(file, ".d/b.conf", NULL);
	g_autofree char *ignored = g_strconcat(file, ".d/c.conf.old", NULL);
	put(far, "[limits]\ndepth=1\nmembers=1\nratio=11\n[daemon]\nconverters=1\n");
	put(near, "[limits]\nmembers=2\nratio=12\n[daemon]\nconverters=2\n");
	put(file, "[limits]\nratio=13\n[daemon]\nconverters=3\n");
	put(b, "[daemon]\nconverters=5\n");
	put(a, "[daemon]\nconverters=4\n");
	put(ignored, "[daemon]\nconverters=6\n");
	g_setenv("XDG_CONFIG_DIRS", dirs, TRUE);
	g_autoptr(Settings) s = load(file, NULL);
	g_unsetenv("XDG_CONFIG_DIRS");
	g_assert_cmpint(settings_int(s, "limits", "depth", NULL), ==, 1);
	g_assert_cmpint(settings_int(s, "limits", "members", NULL), ==, 2);
	g_assert_cmpint(settings_int(s, "limits", "ratio", NULL), ==, 13);
	g_assert_cmpint(settings_int(s, "daemon", "converters", NULL), ==, 5);
}

static void test_directories_override(void)
{
	g_autofree char *file = scratch_file();
	put(file,
	        "[index]\nhidden=.a\n[dir:/p]\nhidden=.b\nskip=builds\n[dir:/p/q/]\nhidden=.c;.d\n"
	        "[dir:~/h]\nhidden=.e\n");
	g_autoptr(Settings) s = load(file, NULL);
	g_autofree char *home = g_build_filename(g_get_home_dir(), "h", "x", NULL);
	g_assert_cmpstr(settings_list(s, "index", "hidden", NULL)[0], ==, ".a");
	g_assert_cmpstr(settings_list(s, "index", "hidden", "/")[0], ==, ".a");
	g_assert_cmpstr(settings_list(s, "index", "hidden", "/p")[0], ==, ".b");
	g_assert_cmpstr(settings_list(s, "index", "hidden", "/pp")[0], ==, ".a");
	g_assert_cmpstr(settings_list(s, "index", "hidden", "/p/q/r")[1], ==, ".d");
	g_assert_cmpstr(settings_list(s, "index", "hidden", home)[0], ==, ".e");
	g_assert_cmpstr(settings_list(s, "index", "skip", "/p/q/r")[0], ==, "builds");
	g_assert_cmpstr(settings_list(s, "index", "skip", NULL)[0], ==, "version-control");
	g_assert_cmpuint(g_strv_length((char **)settings_dirs(s)), ==, 3);
}

static void test_roots(void)
{
	g_autofree char *file = scratch_file();
	put(file,
	        "[index]\nroots = ~/x; /b/ ;/a;/a-b;/a/c/../d;$HOME/x/y;${HOME};/b; /zz\\;t\\s\n");
	g_autoptr(Settings) s = load(file, NULL);
	g_autofree char *roots = g_strjoinv("|", (char **)settings_roots(s));
	g_autofree char *listed = g_strjoinv("|", (char **)settings_listed(s));
	const char *home = g_get_home_dir();
	g_autofree char *expected = g_strdup_printf("/a|/a-b|/b|%s|/zz;t ", home);
	g_autofree char *all =
	        g_strdup_printf("/a|/a-b|/a/d|/b|%s|%s/x|%s/x/y|/zz;t ", home, home, home);
	g_assert_cmpstr(roots, ==, expected);
	g_assert_cmpstr(listed, ==, all);
}

static void test_files_of_others_are_refused(void)
{
	g_autofree char *file = scratch_file();
	g_autoptr(GError) error = NULL;
	put(file, "[daemon]\nunsandboxed=true\n");
	g_assert_cmpint(chmod(file, 0666), ==, 0);
	g_assert_null(settings_load(file, NULL, &error));
	g_assert_error(error, SETTINGS_ERROR, SETTINGS_ERROR_FILE);
	g_assert_cmpint(chmod(file, 0600), ==, 0);
	if (geteuid() != 0)
		return;
	g_clear_error(&error);
	g_assert_cmpint(chown(file, 4242, 4242), ==, 0);
	g_assert_null(settings_load(file, NULL, &error));
	g_assert_error(error, SETTINGS_ERROR, SETTINGS_ERROR_FILE);
}

static void test_odd_files_are_refused(void)
{
	g_autofree char *pipe = scratch_file();
	g_autofree char *huge = scratch_file();
	g_autoptr(GError) error = NULL;
	g_assert_cmpint(mkfifo(pipe, 0600), ==, 0);
	g_assert_null(settings_load(pipe, NULL, &error)); /* the call does not wait for a writer */
	g_assert_error(error, SETTINGS_ERROR, SETTINGS_ERROR_FILE);
	g_clear_error(&error);
	put(huge, "");
	g_assert_cmpint(truncate(huge, (off_t)1 << 40), ==, 0);
	g_assert_null(settings_load(huge, NULL, &error));
	g_assert_error(error, SETTINGS_ERROR, SETTINGS_ERROR_FILE);
}

static void test_set_keeps_comments_and_order(void)
{
	g_autofree char *file = scratch_file();
	put(file, "# head\n[limits]\n# why\ndepth = 3\n\n[daemon]\n#converters = 2\nverify=1d");
	g_assert_true(settings_set(file, "limits", "depth", " 4 ", NULL));
	g_assert_true(settings_set(file, "limits", "ratio", "100", NULL));
	g_assert_true(settings_set(file, "daemon", "converters", "3", NULL));
	g_assert_true(settings_set(file, "dir:/x/", "hidden", ".y", NULL));
	assert_text(file,
	        "# head\n[limits]\n# why\ndepth = 4\nratio = 100\n\n[daemon]\n#converters = 2\n"
	        "verify=1d\nconverters = 3\n\n[dir:/x]\nhidden = .y\n");
	g_assert_true(settings_set(file, "limits", "ratio", NULL, NULL));
	g_assert_true(settings_set(file, "limits", "depth", NULL, NULL));
	g_assert_true(settings_set(file, "limits", "members", NULL, NULL));
	assert_text(file, "# head\n[limits]\n# why\n\n[daemon]\n#converters = 2\n"
	                  "verify=1d\nconverters = 3\n\n[dir:/x]\nhidden = .y\n");
}

static void test_set_finds_other_spellings(void)
{
	g_autofree char *file = scratch_file();
	g_autofree char *home = g_build_filename(g_get_home_dir(), "x", NULL);
	g_autofree char *section = g_strconcat("dir:", home, NULL);
	put(file, "[dir:~/x]\nhidden=.a\n[web:HTTPS://Example.org]\npages=3\n[dir:~/x/"
	          "]\nhidden=.b\n");
	g_assert_true(settings_set(file, section, "hidden", ".c", NULL));
	g_assert_true(settings_set(file, "web:https://example.org/", "pages", "4", NULL));
	assert_text(
	        file, "[dir:~/x]\nhidden = .c\n[web:HTTPS://Example.org]\npages = 4\n[dir:~/x/]\n");
	g_assert_true(settings_set(file, "dir:~/x", "hidden", NULL, NULL));
	assert_text(file, "[dir:~/x]\n[web:HTTPS://Example.org]\npages = 4\n[dir:~/x/]\n");
}

static void test_set_merges_duplicates(void)
{
	g_autofree char *file = scratch_file();
	put(file, "[limits]\ndepth=3\n[daemon]\n[limits]\ndepth=4\n");
	g_assert_true(settings_set(file, "limits", "depth", "5", NULL));
	assert_text(file, "[limits]\ndepth = 5\n[daemon]\n[limits]\n");
}

static void test_set_refuses_what_loading_would(void)
{
	g_autofree char *file = scratch_file();
	g_autoptr(GError) error = NULL;
	g_assert_false(settings_set(file, "limits", "depth", "none", &error));
	g_assert_error(error, SETTINGS_ERROR, SETTINGS_ERROR_VALUE);
	g_clear_error(&error);
	g_assert_false(settings_set(file, "limits", "cake", "1", &error));
	g_assert_error(error, SETTINGS_ERROR, SETTINGS_ERROR_UNKNOWN);
	g_clear_error(&error);
	g_assert_false(
	        settings_set(file, "index", "exclude", "a\n[daemon]\nunsandboxed=true", &error));
	g_assert_error(error, SETTINGS_ERROR, SETTINGS_ERROR_VALUE);
	g_assert_false(g_file_test(file, G_FILE_TEST_EXISTS));
}

static void test_set_writes_privately_through_links(void)
{
	g_autofree char *file = scratch_file();
	g_autofree char *real = scratch_file();
	struct stat st;
	put(real, "# kept\n");
	g_assert_cmpint(symlink(real, file), ==, 0);
	mode_t old = umask(0);
	g_assert_true(settings_set(file, "limits", "depth", "5", NULL));
	umask(old);
	g_assert_cmpint(lstat(file, &st), ==, 0);
	g_assert_true(S_ISLNK(st.st_mode));
	g_assert_cmpint(lstat(real, &st), ==, 0);
	g_assert_cmpuint(st.st_mode & 07777, ==, 0600);
	assert_text(real, "# kept\n\n[limits]\ndepth = 5\n");
}

static void test_set_makes_a_private_directory(void)
{
	g_autofree char *base = scratch_file();
	g_autofree char *file = g_build_filename(base, "deep", "tarsier.conf", NULL);
	g_autofree char *dir = g_path_get_dirname(file);
	struct stat st;
	mode_t old = umask(0);
	g_assert_true(settings_set(file, "limits", "depth", "5", NULL));
	umask(old);
	g_assert_cmpint(lstat(dir, &st), ==, 0);
	g_assert_cmpuint(st.st_mode & 07777, ==, 0700);
}

static void test_set_tells_who_wins(void)
{
	g_autofree char *file = scratch_file();
	g_autofree char *drop_in = g_strconcat(file, ".d/a.conf", NULL);
	g_autoptr(GError) error = NULL;
	put(drop_in, "[limits]\ndepth=3\n");
	g_assert_false(settings_set(file, "limits", "depth", "5", &error));
	g_assert_error(error, SETTINGS_ERROR, SETTINGS_ERROR_FILE);
	g_assert_nonnull(strstr(error->message, "a.conf"));
}

static void test_add_and_remove_roots(void)
{
	g_autofree char *file = scratch_file();
	g_autofree char *top = g_path_get_dirname(file);
	g_autofree char *odd = g_build_filename(top, "a;b \377\\", NULL);
	g_autofree char *link = g_build_filename(top, "link", NULL);
	g_autoptr(GError) error = NULL;
	g_assert_cmpint(mkdir(odd, 0700), ==, 0);
	g_assert_cmpint(symlink(odd, link), ==, 0);
	g_assert_true(settings_add_root(file, link, NULL));
	g_assert_true(settings_add_root(file, odd, NULL));
	g_assert_true(settings_add_root(file, "/", NULL));
	g_autoptr(Settings) s = load(file, NULL);
	g_assert_cmpstr(settings_listed(s)[0], ==, "/");
	g_assert_cmpstr(settings_listed(s)[1], ==, odd);
	g_assert_null(settings_listed(s)[2]);
	g_assert_false(settings_add_root(file, "/no/such/dir", &error));
	g_assert_error(error, SETTINGS_ERROR, SETTINGS_ERROR_VALUE);
	g_clear_error(&error);
	g_assert_false(settings_remove_root(file, "/usr", &error));
	g_assert_error(error, SETTINGS_ERROR, SETTINGS_ERROR_UNKNOWN);
	g_assert_true(settings_remove_root(file, link, NULL));
	g_autoptr(Settings) after = load(file, NULL);
	g_assert_cmpstr(settings_listed(after)[0], ==, "/");
	g_assert_null(settings_listed(after)[1]);
}

static gpointer add_one_root(gpointer data)
{
	char **pair = data;
	return GINT_TO_POINTER(settings_add_root(pair[0], pair[1], NULL));
}

static void test_edits_at_once_lose_nothing(void)
{
	enum { N = 8 };
	g_autofree char *file = scratch_file();
	GThread *threads[N];
	char *pairs[N][2];
	for (int i = 0; i < N; i++) {
		pairs[i][0] = file;
		pairs[i][1] = g_dir_make_tmp("root-XXXXXX", NULL);
		threads[i] = g_thread_new("adder", add_one_root, pairs[i]);
	}
	for (int i = 0; i < N; i++) {
		g_assert_true(GPOINTER_TO_INT(g_thread_join(threads[i])));
		g_free(pairs[i][1]);
	}
	g_autoptr(Settings) s = load(file, NULL);
	g_assert_cmpuint(g_strv_length((char **)settings_roots(s)), ==, N);
}

static const SettingsSource *first_source(const Settings *s, unsigned expected)
{
	unsigned n;
	const SettingsSource *sources = settings_sources(s, &n);
	g_assert_cmpuint(n, ==, expected);
	return sources;
}

static void test_sources(void)
{
	g_autofree char *file = scratch_file();
	put(file,
	        "[web:https://b.example/docs/]\n[web]\npages=70\nexclude=*/old/*\n"
	        "[web:HTTPS://A.example:443/x/../f#top]\nkind=feed\nevery=2 h\nexclude=+;*.zip\n"
	        "about=two "
	        "words\nkeep=nothing\ncontact=me@example.org\n[web:https://a.example/f]\ndepth=3\n"
	        "[web:http://[::1]:81/]\nbytes=2 MiB\n");
	g_autoptr(Settings) s = load(file, NULL);
	const SettingsSource *sources = first_source(s, 3);
	g_assert_cmpstr(sources[0].url, ==, "http://[::1]:81/");
	g_assert_cmpint(sources[0].bytes, ==, 2 << 20);
	g_assert_cmpstr(sources[1].url, ==, "https://a.example/f");
	g_assert_true(sources[1].is_feed);
	g_assert_cmpint(sources[1].pages, ==, 70);
	g_assert_cmpint(sources[1].depth, ==, 3);
	g_assert_cmpint(sources[1].every_s, ==, 7200);
	g_assert_cmpstr(sources[1].exclude[0], ==, "*/old/*");
	g_assert_cmpstr(sources[1].exclude[1], ==, "*.zip");
	g_assert_cmpstr(sources[1].about, ==, "two words");
	g_assert_cmpstr(sources[1].keep, ==, "nothing");
	g_assert_cmpstr(sources[1].contact, ==, "me@example.org");
	g_assert_cmpstr(sources[2].url, ==, "https://b.example/docs/");
	g_assert_false(sources[2].is_feed);
	g_assert_null(sources[2].about);
	g_assert_null(sources[2].contact);
	g_assert_null(sources[2].include[0]);
	g_assert_cmpstr(sources[2].keep, ==, "page");
	g_assert_true(settings_source(s, "https://a.example/f") == &sources[1]);
	g_assert_null(settings_source(s, "https://a.example/"));
}

static void test_bad_sources_name_line(void)
{
	const int bad = SETTINGS_ERROR_VALUE;
	assert_bad("[web:ftp://a.example/]\n", -1, bad, ":1: \"ftp://a.example/\" is not the URL");
	assert_bad("[web:a.example]\npages = 3\n", -1, bad, "begin with http:// or https://");
	assert_bad("[web:/etc]\n", -1, bad, ":1:");
	assert_bad("[web:http:////]\n", -1, bad, ":1:");
	assert_bad("[web:http://a b/]\n", -1, bad, ":1:");
	assert_bad("[web:http://a/\377\n", -1, SETTINGS_ERROR_SYNTAX, ":1:");
	assert_bad("[web:http://a/]\npages = 0\n", -1, bad, ":2: web.pages");
	assert_bad("[web:http://a/]\nevery = 59 min\n", -1, bad, "a time from 1 h to 366 d");
	assert_bad("[web:http://a/]\nkind = cake\n", -1, bad, "site feed");
	assert_bad("[web:http://a/]\ninclude = ok;[a\n", -1, bad, "patterns");
	assert_bad("[web]\nexclude = \377\n", -1, bad, ":2: web.exclude");
}

static void test_add_and_remove_sources(void)
{
	g_autofree char *file = scratch_file();
	g_autoptr(GError) error = NULL;
	const char *const patterns[] = {"*;a*", "*/b/*", NULL};
	put(file, "# mine\n[web]\npages = 9\n");
	g_autoptr(Settings) none = load(file, NULL);
	SettingsSource site = settings_source_preset(none, "https://a.example/docs/");
	SettingsSource feed = settings_source_preset(none, "http://[::1]:81/feed?x=a%5Db");
	site.include = patterns;
	site.every_s = 2 * 86400;
	feed.is_feed = true;
	feed.about = " edges ";
	SettingsSource both[] = {site, feed};
	g_assert_true(settings_add_sources(file, both, 2, &error));
	g_assert_no_error(error);
	assert_text(file, "# mine\n[web]\npages = 9\n\n[web:https://a.example/docs/]\nkind = site\n"
	                  "every = 2 d\ninclude = *\\;a*;*/b/*\n\n"
	                  "[web:http://[::1]:81/feed?x=a%5Db]\nkind = feed\nabout = \\sedges\\s\n");
	g_autoptr(Settings) s = load(file, NULL);
	const SettingsSource *sources = first_source(s, 2);
	g_assert_cmpstr(sources[0].about, ==, " edges ");
	g_assert_cmpstr(sources[1].include[0], ==, "*;a*");
	SettingsSource changed = sources[1];
	changed.include = sources[1].exclude;
	changed.pages = 10;
	g_assert_true(settings_add_sources(file, &changed, 1, &error));
	g_assert_true(settings_remove_source(file, "http://[::1]:81/feed?x=a%5Db", &error));
	assert_text(file, "# mine\n[web]\npages = 9\n\n[web:https://a.example/docs/]\nkind = site\n"
	                  "every = 2 d\npages = 10\n");
	g_assert_false(settings_remove_source(file, "http://[::1]:81/feed?x=a%5Db", &error));
	g_assert_error(error, SETTINGS_ERROR, SETTINGS_ERROR_UNKNOWN);
	g_clear_error(&error);
	changed.url = "https://a.example/docs/";
	changed.keep = "cake";
	g_assert_false(settings_add_sources(file, &changed, 1, &error));
	g_assert_error(error, SETTINGS_ERROR, SETTINGS_ERROR_VALUE);
	g_clear_error(&error);
	changed.keep = "page";
	changed.contact = "me@example.org\r\nCookie: x";
	g_assert_false(settings_add_sources(file, &changed, 1, &error));
	g_assert_error(error, SETTINGS_ERROR, SETTINGS_ERROR_VALUE);
	g_assert_true(settings_remove_source(file, "https://a.example/docs/", NULL));
	assert_text(file, "# mine\n[web]\npages = 9\n");
}

static void test_sources_of_other_files_are_not_removed(void)
{
	g_autofree char *file = scratch_file();
	g_autofree char *drop_in = g_strconcat(file, ".d/a.conf", NULL);
	g_autoptr(GError) error = NULL;
	put(file, "[web:http://a.example/]\n");
	put(drop_in, "[web:http://A.example]\npages=5\n");
	g_assert_false(settings_remove_source(file, "http://a.example/", &error));
	g_assert_error(error, SETTINGS_ERROR, SETTINGS_ERROR_FILE);
	g_assert_nonnull(strstr(error->message, "a.conf"));
	assert_text(file, "[web:http://a.example/]\n");
}

static void test_escapes_come_back(void)
{
	const char *const items[] = {"a", " a b ", "x;y", "\\", "\\;", "\t\n\r", "\377", NULL};
	g_autoptr(GString) value = g_string_new(NULL);
	for (size_t i = 0; items[i]; i++) {
		g_autofree char *escaped = conffile_escape(items[i]);
		g_string_append_printf(value, "%s;", escaped);
	}
	g_auto(GStrv) back = conffile_unescape_list(value->str, NULL);
	g_assert_true(g_strv_equal((const char *const *)back, items));
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_setenv("TMPDIR", g_get_home_dir(), TRUE);
	g_test_add_func("/common/settings/presets-apply-without-a-file", test_presets);
	g_test_add_func("/common/settings/table-is-sound", test_table_is_sound);
	g_test_add_func("/common/settings/values-tell-their-origin", test_values_and_their_origin);
	g_test_add_func("/common/settings/bad-values-name-line-and-range",
	        test_bad_values_name_line_and_range);
	g_test_add_func("/common/settings/bad-syntax-names-line", test_bad_syntax_names_line);
	g_test_add_func("/common/settings/an-unknown-key-is-a-warning", test_unknown_is_a_warning);
	g_test_add_func("/common/settings/a-key-that-is-set-again-is-a-warning",
	        test_set_again_is_a_warning);
	g_test_add_func("/common/settings/later-files-override-earlier-ones", test_layers);
	g_test_add_func("/common/settings/directories-have-settings-of-their-own",
	        test_directories_override);
	g_test_add_func("/common/settings/files-that-others-own-or-can-write-are-refused",
	        test_files_of_others_are_refused);
	g_test_add_func(
	        "/common/settings/fifos-and-large-files-are-refused", test_odd_files_are_refused);
	g_test_add_func(
	        "/common/settings/set-keeps-comments-and-order", test_set_keeps_comments_and_order);
	g_test_add_func("/common/settings/set-merges-duplicates", test_set_merges_duplicates);
	g_test_add_func(
	        "/common/settings/set-finds-other-spellings", test_set_finds_other_spellings);
	g_test_add_func("/common/settings/set-refuses-what-loading-would",
	        test_set_refuses_what_loading_would);
	g_test_add_func("/common/settings/set-writes-privately-through-links",
	        test_set_writes_privately_through_links);
	g_test_add_func("/common/settings/set-makes-a-private-directory",
	        test_set_makes_a_private_directory);
	g_test_add_func(
	        "/common/settings/set-names-the-file-that-overrides-it", test_set_tells_who_wins);
	g_test_add_func("/common/settings/roots-are-added-and-removed", test_add_and_remove_roots);
	g_test_add_func(
	        "/common/settings/edits-at-once-lose-nothing", test_edits_at_once_lose_nothing);
	g_test_add_func("/common/settings/sources-have-settings-of-their-own", test_sources);
	g_test_add_func("/common/settings/bad-sources-name-their-line", test_bad_sources_name_line);
	g_test_add_func(
	        "/common/settings/sources-are-added-and-removed", test_add_and_remove_sources);
	g_test_add_func("/common/settings/sources-of-other-files-are-not-removed",
	        test_sources_of_other_files_are_not_removed);
	g_test_add_func("/common/settings/escapes-are-read-as-written", test_escapes_come_back);
	g_test_add_func("/common/settings/roots-are-expanded-and-checked", test_roots);
	return g_test_run();
}
