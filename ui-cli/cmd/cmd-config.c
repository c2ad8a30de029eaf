/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/cmd/commands.h"
#include "ui-cli/app/nearest-name.h"
#include "ui-cli/print/json-writer.h"
#include "common/base/i18n.h"
#include "common/base/text.h"
#include <string.h>

/* Splits "limits.file_size" or "dir:/home/u/x.d.hidden" at the last dot. */
static bool split_key(const char *key, char **section_r, char **name_r)
{
	const char *dot = strrchr(key, '.');
	if (!dot || dot == key || !dot[1]) {
		cli_say(_("\"%s\" is not a key; \"tarsier config list\" shows all keys"), key);
		return false;
	}
	*section_r = g_strndup(key, dot - key);
	*name_r = g_strdup(dot + 1);
	return true;
}

/* The key that a misspelt one stands for, or NULL. The caller frees it. */
static char *nearest_key(const char *typed)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
	for (const SettingKey *key = setting_keys; key->section; key++)
		g_ptr_array_add(names, g_strconcat(key->section, ".", key->name, NULL));
	int best = nearest_name(
	        typed, (const char *const *)names->pdata, names->len, nearest_name_limit(typed));
	return best < 0 ? NULL : g_strdup(names->pdata[best]);
}

/* full: as the user typed it. Says so if there is no such key, and returns NULL. */
static const SettingKey *known_key(const char *section, const char *name, const char *full)
{
	const SettingKey *key = settings_find_key(section, name);
	g_autofree char *nearest = key ? NULL : nearest_key(full);
	if (nearest)
		cli_say(_("there is no key \"%s\"; did you mean \"%s\"?"), full, nearest);
	else if (!key)
		cli_say(_("there is no key \"%s\"; \"tarsier config list\" shows all keys"), full);
	return key;
}

/* Values are UTF-8 or paths: escaped on a terminal, unchanged for programs. */
static void cmd_config_append_value(const Cli *cli, GString *out, const char *value)
{
	if (cli->out.terminal)
		text_append_escaped(out, value, -1);
	else
		g_string_append(out, value);
}

/* How the sections for one place begin that may hold this key. */
static const char *kind_of_place(const SettingKey *key)
{
	if (strcmp(key->section, "export") == 0)
		return SETTINGS_EXPORT;
	return key->per_dir ? "dir:" : "web:";
}

/* place: the directory of a "dir:" section, the URL of a "web:" section, the name of an export, or
 * NULL. */
static void print_setting(const Cli *cli, GString *out, const Settings *settings,
        const SettingKey *key, const char *place)
{
	g_autofree char *value = NULL;
	g_autofree char *origin = settings_origin(settings, key->section, key->name, place, &value);
	const char *kind = place ? kind_of_place(key) : key->section;
	g_autofree char *name = g_strconcat(kind, place ? place : "", ".", key->name, NULL);

	if (cli->json) {
		json_open(out, NULL, '{');
		json_bytes(out, "key", name);
		json_bytes(out, "value", value);
		json_bytes(out, "origin", origin);
		json_close(out, '}');
	} else {
		cmd_config_append_value(cli, out, name);
		g_string_append_c(out, '=');
		cmd_config_append_value(cli, out, value);
		if (options_has(cli->args, "origin")) {
			g_string_append(out, "\t# ");
			cmd_config_append_value(cli, out, origin);
		}
	}
	g_string_append_c(out, '\n');
}

/* Does the section of a place set the key, or does the general value apply? */
static bool is_set_for(const Settings *settings, const SettingKey *key, const char *place)
{
	g_autofree char *here = settings_origin(settings, key->section, key->name, place, NULL);
	g_autofree char *everywhere =
	        settings_origin(settings, key->section, key->name, NULL, NULL);
	return strcmp(here, everywhere) != 0;
}

/* The keys that the section of a place sets. */
static void print_section(const Cli *cli, GString *out, const Settings *settings, const char *place)
{
	for (const SettingKey *key = setting_keys; key->section; key++)
		if (is_set_for(settings, key, place))
			print_setting(cli, out, settings, key, place);
}

static int cmd_config_list(Cli *cli, const Settings *settings)
{
	g_autoptr(GString) out = g_string_new(NULL);
	unsigned n;

	for (const SettingKey *key = setting_keys; key->section; key++)
		print_setting(cli, out, settings, key, NULL);
	for (const char *const *dir = settings_dirs(settings); *dir; dir++)
		print_section(cli, out, settings, *dir);
	const SettingsSource *sources = settings_sources(settings, &n);
	for (unsigned i = 0; i < n; i++)
		print_section(cli, out, settings, sources[i].url);
	for (const char *const *name = settings_exports(settings); *name; name++)
		print_section(cli, out, settings, *name);
	if (!cli->quiet)
		screen_put(&cli->out, out);
	return EXIT_OK;
}

static int cmd_config_get(Cli *cli, const Settings *settings, const char *name_of_key)
{
	g_autofree char *typed = NULL, *name = NULL, *value = NULL, *origin = NULL;
	g_autoptr(GString) out = g_string_new(NULL);
	g_autoptr(GError) error = NULL;
	const SettingKey *key;
	const char *place = NULL;

	if (!split_key(name_of_key, &typed, &name))
		return EXIT_USAGE;
	key = known_key(typed, name, name_of_key);
	if (!key)
		return EXIT_USAGE;
	g_autofree char *section = settings_canonical_section(typed, &error);
	if (!section)
		return cli_fail(error);
	if (g_str_has_prefix(section, "dir:"))
		place = section + strlen("dir:");
	else if (g_str_has_prefix(section, "web:"))
		place = section + strlen("web:");
	else if (g_str_has_prefix(section, SETTINGS_EXPORT))
		place = section + strlen(SETTINGS_EXPORT);
	if (cli->json) {
		print_setting(cli, out, settings, key, place);
	} else {
		origin = settings_origin(settings, key->section, name, place, &value);
		cmd_config_append_value(cli, out, value);
		g_string_append_c(out, '\n');
	}
	if (!cli->quiet)
		screen_put(&cli->out, out);
	return EXIT_OK;
}

static int cmd_config_set(Cli *cli, const char *key, const char *value)
{
	g_autofree char *section = NULL, *name = NULL;
	g_autoptr(GError) error = NULL;

	if (!split_key(key, &section, &name) || !known_key(section, name, key))
		return EXIT_USAGE;
	if (!settings_set(cli->config_file, section, name, value, &error) ||
	        !cli_reload_daemon(cli, &error))
		return cli_fail(error);
	return EXIT_OK;
}

static int cmd_config_check(Cli *cli)
{
	g_autoptr(GPtrArray) warnings = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GPtrArray) faults = g_ptr_array_new_with_free_func(g_free);

	settings_free(settings_check(cli->config_file, warnings, faults));
	for (guint i = 0; i < warnings->len; i++)
		cli_note(cli, "%s", (const char *)warnings->pdata[i]);
	for (guint i = 0; i < faults->len; i++)
		cli_say("%s", (const char *)faults->pdata[i]);
	if (warnings->len + faults->len == 0)
		cli_note(cli, _("%s: no errors"), cli->config_file);
	return faults->len > 0 ? EXIT_USAGE : EXIT_OK;
}

static int cmd_config_path(Cli *cli)
{
	g_autoptr(GString) out = g_string_new(NULL);

	if (cli->json) {
		json_open(out, NULL, '{');
		json_path(out, cli->config_file);
		json_close(out, '}');
	} else {
		cmd_config_append_value(cli, out, cli->config_file);
	}
	g_string_append_c(out, '\n');
	if (!cli->quiet)
		screen_put(&cli->out, out);
	return EXIT_OK;
}

int cmd_config(Cli *cli)
{
	const char *what = cli_word(cli, 0) ? cli_word(cli, 0) : "list";
	unsigned n = cli_n_words(cli);
	g_autoptr(GError) error = NULL;

	if (strcmp(what, "path") == 0 && n == 1)
		return cmd_config_path(cli);
	if (strcmp(what, "check") == 0 && n == 1)
		return cmd_config_check(cli);
	if (strcmp(what, "set") == 0 && (n == 2 || n == 3))
		return cmd_config_set(cli, cli_word(cli, 1), cli_word(cli, 2));
	bool is_list = strcmp(what, "list") == 0 && n <= 1;
	if (!is_list && !(strcmp(what, "get") == 0 && n == 2)) {
		cli_say(_("use config with one of: get KEY, set KEY [VALUE], list, check, path"));
		return EXIT_USAGE;
	}
	const Settings *settings = cli_settings(cli, &error);
	if (!settings)
		return cli_fail(error);
	return is_list ? cmd_config_list(cli, settings)
	               : cmd_config_get(cli, settings, cli_word(cli, 1));
}
