/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/app/help-topic.h"
#include "common/base/i18n.h"
#include "common/base/install-dirs.h"
#include "common/base/text.h"
#include <string.h>

const HelpTopic help_topics[] = {
        {"query", N_("words, phrases, patterns, fields and dates in a search")},
        {"formats", N_("what is read, and what to do if a format is missing")},
        {"configuration", N_("what is watched, skipped and limited")},
        {"output", N_("exit codes, paths and JSON, for scripts")},
        {"web", N_("what sites publish, tried by hand")},
        {NULL, NULL},
};

const HelpTopic *help_topic_find(const char *name)
{
	for (const HelpTopic *topic = help_topics; topic->name; topic++) {
		if (strcmp(topic->name, name) == 0)
			return topic;
	}
	return NULL;
}

static char *help_topic_file(const HelpTopic *topic, const char *language)
{
	const char *dir = g_getenv("TARSIER_DATA");
	g_autofree char *name = g_strconcat(topic->name, ".md", NULL);
	return g_build_filename(dir && *dir ? dir : PKGDATADIR, "help", language, name, NULL);
}

static char *load_text(const char *file, GError **error)
{
	g_autofree char *bytes = NULL;
	gsize length;
	return g_file_get_contents(file, &bytes, &length, error) ? text_to_utf8(bytes, length)
	                                                         : NULL;
}

char *help_topic_load(const HelpTopic *topic, GError **error)
{
	for (const char *const *l = g_get_language_names(); *l; l++) {
		if (strchr(*l, '/') || **l == '.' || strcmp(*l, "C") == 0)
			continue;
		if (g_str_has_prefix(*l, "en"))
			break;
		g_autofree char *file = help_topic_file(topic, *l);
		char *text = load_text(file, NULL);
		if (text)
			return text;
	}
	g_autofree char *file = help_topic_file(topic, "");
	return load_text(file, error);
}
