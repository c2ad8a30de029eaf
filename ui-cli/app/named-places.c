/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/app/named-places.h"
#include "common/base/i18n.h"
#include <string.h>
#include <sys/stat.h>

static bool named_places_is_here(const char *host)
{
	return !host || g_ascii_strcasecmp(host, "localhost") == 0 ||
	       g_ascii_strcasecmp(host, g_get_host_name()) == 0;
}

/* NULL with error. The caller frees it. */
static char *named_places_of_uri(const char *uri, GError **error)
{
	g_autofree char *host = NULL;
	g_autofree char *path = g_filename_from_uri(uri, &host, error);
	if (!path || named_places_is_here(host))
		return g_steal_pointer(&path);
	g_set_error(error, OPTIONS_ERROR, OPTIONS_ERROR_USAGE,
	        _("%s is a file on another computer, %s"), uri, host);
	return NULL;
}

static bool named_places_is_home(const char *text)
{
	struct stat st;
	return text[0] == '~' && (text[1] == '/' || text[1] == '\0') && lstat(text, &st) != 0;
}

/* Replaces *text if it is a URI or begins with "~". */
static bool named_places_resolve_one(Arguments *args, const char **text, GError **error)
{
	char *path = NULL;
	if (g_ascii_strncasecmp(*text, "file://", strlen("file://")) == 0) {
		path = named_places_of_uri(*text, error);
		if (!path)
			return false;
	} else if (named_places_is_home(*text)) {
		path = g_strconcat(g_get_home_dir(), *text + 1, NULL);
	}
	if (path) {
		g_ptr_array_add(args->places, path);
		*text = path;
	}
	return true;
}

static bool named_places_takes(const GivenOption *given)
{
	const char *argument = given->option->argument;
	return given->value && argument &&
	       (strcmp(argument, "FILE") == 0 || strcmp(argument, "DIR") == 0);
}

bool named_places_resolve(Arguments *args, bool words, GError **error)
{
	for (guint i = 0; i < args->given->len; i++) {
		GivenOption *given = &g_array_index(args->given, GivenOption, i);
		if (named_places_takes(given) &&
		        !named_places_resolve_one(args, &given->value, error))
			return false;
	}
	for (guint i = 0; words && i < args->words->len; i++) {
		const char *word = args->words->pdata[i];
		if (!named_places_resolve_one(args, &word, error))
			return false;
		args->words->pdata[i] = (gpointer)word;
	}
	return true;
}
