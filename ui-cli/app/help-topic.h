/* SPDX-License-Identifier: GPL-3.0-or-later */
/* help-topic.h - texts that "tarsier help TOPIC" shows */
#pragma once
#include <glib.h>

typedef struct {
	const char *name; /* also of the file, without ".md" */
	const char *summary; /* one line, untranslated */
} HelpTopic;

extern const HelpTopic help_topics[]; /* ends with an entry without name */

/* NULL if there is no such topic. */
const HelpTopic *help_topic_find(const char *name);
/* The text in Markdown: UTF-8, in the first of the user's languages that has one, else in English.
 * The files are those of the installation, or below TARSIER_DATA in a tree that is not installed.
 * The caller frees the text; NULL with error. */
char *help_topic_load(const HelpTopic *topic, GError **error);
