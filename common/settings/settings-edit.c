/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/base/autofd.h"
#include "common/settings/conffile.h"
#include "common/base/i18n.h"
#include "common/base/paths.h"
#include "common/settings/settings-edit.h"
#include "common/settings/settings-value.h"
#include "common/settings/settings.h"
#include "common/base/text.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>

bool settings_fail(GError **error, SettingsError code, const char *what, const char *why)
{
	g_autofree char *shown = text_to_utf8(what, -1);
	g_set_error(error, SETTINGS_ERROR, code, "%s: %s", shown, why);
	return false;
}

char *settings_real_file(const char *user_file)
{
	g_autofree char *absolute = paths_absolute(user_file);
	char *resolved = realpath(absolute, NULL);
	if (!resolved)
		return g_steal_pointer(&absolute);
	char *file = g_strdup(resolved);
	free(resolved);
	return file;
}

int settings_lock_dir(const char *file, GError **error)
{
	g_autofree char *dir = g_path_get_dirname(file);
	if (!g_file_test(dir, G_FILE_TEST_EXISTS) && !paths_make_private_dir(dir, error))
		return -1;
	autofd fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0 || flock(fd, LOCK_EX) != 0) {
		settings_fail(error, SETTINGS_ERROR_FILE, dir, g_strerror(errno));
		return -1;
	}
	return autofd_steal(&fd);
}

char *settings_canonical_section(const char *section, GError **error)
{
	if (g_str_has_prefix(section, "web:")) {
		g_autofree char *url = settings_source_url(section + strlen("web:"), error);
		return url ? g_strconcat("web:", url, NULL) : NULL;
	}
	if (!g_str_has_prefix(section, "dir:"))
		return g_strdup(section);
	g_autofree char *path = paths_expand(section + strlen("dir:"));
	if (path)
		return g_strconcat("dir:", path, NULL);
	settings_fail(error, SETTINGS_ERROR_VALUE, section,
	        _("the path after \"dir:\" must begin with / or ~/"));
	return NULL;
}

/* Two names may mean one section: [dir:~/x] and [dir:/home/u/x]. */
static bool is_in_section(const ConfLine *line, const char *section)
{
	if (strcmp(line->section, section) == 0)
		return true;
	g_autofree char *one = settings_canonical_section(line->section, NULL);
	g_autofree char *other = one ? settings_canonical_section(section, NULL) : NULL;
	return other && strcmp(one, other) == 0;
}

static bool settings_is_entry(const ConfLine *line, const char *section, const char *name)
{
	return line->kind == CONF_ENTRY && strcmp(line->name, name) == 0 &&
	       is_in_section(line, section);
}

static bool adds_items(const ConfLine *line)
{
	const SettingKey *key = settings_find_key(line->section, line->name);
	return key && setting_value_added(key, line->value);
}

bool settings_check_not_overridden(
        const char *user_file, const char *section, const char *name, GError **error)
{
	g_autoptr(GPtrArray) files = settings_drop_ins(user_file, error);
	for (guint i = 0; files && i < files->len; i++) {
		const char *file = g_ptr_array_index(files, i);
		GString *read = NULL;
		if (!conffile_read(file, &read, error))
			return false;
		g_autoptr(GString) text = read ? read : g_string_new(NULL);
		g_autoptr(GArray) lines = conffile_parse(file, text->str, text->len, error);
		if (!lines)
			return false;
		for (guint k = 0; k < lines->len; k++) {
			const ConfLine *line = &g_array_index(lines, ConfLine, k);
			if (settings_is_entry(line, section, name) && !adds_items(line))
				return settings_fail(error, SETTINGS_ERROR_FILE, file,
				        _("this file sets the key and takes precedence; change it "
				          "there"));
		}
	}
	return files != NULL;
}

/* Index of the last entry of the section, or of its header; -1 if there is no such section. */
static int end_of_section(const GArray *lines, const char *section)
{
	int last = -1;
	for (guint i = 0; i < lines->len; i++) {
		const ConfLine *line = &g_array_index(lines, ConfLine, i);
		if (line->kind != CONF_NOTHING && is_in_section(line, section))
			last = i;
	}
	return last;
}

static void append_line(GString *out, const char *line)
{
	if (out->len > 0 && out->str[out->len - 1] != '\n')
		g_string_append_c(out, '\n');
	g_string_append(out, line);
}

/* Has the section nothing but its header without this entry? The header of a site, an export or a
 * directory says something by itself. */
static bool settings_leaves_empty(
        const GString *text, const GArray *lines, const char *section, const char *name)
{
	bool had = false;
	if (strpbrk(section, ": "))
		return false;
	for (guint i = 0; i < lines->len; i++) {
		const ConfLine *line = &g_array_index(lines, ConfLine, i);
		if (line->kind == CONF_SECTION || !line->section || !is_in_section(line, section))
			continue;
		bool same = settings_is_entry(line, section, name);
		const char *bytes = text->str + line->offset;
		if (!same && strspn(bytes, " \t\r\n") < line->length)
			return false;
		had |= same;
	}
	return had;
}

GString *settings_edited(const GString *text, const GArray *lines, const char *section,
        const char *name, const char *value)
{
	GString *out = g_string_new(NULL);
	g_autofree char *entry = value ? g_strdup_printf("%s = %s\n", name, value) : g_strdup("");
	int end = end_of_section(lines, section);
	bool written = false;
	bool empty = !value && settings_leaves_empty(text, lines, section, name);
	for (guint i = 0; i < lines->len; i++) {
		const ConfLine *line = &g_array_index(lines, ConfLine, i);
		bool same = settings_is_entry(line, section, name);
		bool header = line->kind == CONF_SECTION && is_in_section(line, section);
		if (!same && !(empty && header))
			g_string_append_len(out, text->str + line->offset, line->length);
		if (!written && (same || (int)i == end)) {
			append_line(out, entry);
			written = true;
		}
	}
	if (empty && g_str_has_suffix(out->str, "\n\n"))
		g_string_truncate(out, out->len - 1);
	if (!written && value) {
		g_autofree char *shown = conffile_escape(section);
		g_autofree char *head = g_strdup_printf("%s[%s]\n", out->len ? "\n" : "", shown);
		append_line(out, head);
		append_line(out, entry);
	}
	return out;
}

bool settings_write_file(const char *file, const GString *text, GError **error)
{
	g_autoptr(GError) local = NULL;
	if (text->len > CONFFILE_MAX_BYTES)
		return settings_fail(error, SETTINGS_ERROR_FILE, file, _("the file is too large"));
	if (paths_write_private(file, text->str, text->len,
	            G_FILE_SET_CONTENTS_CONSISTENT | G_FILE_SET_CONTENTS_DURABLE, &local))
		return true;
	return settings_fail(error, SETTINGS_ERROR_FILE, file, local->message);
}

/* Writes the edited file. The caller holds the lock and has checked the value. */
static bool settings_edit(
        const char *file, const char *section, const char *name, const char *value, GError **error)
{
	GString *read = NULL;
	if (!conffile_read(file, &read, error))
		return false;
	g_autoptr(GString) text = read ? read : g_string_new(NULL);
	g_autoptr(GArray) lines = conffile_parse(file, text->str, text->len, error);
	if (!lines)
		return false;
	g_autoptr(GString) out = settings_edited(text, lines, section, name, value);
	return g_string_equal(out, text) || settings_write_file(file, out, error);
}

/* The loader would refuse the whole file. */
static bool settings_check_roots(const char *value, GError **error)
{
	g_auto(GStrv) items = conffile_unescape_list(value, error);
	for (char **item = items; item && *item; item++) {
		g_autofree char *path = paths_expand(*item);
		g_autofree char *shown = path ? NULL : text_to_utf8(*item, -1);
		if (path)
			continue;
		g_set_error(error, SETTINGS_ERROR, SETTINGS_ERROR_VALUE,
		        _("index.roots: \"%s\" must begin with / or ~/"), shown);
		return false;
	}
	return items != NULL;
}

bool settings_check_value(const char *section, const char *name, const char *value, GError **error)
{
	const SettingKey *key = settings_find_key(section, name);
	if (!key) {
		g_autofree char *full = g_strdup_printf("%s.%s", section, name);
		return settings_fail(
		        error, SETTINGS_ERROR_UNKNOWN, full, _("there is no such key"));
	}
	if (!value)
		return true;
	if (strpbrk(value, "\n\r"))
		return settings_fail(
		        error, SETTINGS_ERROR_VALUE, name, _("a value must be a single line"));
	const char *added = setting_value_added(key, value);
	g_autoptr(SettingValue) parsed = setting_value_parse(key, added ? added : value, error);
	if (!parsed || strcmp(section, "index") != 0 || strcmp(name, "roots") != 0)
		return parsed != NULL;
	return settings_check_roots(added ? added : value, error);
}

bool settings_set(const char *user_file, const char *section, const char *name, const char *value,
        GError **error)
{
	g_autofree char *trimmed = value ? g_strstrip(g_strdup(value)) : NULL;
	g_autofree char *full_section = settings_canonical_section(section, error);
	if (!full_section || !settings_check_value(full_section, name, trimmed, error) ||
	        !settings_check_not_overridden(user_file, full_section, name, error))
		return false;
	g_autofree char *file = settings_real_file(user_file);
	autofd lock = settings_lock_dir(file, error);
	return lock >= 0 && settings_edit(file, full_section, name, trimmed, error);
}

/* Makes dir absolute and resolves symbolic links. If the directory does not exist, it is only made
 * absolute. */
static char *resolve_dir(const char *dir)
{
	g_autofree char *absolute = paths_expand(dir);
	if (!absolute)
		absolute = paths_absolute(dir);
	char *resolved = realpath(absolute, NULL);
	if (!resolved)
		return g_steal_pointer(&absolute);
	char *path = g_strdup(resolved);
	free(resolved);
	return path;
}

static char *roots_text(GPtrArray *roots)
{
	GString *value = g_string_new(NULL);
	for (guint i = 0; i < roots->len; i++) {
		g_autofree char *item = conffile_escape(g_ptr_array_index(roots, i));
		g_string_append_printf(value, "%s%s", i ? ";" : "", item);
	}
	return g_string_free(value, FALSE);
}

/* A list that only adds, and adds nothing, is left out. */
static bool write_roots(const char *file, GPtrArray *roots, GError **error)
{
	g_autofree char *value = roots_text(roots);
	bool adds_nothing = strcmp(value, "+") == 0;
	return settings_check_value("index", "roots", value, error) &&
	       settings_edit(file, "index", "roots", adds_nothing ? NULL : value, error);
}

/* The value of index.roots in one file, the last one if there are several; "" if the file does not
 * set it (*set_r is false then). NULL with error. The caller frees it. */
static char *roots_in_file(const char *file, bool *set_r, GError **error)
{
	GString *read = NULL;
	*set_r = false;
	if (!conffile_read(file, &read, error))
		return NULL;
	g_autoptr(GString) text = read ? read : g_string_new(NULL);
	g_autoptr(GArray) lines = conffile_parse(file, text->str, text->len, error);
	char *value = lines ? g_strdup("") : NULL;
	for (guint i = 0; lines && i < lines->len; i++) {
		const ConfLine *line = &g_array_index(lines, ConfLine, i);
		if (!settings_is_entry(line, "index", "roots"))
			continue;
		*set_r = true;
		g_free(value);
		value = g_strdup(line->value);
	}
	return value;
}

static bool means_dir(const char *item, const char *dir)
{
	g_autofree char *path = paths_expand(item);
	g_autofree char *resolved = resolve_dir(dir);
	g_autofree char *literal = paths_absolute(dir);
	return path && (strcmp(path, resolved) == 0 || strcmp(path, literal) == 0);
}

/* Is a directory among these items? */
static bool lists_dir(const char *const *items, const char *dir)
{
	for (; *items; items++)
		if (means_dir(*items, dir))
			return true;
	return false;
}

/* Returns the items of the user's own list without those that mean dir. The first one is "+" if
 * the list of the system's files counts too. *found_r: at least one meant dir. NULL with error. */
static GPtrArray *own_roots(
        const char *file, const Settings *system, const char *dir, bool *found_r, GError **error)
{
	bool set;
	g_autofree char *value = roots_in_file(file, &set, error);
	g_auto(GStrv) items = value ? conffile_unescape_list(value, error) : NULL;
	if (!items)
		return NULL;
	GPtrArray *roots = g_ptr_array_new_with_free_func(g_free);
	if (!set && settings_roots(system)[0])
		g_ptr_array_add(roots, g_strdup("+"));
	for (char **item = items; *item; item++) {
		bool same = means_dir(*item, dir);
		*found_r |= same;
		if (!same)
			g_ptr_array_add(roots, g_strdup(*item));
	}
	return roots;
}

bool settings_add_root(const char *user_file, const char *dir, GError **error)
{
	g_autofree char *file = settings_real_file(user_file);
	g_autofree char *root = resolve_dir(dir);
	bool found = false;
	if (!g_file_test(root, G_FILE_TEST_IS_DIR))
		return settings_fail(error, SETTINGS_ERROR_VALUE, root, _("not a directory"));
	autofd lock = settings_lock_dir(file, error);
	if (lock < 0)
		return false;
	g_autoptr(Settings) settings = settings_load(user_file, NULL, error);
	g_autoptr(Settings) system = settings ? settings_load_system(error) : NULL;
	if (!system)
		return false;
	if (lists_dir(settings_list(settings, "index", "roots", NULL), dir))
		return true;
	if (!settings_check_not_overridden(user_file, "index", "roots", error))
		return false;
	g_autoptr(GPtrArray) roots = own_roots(file, system, dir, &found, error);
	if (!roots)
		return false;
	g_ptr_array_add(roots, g_steal_pointer(&root));
	return write_roots(file, roots, error);
}

/* The directory stands in a file of the system: a list of the user's own must replace that one. */
static bool fail_system_root(
        const Settings *settings, const Settings *system, const char *dir, GError **error)
{
	g_autofree char *place = settings_origin(system, "index", "roots", NULL, NULL);
	g_autofree char *shown = text_to_utf8(dir, -1);
	g_autoptr(GPtrArray) others = g_ptr_array_new();
	for (const char *const *item = settings_list(settings, "index", "roots", NULL); *item;
	        item++)
		if (!means_dir(*item, dir))
			g_ptr_array_add(others, (char *)*item);
	g_autofree char *list = roots_text(others);
	g_autofree char *quoted = g_shell_quote(list);
	g_set_error(error, SETTINGS_ERROR, SETTINGS_ERROR_FILE,
	        _("%s is watched because the system's configuration lists it (%s); to watch only "
	          "directories of your own choice: tarsier config set index.roots %s"),
	        shown, place, quoted);
	return false;
}

bool settings_remove_root(const char *user_file, const char *dir, GError **error)
{
	g_autofree char *file = settings_real_file(user_file);
	bool found = false;
	autofd lock = settings_lock_dir(file, error);
	if (lock < 0)
		return false;
	g_autoptr(Settings) settings = settings_load(user_file, NULL, error);
	g_autoptr(Settings) system = settings ? settings_load_system(error) : NULL;
	if (!system)
		return false;
	if (!lists_dir(settings_list(settings, "index", "roots", NULL), dir))
		return settings_fail(
		        error, SETTINGS_ERROR_UNKNOWN, dir, _("not a watched directory"));
	g_autoptr(GPtrArray) roots = own_roots(file, system, dir, &found, error);
	if (!roots || !settings_check_not_overridden(user_file, "index", "roots", error))
		return false;
	bool adds = roots->len > 0 && strcmp(roots->pdata[0], "+") == 0;
	if (adds && lists_dir(settings_list(system, "index", "roots", NULL), dir))
		return fail_system_root(settings, system, dir, error);
	return write_roots(file, roots, error);
}
