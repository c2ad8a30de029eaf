/* SPDX-License-Identifier: GPL-3.0-or-later */
/* settings-edit-source.c - adds sources to the user's file, and removes them */
#include <config.h>
#include "common/base/autofd.h"
#include "common/base/i18n.h"
#include "common/settings/settings-edit.h"
#include "common/settings/settings-value.h"
#include <string.h>

/* Reads a file and its lines. text_r is empty if the file does not exist. NULL with error. */
static GArray *source_lines(const char *file, GString **text_r, GError **error)
{
	GString *read = NULL;
	if (!conffile_read(file, &read, error))
		return NULL;
	*text_r = read ? read : g_string_new(NULL);
	return conffile_parse(file, (*text_r)->str, (*text_r)->len, error);
}

/* Does the line belong to a section of this source? */
static bool line_is_of_source(const ConfLine *line, const char *url)
{
	if (!line->section || !g_str_has_prefix(line->section, "web:"))
		return false;
	g_autofree char *here = settings_source_url(line->section + strlen("web:"), NULL);
	return here && strcmp(here, url) == 0;
}

/* The name of the source's section in these lines, as it is written; NULL if there is none. */
static const char *section_of_source(const GArray *lines, const char *url)
{
	for (guint i = 0; i < lines->len; i++) {
		const ConfLine *line = &g_array_index(lines, ConfLine, i);
		if (line->kind == CONF_SECTION && line_is_of_source(line, url))
			return line->section;
	}
	return NULL;
}

static char *patterns_text(const char *const *patterns)
{
	GString *text = g_string_new(NULL);
	for (size_t i = 0; patterns && patterns[i]; i++) {
		g_autofree char *item = conffile_escape(patterns[i]);
		g_string_append_printf(text, "%s%s", i ? ";" : "", item);
	}
	return g_string_free(text, FALSE);
}

/* The value of a key of "web", in the syntax of the file. The caller frees it. */
static char *source_value(const SettingsSource *source, const SettingKey *key)
{
	const struct {
		const char *name;
		int64_t number;
	} numbers[] = {{"pages", source->pages}, {"depth", source->depth}, {"bytes", source->bytes},
	        {"every", source->every_s}};
	for (size_t i = 0; i < G_N_ELEMENTS(numbers); i++)
		if (strcmp(key->name, numbers[i].name) == 0)
			return setting_value_format(key->type, numbers[i].number);
	if (strcmp(key->name, "include") == 0)
		return patterns_text(source->include);
	if (strcmp(key->name, "exclude") == 0)
		return patterns_text(source->exclude);
	if (strcmp(key->name, "about") == 0)
		return conffile_escape(source->about ? source->about : "");
	if (strcmp(key->name, "contact") == 0)
		return conffile_escape(source->contact ? source->contact : "");
	if (strcmp(key->name, "full") == 0)
		return g_strdup(source->full ? "true" : "false");
	if (strcmp(key->name, "keep") == 0)
		return conffile_escape(source->keep);
	if (strcmp(key->name, "partition") == 0)
		return conffile_escape(source->partition);
	g_assert(strcmp(key->name, "kind") == 0);
	return g_strdup(source->is_feed ? "feed" : "site");
}

/* The value of the key that the file must have: NULL if "web" has the same. The caller frees it. */
static char *needed_value(
        const SettingsSource *preset, const SettingsSource *source, const SettingKey *key)
{
	g_autofree char *value = source_value(source, key);
	g_autofree char *general = source_value(preset, key);
	bool needed = strcmp(key->name, "kind") == 0 || strcmp(value, general) != 0;
	return needed ? g_steal_pointer(&value) : NULL;
}

static bool is_same_source(const SettingsSource *a, const SettingsSource *b)
{
	bool same = true;
	for (const SettingKey *key = setting_keys; key->section && same; key++) {
		if (strcmp(key->section, "web") != 0)
			continue;
		g_autofree char *first = source_value(a, key);
		g_autofree char *second = source_value(b, key);
		same = strcmp(first, second) == 0;
	}
	return same;
}

/* Sets one key of a section that is there. */
static bool edit_source_key(const char *file, GString **text, const char *section,
        const SettingKey *key, const char *value, GError **error)
{
	g_autoptr(GArray) lines = conffile_parse(file, (*text)->str, (*text)->len, error);
	if (!lines)
		return false;
	GString *edited = settings_edited(*text, lines, section, key->name, value);
	g_string_free(*text, TRUE);
	*text = edited;
	return true;
}

static void append_source_section(GString *text, const char *section)
{
	g_autofree char *shown = conffile_escape(section);
	if (text->len > 0 && text->str[text->len - 1] != '\n')
		g_string_append_c(text, '\n');
	g_string_append_printf(text, "%s[%s]\n", text->len ? "\n" : "", shown);
}

/* Writes the keys of one source into the text. section: as it is written, NULL: not there yet. */
static bool write_source(const char *user_file, GString **text, const SettingsSource *preset,
        const SettingsSource *source, const char *section, GError **error)
{
	g_autofree char *name =
	        section ? g_strdup(section) : g_strconcat("web:", source->url, NULL);
	if (!section)
		append_source_section(*text, name);
	for (const SettingKey *key = setting_keys; key->section; key++) {
		if (strcmp(key->section, "web") != 0)
			continue;
		g_autofree char *value = needed_value(preset, source, key);
		if (!settings_check_value(name, key->name, value, error) ||
		        (section &&
		                !settings_check_not_overridden(user_file, name, key->name, error)))
			return false;
		if (!section && value)
			g_string_append_printf(*text, "%s = %s\n", key->name, value);
		else if (section && !edit_source_key(user_file, text, name, key, value, error))
			return false;
	}
	return true;
}

bool settings_add_sources(
        const char *user_file, const SettingsSource *sources, unsigned n, GError **error)
{
	g_autofree char *file = settings_real_file(user_file);
	autofd lock = settings_lock_dir(file, error);
	g_autoptr(Settings) settings = lock >= 0 ? settings_load(user_file, NULL, error) : NULL;
	g_autoptr(GString) text = NULL;
	g_autoptr(GArray) lines = settings ? source_lines(file, &text, error) : NULL;
	if (!lines)
		return false;
	SettingsSource preset = settings_source_preset(settings, NULL);
	gsize before = text->len;
	g_autofree char *old = g_strndup(text->str, text->len);
	for (unsigned i = 0; i < n; i++) {
		g_autofree char *url = settings_source_url(sources[i].url, error);
		const SettingsSource *known = url ? settings_source(settings, url) : NULL;
		if (!url)
			return false;
		SettingsSource source = sources[i];
		source.url = url;
		if (known && is_same_source(known, &source))
			continue;
		if (!write_source(user_file, &text, &preset, &source, section_of_source(lines, url),
		            error))
			return false;
	}
	bool same = text->len == before && memcmp(text->str, old, before) == 0;
	return same || settings_write_file(file, text, error);
}

/* The text without the sections of the source; their comments stay. */
static GString *text_without_source(const GString *text, const GArray *lines, const char *url)
{
	GString *out = g_string_new(NULL);
	for (guint i = 0; i < lines->len; i++) {
		const ConfLine *line = &g_array_index(lines, ConfLine, i);
		if (line->kind == CONF_NOTHING || !line_is_of_source(line, url))
			g_string_append_len(out, text->str + line->offset, line->length);
		else if (line->kind == CONF_SECTION && g_str_has_suffix(out->str, "\n\n"))
			g_string_truncate(out, out->len - 1);
	}
	return out;
}

/* Fails if a drop-in or a file of the system names the source. */
static bool check_source_is_own(const char *user_file, const char *url, GError **error)
{
	const char *why = _("the system's configuration lists it");
	g_autoptr(GPtrArray) files = settings_drop_ins(user_file, error);
	g_autoptr(Settings) system = files ? settings_load_system(error) : NULL;
	if (!system)
		return false;
	if (settings_source(system, url))
		return settings_fail(error, SETTINGS_ERROR_FILE, url, why);
	for (guint i = 0; i < files->len; i++) {
		const char *file = g_ptr_array_index(files, i);
		g_autoptr(GString) text = NULL;
		g_autoptr(GArray) lines = source_lines(file, &text, error);
		if (!lines)
			return false;
		if (section_of_source(lines, url))
			return settings_fail(error, SETTINGS_ERROR_FILE, file,
			        _("this file lists the source; remove it there"));
	}
	return true;
}

bool settings_remove_source(const char *user_file, const char *url, GError **error)
{
	g_autofree char *file = settings_real_file(user_file);
	autofd lock = settings_lock_dir(file, error);
	g_autoptr(Settings) settings = lock >= 0 ? settings_load(user_file, NULL, error) : NULL;
	g_autoptr(GString) text = NULL;
	if (!settings)
		return false;
	if (!settings_source(settings, url))
		return settings_fail(
		        error, SETTINGS_ERROR_UNKNOWN, url, _("not a site or feed that was added"));
	g_autoptr(GArray) lines = source_lines(file, &text, error);
	if (!lines || !check_source_is_own(user_file, url, error))
		return false;
	g_autoptr(GString) out = text_without_source(text, lines, url);
	return settings_write_file(file, out, error);
}
