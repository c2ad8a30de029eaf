/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/app/saved.h"
#include "common/base/paths.h"

enum { NAME_MAX_CHARS = 64 };
static const char section[] = "saved";

struct Saved {
	char *file;
	GKeyFile *keys;
};

Saved *saved_open(const char *config_file, GError **error)
{
	g_autoptr(Saved) saved = g_new0(Saved, 1);
	g_autofree char *dir = g_path_get_dirname(config_file);
	g_autoptr(GError) why = NULL;

	saved->file = g_build_filename(dir, "saved-searches", NULL);
	saved->keys = g_key_file_new();
	if (g_key_file_load_from_file(saved->keys, saved->file, G_KEY_FILE_KEEP_COMMENTS, &why) ||
	        g_error_matches(why, G_FILE_ERROR, G_FILE_ERROR_NOENT))
		return g_steal_pointer(&saved);
	g_propagate_prefixed_error(error, g_steal_pointer(&why), "%s: ", saved->file);
	return NULL;
}

void saved_free(Saved *saved)
{
	if (!saved)
		return;
	g_free(saved->file);
	g_key_file_unref(saved->keys);
	g_free(saved);
}

bool saved_is_name(const char *name)
{
	glong n = 0;
	if (!g_utf8_validate(name, -1, NULL))
		return false;
	for (; *name; name = g_utf8_next_char(name), n++) {
		gunichar c = g_utf8_get_char(name);
		if (!g_unichar_isalnum(c) && c != '-' && c != '_' && c != '.')
			return false;
	}
	return n > 0 && n <= NAME_MAX_CHARS;
}

char **saved_names(const Saved *saved)
{
	g_auto(GStrv) keys = g_key_file_get_keys(saved->keys, section, NULL, NULL);
	GPtrArray *names = g_ptr_array_new();
	for (char **key = keys; key && *key; key++)
		if (saved_is_name(*key))
			g_ptr_array_add(names, g_strdup(*key));
	g_ptr_array_add(names, NULL);
	return (char **)g_ptr_array_free(names, FALSE);
}

char *saved_wrong_name(const Saved *saved)
{
	g_auto(GStrv) keys = g_key_file_get_keys(saved->keys, section, NULL, NULL);
	for (char **key = keys; key && *key; key++)
		if (!saved_is_name(*key))
			return g_strdup(*key);
	return NULL;
}

char *saved_query(const Saved *saved, const char *name)
{
	return saved_is_name(name) ? g_key_file_get_string(saved->keys, section, name, NULL) : NULL;
}

static bool saved_write_file(const Saved *saved, GError **error)
{
	g_autofree char *dir = g_path_get_dirname(saved->file);
	gsize length;
	g_autofree char *text = g_key_file_to_data(saved->keys, &length, NULL);
	return paths_make_private_dir(dir, error) &&
	       paths_write_private(saved->file, text, length,
	               G_FILE_SET_CONTENTS_CONSISTENT | G_FILE_SET_CONTENTS_DURABLE, error);
}

bool saved_add(Saved *saved, const char *name, const char *query, GError **error)
{
	g_key_file_set_string(saved->keys, section, name, query);
	return saved_write_file(saved, error);
}

bool saved_remove(Saved *saved, const char *name, GError **error)
{
	return g_key_file_remove_key(saved->keys, section, name, NULL) &&
	       saved_write_file(saved, error);
}
