/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares the table of keys with the file of defaults and the man page. */
#include <config.h>
#include "common/settings/settings.h"
#include <string.h>

static char *source_text(const char *name)
{
	const char *top = g_getenv("abs_top_srcdir");
	g_autofree char *file = g_build_filename(top ? top : ".", name, NULL);
	char *text = NULL;
	g_autoptr(GError) error = NULL;
	g_file_get_contents(file, &text, NULL, &error);
	g_assert_no_error(error);
	return text;
}

/* Turns a line "#name = value" into one without "#", but not a sentence. */
static char *uncomment(const char *text)
{
	g_autoptr(GRegex) entry = g_regex_new("^#(?=[a-z-]+ =)", G_REGEX_MULTILINE, 0, NULL);
	return g_regex_replace_literal(entry, text, -1, 0, "", 0, NULL);
}

static Settings *load_text(const char *text, GPtrArray *warnings)
{
	g_autofree char *dir = g_dir_make_tmp("docs-XXXXXX", NULL);
	g_autofree char *file = g_build_filename(dir, "tarsier.conf", NULL);
	g_autoptr(GError) error = NULL;
	g_assert_true(g_file_set_contents(file, text, -1, NULL));
	Settings *s = settings_load(file, warnings, &error);
	g_assert_no_error(error);
	return s;
}

static void test_defaults_file_sets_nothing(void)
{
	g_autofree char *text = source_text("data/tarsier.conf");
	g_autoptr(GPtrArray) warnings = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(Settings) s = load_text(text, warnings);
	g_assert_cmpuint(warnings->len, ==, 0);
	for (const SettingKey *key = setting_keys; key->section; key++) {
		g_autofree char *origin = settings_origin(s, key->section, key->name, NULL, NULL);
		g_assert_cmpstr(origin, ==, "built in");
	}
}

static void test_defaults_file_shows_every_preset(void)
{
	g_autofree char *text = source_text("data/tarsier.conf");
	g_autofree char *bare = uncomment(text);
	g_autoptr(GPtrArray) warnings = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(Settings) s = load_text(bare, warnings);
	g_assert_cmpuint(warnings->len, ==, 0);
	for (const SettingKey *key = setting_keys; key->section; key++) {
		g_autofree char *value = NULL;
		g_autofree char *origin = settings_origin(s, key->section, key->name, NULL, &value);
		g_assert_cmpstr(origin, !=, "built in");
		g_assert_cmpstr(value, ==, key->preset);
	}
}

/* Returns the list of keys that the man page has for one section. */
static char *page_section(const char *page, const char *section)
{
	g_autofree char *head = g_strdup_printf(".Ss Section [%s]\n", section);
	const char *start = strstr(page, head);
	g_assert_nonnull(start);
	start += strlen(head);
	const char *end = strstr(start, "\n.El\n");
	g_assert_nonnull(end);
	return g_strndup(start, end - start);
}

static void test_man_page_has_every_key(void)
{
	g_autofree char *page = source_text("docs/man/tarsier.conf.5");
	unsigned keys = 0, items = 0;
	for (const SettingKey *key = setting_keys; key->section; key++, keys++) {
		g_autofree char *part = page_section(page, key->section);
		g_autofree char *item = g_strdup_printf("\n.It Cm %s No (", key->name);
		g_autofree char *preset = *key->preset
		                                  ? g_strdup_printf("default: Li %s )", key->preset)
		                                  : g_strdup("default: empty)");
		const char *at = strstr(part, item);
		if (!at || !g_strstr_len(at, strcspn(at + 1, "\n") + 1, preset))
			g_error("the man page lacks %s.%s or its preset", key->section, key->name);
	}
	for (const char *at = page; (at = strstr(at, "\n.It Cm ")); at++)
		items++;
	g_assert_cmpuint(items, ==, keys);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_setenv("TMPDIR", g_get_home_dir(), TRUE);
	g_test_add_func("/common/settings-docs/defaults-file-sets-nothing",
	        test_defaults_file_sets_nothing);
	g_test_add_func("/common/settings-docs/defaults-file-shows-every-preset",
	        test_defaults_file_shows_every_preset);
	g_test_add_func(
	        "/common/settings-docs/man-page-has-every-key", test_man_page_has_every_key);
	return g_test_run();
}
