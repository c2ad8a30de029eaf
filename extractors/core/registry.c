/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/core/registry.h"
#include "common/base/autofd.h"
#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <gmodule.h>
#include <string.h>
#include <sys/stat.h>

struct Registry {
	GArray *plugins; /* Plugin, ordered by name */
	/* MIME type or family ("text/") -> const Plugin *; the table owns its keys */
	GHashTable *by_type;
	bool draws;
	GHashTable *elsewhere; /* type or family or "*" -> WireLane; NULL: all is here */
};

/* True if only root and the current user can write it. */
static bool registry_is_trusted(const struct stat *info)
{
	return (info->st_uid == 0 || info->st_uid == geteuid()) &&
	       !(info->st_mode & (S_IWGRP | S_IWOTH));
}

static bool directory_is_trusted(const char *path, GError **error)
{
	struct stat info;
	autofd fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &info) < 0) {
		g_set_error(error, G_FILE_ERROR, g_file_error_from_errno(errno), "%s: %s", path,
		        g_strerror(errno));
		return false;
	}
	if (!registry_is_trusted(&info)) {
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_PERM,
		        "%s: another user owns it or can write to it", path);
		return false;
	}
	return true;
}

static const Extractor *registry_load_plugin(const char *path)
{
	struct stat info;
	autofd fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &info) < 0 || !S_ISREG(info.st_mode) ||
	        !registry_is_trusted(&info)) {
		g_warning(
		        "plugin %s: not a file that only root or you can write to; skipped", path);
		return NULL;
	}
	GModule *module = g_module_open(path, G_MODULE_BIND_LOCAL);
	gpointer symbol;
	if (!module || !g_module_symbol(module, "tarsier_extractor", &symbol)) {
		g_warning("plugin %s: %s", path, g_module_error());
		return NULL;
	}
	g_module_make_resident(module);
	const Extractor *extractor = symbol;
	if (extractor->abi != EXTRACTOR_ABI) {
		g_warning("plugin %s: interface version %u, expected %u; skipped", path,
		        extractor->abi, EXTRACTOR_ABI);
		return NULL;
	}
	return extractor;
}

static int registry_by_name(gconstpointer a, gconstpointer b)
{
	return strcmp(((const Plugin *)a)->extractor->name, ((const Plugin *)b)->extractor->name);
}

/* Returns NAME of "NAME.so" if the plugin is to be loaded, else NULL. The caller frees it. */
static char *module_name(const char *file, char **only)
{
	if (!g_str_has_suffix(file, ".so"))
		return NULL;
	g_autofree char *name = g_strndup(file, strlen(file) - strlen(".so"));
	if (only && !g_strv_contains((const char *const *)only, name))
		return NULL;
	return g_steal_pointer(&name);
}

static void registry_add_plugin(Registry *registry, const char *path, const char *name)
{
	Plugin plugin = {registry_load_plugin(path), NULL};
	if (!plugin.extractor)
		return;
	if (strcmp(plugin.extractor->name, name) != 0) {
		g_warning("plugin %s: its name is %s; skipped", path, plugin.extractor->name);
		return;
	}
	if (plugin.extractor->preload)
		plugin.missing = plugin.extractor->preload();
	g_array_append_val(registry->plugins, plugin);
}

static void registry_add_plugins(Registry *registry, const char *directory, GDir *dir, char **only)
{
	const char *file;
	while ((file = g_dir_read_name(dir))) {
		g_autofree char *name = module_name(file, only);
		g_autofree char *path = g_build_filename(directory, file, NULL);
		if (name)
			registry_add_plugin(registry, path, name);
	}
	g_array_sort(registry->plugins, registry_by_name);
}

/* The key of a type in the tables: lower case, a family without its '*'. */
static char *type_key(const char *type)
{
	char *key = g_ascii_strdown(type, -1);
	if (g_str_has_suffix(key, "/*"))
		key[strlen(key) - 1] = '\0';
	return key;
}

static void registry_list_types(Registry *registry)
{
	g_hash_table_remove_all(registry->by_type);
	for (guint i = 0; i < registry->plugins->len; i++) {
		const Plugin *plugin = &g_array_index(registry->plugins, Plugin, i);
		for (const char *const *type = plugin->extractor->mime_types; *type; type++) {
			char *key = type_key(*type);
			const Plugin *other = g_hash_table_lookup(registry->by_type, key);
			if (other && !other->missing)
				g_free(key);
			else
				g_hash_table_replace(registry->by_type, key, (gpointer)plugin);
		}
	}
}

Registry *registry_load(const char *directory, char **only, GError **error)
{
	if (!directory_is_trusted(directory, error))
		return NULL;
	g_autoptr(GDir) dir = g_dir_open(directory, 0, error);
	if (!dir)
		return NULL;
	Registry *registry = g_new0(Registry, 1);
	registry->plugins = g_array_new(FALSE, FALSE, sizeof(Plugin));
	registry->by_type = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	registry_add_plugins(registry, directory, dir, only);
	registry_list_types(registry);
	return registry;
}

void registry_free(Registry *registry)
{
	g_clear_pointer(&registry->elsewhere, g_hash_table_unref);
	g_hash_table_unref(registry->by_type);
	g_array_unref(registry->plugins);
	g_free(registry);
}

void registry_prepare_drawing(Registry *registry)
{
	registry->draws = true;
	for (guint i = 0; i < registry->plugins->len; i++) {
		const Plugin *plugin = registry_get(registry, i);
		if (!plugin->missing && plugin->extractor->draw_preload)
			plugin->extractor->draw_preload();
	}
}

bool registry_draws(const Registry *registry)
{
	return registry->draws;
}

size_t registry_count(const Registry *registry)
{
	return registry->plugins->len;
}

const Plugin *registry_get(const Registry *registry, size_t i)
{
	return &g_array_index(registry->plugins, Plugin, i);
}

static char *family_of(const char *mime)
{
	const char *slash = strchr(mime, '/');
	return slash ? g_strndup(mime, slash + 1 - mime) : g_strdup(mime);
}

static const Plugin *registry_lookup(const Registry *registry, const char *mime)
{
	const Plugin *plugin = g_hash_table_lookup(registry->by_type, mime);
	g_autofree char *family = plugin ? NULL : family_of(mime);
	return plugin ? plugin : g_hash_table_lookup(registry->by_type, family);
}

const Extractor *registry_find(const Registry *registry, const char *mime, const char **missing_r)
{
	const Plugin *plugin = registry_lookup(registry, mime);
	if (missing_r)
		*missing_r = plugin ? plugin->missing : NULL;
	return plugin && !plugin->missing ? plugin->extractor : NULL;
}

uint32_t registry_version(const Registry *registry, const Extractor *extractor)
{
	enum { SPACE = 1000 };
	static const char *const asking[] = {"image", "pdf", NULL}; /* for OCR */
	const Extractor *ocr = g_strv_contains(asking, extractor->name)
	                               ? registry_find(registry, OCR_TYPE, NULL)
	                               : NULL;
	if (!ocr)
		return extractor->version;
	return extractor->version + SPACE * (1 + g_str_hash(ocr->library) % SPACE);
}

const char **registry_reads(const Registry *registry)
{
	const char **directories = g_new0(const char *, 2 * registry->plugins->len + 1);
	size_t n = 0;
	for (guint i = 0; i < registry->plugins->len; i++) {
		const Extractor *extractor = registry_get(registry, i)->extractor;
		if (extractor->reads)
			directories[n++] = extractor->reads;
		if (registry->draws && extractor->draw_reads)
			directories[n++] = extractor->draw_reads;
	}
	return directories;
}

void registry_keep_only(Registry *registry, const char *name)
{
	for (guint i = registry->plugins->len; i-- > 0;)
		if (strcmp(g_array_index(registry->plugins, Plugin, i).extractor->name, name) != 0)
			g_array_remove_index(registry->plugins, i);
	registry_list_types(registry);
}

/* "TYPE=LANE" */
static bool registry_add_elsewhere(Registry *registry, const char *entry)
{
	guint64 lane;
	g_auto(GStrv) parts = g_strsplit(entry, "=", 2);
	if (g_strv_length(parts) != 2 ||
	        !g_ascii_string_to_unsigned(parts[1], 10, 0, N_LANES - 1, &lane, NULL))
		return false;
	g_hash_table_replace(registry->elsewhere, type_key(parts[0]), GUINT_TO_POINTER(lane));
	return true;
}

bool registry_set_elsewhere(Registry *registry, char **types)
{
	registry->elsewhere = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	for (; *types; types++)
		if (!registry_add_elsewhere(registry, *types))
			return false;
	return true;
}

static bool registry_find_lane(const Registry *registry, const char *key, WireLane *lane_r)
{
	gpointer lane;
	bool found = g_hash_table_lookup_extended(registry->elsewhere, key, NULL, &lane);
	if (found)
		*lane_r = GPOINTER_TO_UINT(lane);
	return found;
}

bool registry_is_elsewhere(const Registry *registry, const char *mime, WireLane *lane_r)
{
	if (!registry->elsewhere || g_hash_table_contains(registry->by_type, mime))
		return false;
	if (registry_find_lane(registry, mime, lane_r))
		return true;
	/* "inode/x-empty" is not a type of content */
	if (registry_lookup(registry, mime) || g_str_has_prefix(mime, "inode/"))
		return false;
	g_autofree char *family = family_of(mime);
	return registry_find_lane(registry, family, lane_r) ||
	       registry_find_lane(registry, "*", lane_r);
}
