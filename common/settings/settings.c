/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/settings/settings.h"
#include "common/settings/conffile.h"
#include "common/base/autofd.h"
#include "common/base/i18n.h"
#include "common/base/install-dirs.h"
#include "common/base/paths.h"
#include "common/settings/settings-value.h"
#include "common/base/text.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>

G_DEFINE_QUARK(tarsier - settings - error, settings_error)

/* The values that one scope sets: the whole configuration, one directory, source or export. NULL
 * where it sets none. */
typedef struct {
	char *path; /* or URL, or name; NULL for the whole configuration */
	SettingValue **values; /* one for each row of setting_keys */
} SettingScope;

struct Settings {
	size_t n_keys;
	SettingScope *whole; /* every value is set */
	GPtrArray *dirs; /* SettingScope, the longest path first */
	GHashTable *webs; /* canonical URL -> SettingScope of the source */
	GHashTable *exports; /* name -> SettingScope of the export */
	GArray *sources; /* SettingsSource, which borrow from webs, sorted by URL */
	char **export_names, **dir_paths, **roots, **listed;
};

/* The state of loading one file. */
typedef struct {
	Settings *settings;
	GPtrArray *warnings; /* may be NULL */
	GPtrArray *faults; /* receives the messages of faults, and loading goes on; NULL: it ends */
	const char *file;
} SettingsLoader;

static SettingScope *scope_new(const Settings *s, const char *path)
{
	SettingScope *scope = g_new0(SettingScope, 1);
	scope->path = g_strdup(path);
	scope->values = g_new0(SettingValue *, s->n_keys);
	return scope;
}

static void scope_free(SettingScope *scope, size_t n_keys)
{
	for (size_t i = 0; i < n_keys; i++)
		setting_value_free(scope->values[i]);
	g_free(scope->values);
	g_free(scope->path);
	g_free(scope);
}

static Settings *settings_new(void)
{
	Settings *s = g_new0(Settings, 1);
	while (setting_keys[s->n_keys].section)
		s->n_keys++;
	s->whole = scope_new(s, NULL);
	s->dirs = g_ptr_array_new();
	s->webs = g_hash_table_new(g_str_hash, g_str_equal);
	s->exports = g_hash_table_new(g_str_hash, g_str_equal);
	s->sources = g_array_new(FALSE, TRUE, sizeof(SettingsSource));
	for (size_t i = 0; i < s->n_keys; i++) {
		s->whole->values[i] =
		        setting_value_parse(&setting_keys[i], setting_keys[i].preset, NULL);
		g_assert(s->whole->values[i]);
	}
	return s;
}

static void settings_free_scopes(GHashTable *scopes, size_t n_keys)
{
	GHashTableIter i;
	gpointer scope;
	g_hash_table_iter_init(&i, scopes);
	while (g_hash_table_iter_next(&i, NULL, &scope))
		scope_free(scope, n_keys);
	g_hash_table_unref(scopes);
}

void settings_free(Settings *settings)
{
	if (!settings)
		return;
	scope_free(settings->whole, settings->n_keys);
	for (guint k = 0; k < settings->dirs->len; k++)
		scope_free(g_ptr_array_index(settings->dirs, k), settings->n_keys);
	g_ptr_array_unref(settings->dirs);
	settings_free_scopes(settings->webs, settings->n_keys);
	settings_free_scopes(settings->exports, settings->n_keys);
	g_array_unref(settings->sources);
	g_strfreev(settings->export_names);
	g_strfreev(settings->dir_paths);
	g_strfreev(settings->roots);
	g_strfreev(settings->listed);
	g_free(settings);
}

static char *settings_place_of(const SettingsLoader *loader, const ConfLine *line)
{
	g_autofree char *shown = g_filename_display_name(loader->file);
	return g_strdup_printf("%s:%u", shown, line->number);
}

static void warn_unknown(
        const SettingsLoader *loader, const ConfLine *line, const char *what, const char *name)
{
	if (!loader->warnings)
		return;
	g_autofree char *place = settings_place_of(loader, line);
	g_autoptr(GString) message = g_string_new(place);
	g_string_append_printf(message, ": %s: ", what);
	text_append_escaped(message, name, -1);
	g_ptr_array_add(loader->warnings, g_strdup(message->str));
}

/* Warns if the line replaces a value of the same file. earlier: NULL: there is none. */
static void warn_again(const SettingsLoader *loader, const ConfLine *line,
        const SettingValue *earlier, const char *place)
{
	size_t file = strrchr(place, ':') + 1 - place;
	if (!loader->warnings || !earlier || !earlier->origin ||
	        strncmp(earlier->origin, place, file) != 0)
		return;
	g_ptr_array_add(loader->warnings,
	        g_strdup_printf(_("%s: \"%s\" is set again; line %s has no effect"), place,
	                line->name, earlier->origin + file));
}

static SettingScope *settings_find_dir(const Settings *s, const char *path)
{
	for (guint i = 0; i < s->dirs->len; i++) {
		SettingScope *scope = g_ptr_array_index(s->dirs, i);
		if (strcmp(scope->path, path) == 0)
			return scope;
	}
	return NULL;
}

static SettingScope *scope_in(const Settings *s, GHashTable *scopes, const char *name)
{
	SettingScope *scope = g_hash_table_lookup(scopes, name);
	if (!scope) {
		scope = scope_new(s, name);
		g_hash_table_insert(scopes, scope->path, scope);
	}
	return scope;
}

static SettingScope *scope_of_source(
        const SettingsLoader *loader, const ConfLine *line, GError **error)
{
	g_autofree char *place = settings_place_of(loader, line);
	g_autofree char *url = settings_source_url(line->section + strlen("web:"), error);
	if (!url) {
		g_prefix_error(error, "%s: ", place);
		return NULL;
	}
	return scope_in(loader->settings, loader->settings->webs, url);
}

static SettingScope *scope_of_export(const SettingsLoader *loader, const ConfLine *line)
{
	g_autofree char *name = g_strstrip(g_strdup(line->section + strlen(SETTINGS_EXPORT)));
	return scope_in(loader->settings, loader->settings->exports, name);
}

/* The scope that a section of the file belongs to; NULL with error if the path of a "dir:" section
 * is not absolute, or what follows "web:" is not a URL. */
static SettingScope *scope_of_section(
        const SettingsLoader *loader, const ConfLine *line, GError **error)
{
	Settings *s = loader->settings;
	if (g_str_has_prefix(line->section, "web:"))
		return scope_of_source(loader, line, error);
	if (g_str_has_prefix(line->section, SETTINGS_EXPORT))
		return scope_of_export(loader, line);
	if (!g_str_has_prefix(line->section, "dir:"))
		return s->whole;
	g_autofree char *path = paths_expand(line->section + strlen("dir:"));
	if (!path) {
		g_autofree char *place = settings_place_of(loader, line);
		g_set_error(error, SETTINGS_ERROR, SETTINGS_ERROR_VALUE,
		        _("%s: the path after \"dir:\" must begin with / or ~/"), place);
		return NULL;
	}
	SettingScope *scope = settings_find_dir(s, path);
	if (!scope) {
		scope = scope_new(s, path);
		g_ptr_array_add(s->dirs, scope);
	}
	return scope;
}

/* The text of an entry. A list whose first item is "+" is the list of the earlier files, or of the
 * sections for the whole, with more items. The caller frees it. */
static char *entry_text(const SettingsLoader *loader, const SettingKey *key,
        const SettingScope *scope, const char *text)
{
	const char *added = setting_value_added(key, text);
	const SettingValue *earlier = scope->values[key - setting_keys];
	if (!added)
		return g_strdup(text);
	if (!earlier)
		earlier = loader->settings->whole->values[key - setting_keys];
	const char *before = earlier ? earlier->text : key->preset;
	return g_strjoin(*before && *added ? ";" : "", before, added, NULL);
}

static bool take_entry(const SettingsLoader *loader, const ConfLine *line, GError **error)
{
	const SettingKey *key = settings_find_key(line->section, line->name);
	if (!key) {
		warn_unknown(loader, line, _("unknown key"), line->name);
		return true;
	}
	SettingScope *scope = scope_of_section(loader, line, error);
	if (!scope)
		return false;
	g_autofree char *place = settings_place_of(loader, line);
	g_autofree char *text = entry_text(loader, key, scope, line->value);
	g_autoptr(SettingValue) value = setting_value_parse(key, text, error);
	if (!value) {
		g_prefix_error(error, "%s: ", place);
		return false;
	}
	SettingValue **slot = &scope->values[key - setting_keys];
	if (!setting_value_added(key, line->value))
		warn_again(loader, line, *slot, place);
	value->origin = g_steal_pointer(&place);
	setting_value_free(*slot);
	*slot = g_steal_pointer(&value);
	return true;
}

static bool section_is_known(const char *section)
{
	if (g_str_has_prefix(section, "dir:") || g_str_has_prefix(section, "web:") ||
	        g_str_has_prefix(section, SETTINGS_EXPORT))
		return true;
	for (const SettingKey *key = setting_keys; key->section; key++) {
		if (strcmp(key->section, section) == 0)
			return true;
	}
	return false;
}

static bool settings_take_line(const SettingsLoader *loader, const ConfLine *line, GError **error)
{
	if (line->kind == CONF_ENTRY)
		return !section_is_known(line->section) || take_entry(loader, line, error);
	if (line->kind != CONF_SECTION)
		return true;
	if (!section_is_known(line->section))
		warn_unknown(loader, line, _("unknown section"), line->section);
	if (g_str_has_prefix(line->section, SETTINGS_EXPORT))
		scope_of_export(loader, line);
	return !g_str_has_prefix(line->section, "web:") || scope_of_source(loader, line, error);
}

/* Takes the fault; false, with the error as it is, if loading ends. */
static bool settings_note_fault(const SettingsLoader *loader, GError *fault, GError **error)
{
	if (!loader->faults) {
		g_propagate_error(error, fault);
		return false;
	}
	g_ptr_array_add(loader->faults, g_strdup(fault->message));
	g_error_free(fault);
	return true;
}

static bool settings_load_file(SettingsLoader *loader, const char *file, GError **error)
{
	GString *read = NULL;
	GError *fault = NULL;
	loader->file = file;
	if (!conffile_read(file, &read, &fault))
		return settings_note_fault(loader, fault, error);
	if (!read)
		return true;
	g_autoptr(GString) text = read;
	g_autoptr(GArray) lines =
	        loader->faults ? conffile_parse_all(file, text->str, text->len, loader->faults)
	                       : conffile_parse(file, text->str, text->len, error);
	if (!lines)
		return false;
	for (guint i = 0; i < lines->len; i++) {
		fault = NULL;
		if (!settings_take_line(loader, &g_array_index(lines, ConfLine, i), &fault) &&
		        !settings_note_fault(loader, fault, error))
			return false;
	}
	return true;
}

static bool is_drop_in(const char *name)
{
	return *name != '.' && g_str_has_suffix(name, ".conf");
}

/* NULL with errno. */
static DIR *open_drop_ins(const char *dir)
{
	autofd fd = conffile_open(dir, O_RDONLY | O_DIRECTORY);
	DIR *handle = fd < 0 ? NULL : fdopendir(fd);
	if (handle)
		autofd_steal(&fd); /* closedir() closes it */
	return handle;
}

GPtrArray *settings_drop_ins(const char *file, GError **error)
{
	g_autoptr(GPtrArray) files = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *dir = g_strconcat(file, ".d", NULL);
	DIR *handle = open_drop_ins(dir);
	if (!handle && errno != ENOENT && errno != ENOTDIR) {
		g_autofree char *shown = g_filename_display_name(dir);
		g_set_error(error, SETTINGS_ERROR, SETTINGS_ERROR_FILE, "%s: %s", shown,
		        g_strerror(errno));
		return NULL;
	}
	for (const struct dirent *entry; handle && (entry = readdir(handle));) {
		if (is_drop_in(entry->d_name))
			g_ptr_array_add(files, g_build_filename(dir, entry->d_name, NULL));
	}
	if (handle)
		closedir(handle);
	g_ptr_array_sort(files, text_compare_elements);
	return g_steal_pointer(&files);
}

/* The file, its directory of drop-ins, or one of these. */
static bool is_part_of_file(const char *file, const char *path)
{
	size_t length = strlen(file);
	if (strncmp(path, file, length) != 0)
		return false;
	const char *rest = path + length;
	if (*rest == '\0' || strcmp(rest, ".d") == 0)
		return true;
	return g_str_has_prefix(rest, ".d/") && !strchr(rest + strlen(".d/"), '/') &&
	       is_drop_in(rest + strlen(".d/"));
}

static bool load_with_drop_ins(SettingsLoader *loader, const char *file, GError **error)
{
	GError *fault = NULL;
	g_autoptr(GPtrArray) drop_ins = settings_drop_ins(file, &fault);
	if ((!drop_ins && !settings_note_fault(loader, fault, error)) ||
	        !settings_load_file(loader, file, error))
		return false;
	for (guint i = 0; drop_ins && i < drop_ins->len; i++) {
		if (!settings_load_file(loader, g_ptr_array_index(drop_ins, i), error))
			return false;
	}
	return true;
}

/* The system's files, the most important one first. GLib's list of directories is not used because
 * GLib reads the environment only once. The caller frees the array. */
static GPtrArray *system_files(void)
{
	const char *set = g_getenv("XDG_CONFIG_DIRS");
	g_auto(GStrv) dirs = g_strsplit(set && *set ? set : "/etc/xdg", ":", -1);
	GPtrArray *files = g_ptr_array_new_with_free_func(g_free);
	for (char **dir = dirs; *dir; dir++)
		if (g_path_is_absolute(*dir))
			g_ptr_array_add(
			        files, g_build_filename(*dir, "tarsier", "tarsier.conf", NULL));
	return files;
}

static bool load_system(SettingsLoader *loader, GError **error)
{
	g_autoptr(GPtrArray) files = system_files();
	if (!settings_load_file(loader, PKGDATADIR "/tarsier.conf", error))
		return false;
	for (guint i = files->len; i > 0; i--)
		if (!load_with_drop_ins(loader, files->pdata[i - 1], error))
			return false;
	return true;
}

bool settings_reads(const char *user_file, const char *path)
{
	g_autoptr(GPtrArray) files = system_files();
	for (guint i = 0; i < files->len; i++)
		if (is_part_of_file(files->pdata[i], path))
			return true;
	return is_part_of_file(user_file, path);
}

static int compare_scopes(gconstpointer a, gconstpointer b)
{
	const SettingScope *first = *(SettingScope *const *)a, *second = *(SettingScope *const *)b;
	size_t first_length = strlen(first->path), second_length = strlen(second->path);
	if (first_length != second_length)
		return first_length > second_length ? -1 : 1;
	return strcmp(first->path, second->path);
}

static void finish_dirs(Settings *s)
{
	g_ptr_array_sort(s->dirs, compare_scopes);
	s->dir_paths = g_new0(char *, s->dirs->len + 1);
	for (guint i = 0; i < s->dirs->len; i++)
		s->dir_paths[i] = g_strdup(((SettingScope *)g_ptr_array_index(s->dirs, i))->path);
}

static int compare_sources(gconstpointer a, gconstpointer b)
{
	const SettingsSource *first = a, *second = b;
	return strcmp(first->url, second->url);
}

static void finish_sources(Settings *s)
{
	GHashTableIter i;
	gpointer url;
	g_hash_table_iter_init(&i, s->webs);
	while (g_hash_table_iter_next(&i, &url, NULL)) {
		SettingsSource source = settings_source_preset(s, url);
		g_array_append_val(s->sources, source);
	}
	g_array_sort(s->sources, compare_sources);
}

static void finish_exports(Settings *s)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	GHashTableIter i;
	gpointer name;
	g_hash_table_iter_init(&i, s->exports);
	while (g_hash_table_iter_next(&i, &name, NULL))
		g_ptr_array_add(names, name);
	g_ptr_array_sort(names, text_compare_elements);
	g_ptr_array_add(names, NULL);
	s->export_names = g_strdupv((char **)names->pdata);
}

/* Is path the directory dir or below it? */
static bool is_within(const char *path, const char *dir)
{
	size_t length = strlen(dir);
	if (strncmp(path, dir, length) != 0)
		return false;
	return path[length] == '\0' || path[length] == '/' || dir[length - 1] == '/';
}

static char **end_list(GPtrArray *items)
{
	g_ptr_array_add(items, NULL);
	return (char **)g_ptr_array_free(items, FALSE);
}

/* Fills listed and roots from the sorted absolute paths. A root inside another one comes after it,
 * but "/a-b" may stand between "/a" and "/a/c". Each path is therefore compared with all the roots
 * kept so far. */
static void finish_roots(Settings *s, GPtrArray *paths)
{
	GPtrArray *listed = g_ptr_array_new(), *roots = g_ptr_array_new();
	for (guint i = 0; i < paths->len; i++) {
		const char *path = g_ptr_array_index(paths, i);
		bool twice = i > 0 && strcmp(path, g_ptr_array_index(paths, i - 1)) == 0;
		bool inside = false;
		for (guint k = 0; k < roots->len; k++)
			inside = inside || is_within(path, g_ptr_array_index(roots, k));
		if (!twice)
			g_ptr_array_add(listed, g_strdup(path));
		if (!inside)
			g_ptr_array_add(roots, g_strdup(path));
	}
	s->listed = end_list(listed);
	s->roots = end_list(roots);
}

static bool expand_roots(const SettingsLoader *loader, GError **error)
{
	Settings *s = loader->settings;
	g_autoptr(GPtrArray) paths = g_ptr_array_new_with_free_func(g_free);
	const char *const *items = settings_list(s, "index", "roots", NULL);
	for (size_t i = 0; items[i]; i++) {
		char *path = paths_expand(items[i]);
		if (path) {
			g_ptr_array_add(paths, path);
			continue;
		}
		g_autofree char *place = settings_origin(s, "index", "roots", NULL, NULL);
		g_autofree char *shown = text_to_utf8(items[i], -1);
		GError *fault = g_error_new(SETTINGS_ERROR, SETTINGS_ERROR_VALUE,
		        _("%s: index.roots: \"%s\" must begin with / or ~/"), place, shown);
		if (!settings_note_fault(loader, fault, error))
			return false;
	}
	g_ptr_array_sort(paths, text_compare_elements);
	finish_roots(s, paths);
	return true;
}

/* user_file: NULL: only the files of the system are read. */
static Settings *load_all(
        const char *user_file, GPtrArray *warnings, GPtrArray *faults, GError **error)
{
	g_autoptr(Settings) s = settings_new();
	SettingsLoader loader = {.settings = s, .warnings = warnings, .faults = faults};
	if (!load_system(&loader, error) ||
	        (user_file && !load_with_drop_ins(&loader, user_file, error)) ||
	        !expand_roots(&loader, error))
		return NULL;
	finish_sources(s);
	finish_exports(s);
	finish_dirs(s);
	return g_steal_pointer(&s);
}

Settings *settings_load(const char *user_file, GPtrArray *warnings, GError **error)
{
	return load_all(user_file, warnings, NULL, error);
}

Settings *settings_check(const char *user_file, GPtrArray *warnings, GPtrArray *faults)
{
	g_autoptr(Settings) settings = load_all(user_file, warnings, faults, NULL);
	return faults->len > 0 ? NULL : g_steal_pointer(&settings);
}

Settings *settings_load_system(GError **error)
{
	return load_all(NULL, NULL, NULL, error);
}

static const SettingValue *find_value(
        const Settings *s, const char *section, const char *name, const char *dir)
{
	const SettingKey *key = settings_find_key(section, name);
	g_assert(key);
	size_t index = key - setting_keys;
	for (guint i = 0; dir && key->per_dir && i < s->dirs->len; i++) {
		const SettingScope *scope = g_ptr_array_index(s->dirs, i);
		if (scope->values[index] && is_within(dir, scope->path))
			return scope->values[index];
	}
	GHashTable *scopes = strcmp(key->section, "export") == 0 ? s->exports : s->webs;
	const SettingScope *named = dir ? g_hash_table_lookup(scopes, dir) : NULL;
	return named && named->values[index] ? named->values[index] : s->whole->values[index];
}

bool settings_bool(const Settings *s, const char *section, const char *name, const char *dir)
{
	return find_value(s, section, name, dir)->number;
}

int64_t settings_int(const Settings *s, const char *section, const char *name, const char *dir)
{
	return find_value(s, section, name, dir)->number;
}

const char *settings_string(
        const Settings *s, const char *section, const char *name, const char *dir)
{
	return find_value(s, section, name, dir)->string;
}

const char *const *settings_list(
        const Settings *s, const char *section, const char *name, const char *dir)
{
	return (const char *const *)find_value(s, section, name, dir)->list;
}

char *settings_origin(
        const Settings *s, const char *section, const char *name, const char *dir, char **text_r)
{
	const SettingValue *value = find_value(s, section, name, dir);
	if (text_r)
		*text_r = g_strdup(value->text);
	return g_strdup(value->origin ? value->origin : _("built in"));
}

const char *const *settings_dirs(const Settings *s)
{
	return (const char *const *)s->dir_paths;
}

const char *const *settings_exports(const Settings *s)
{
	return (const char *const *)s->export_names;
}

const char *const *settings_roots(const Settings *s)
{
	return (const char *const *)s->roots;
}

const char *const *settings_listed(const Settings *s)
{
	return (const char *const *)s->listed;
}

const SettingsSource *settings_sources(const Settings *s, unsigned *n_r)
{
	*n_r = s->sources->len;
	return &g_array_index(s->sources, SettingsSource, 0);
}

bool settings_has_any(const Settings *s)
{
	return s->sources->len > 0 || settings_roots(s)[0];
}

const SettingsSource *settings_source(const Settings *s, const char *url)
{
	guint index;
	SettingsSource wanted = {.url = url};
	if (!g_array_binary_search(s->sources, &wanted, compare_sources, &index))
		return NULL;
	return &g_array_index(s->sources, SettingsSource, index);
}

ExtractLimits settings_limits(const Settings *s)
{
	return (ExtractLimits){
	        .text_bytes = settings_int(s, "limits", "text", NULL),
	        .unpacked_bytes = settings_int(s, "limits", "unpacked", NULL),
	        .members = settings_int(s, "limits", "members", NULL),
	        .depth = settings_int(s, "limits", "depth", NULL),
	        .ratio = settings_int(s, "limits", "ratio", NULL),
	        .wall_ms = settings_int(s, "limits", "time", NULL) * 1000,
	        .memory_bytes = settings_int(s, "limits", "memory", NULL),
	        .memory_pdf_bytes = settings_int(s, "limits", "memory-pdf", NULL),
	};
}
