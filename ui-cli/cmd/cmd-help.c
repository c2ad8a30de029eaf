/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/cmd/verbs.h"
#include "ui-cli/cmd/commands.h"
#include "ui-cli/app/help-topic.h"
#include "ui-cli/app/nearest-name.h"
#include "ui-cli/app/pager.h"
#include "ui-cli/print/help-text.h"
#include "ui-cli/print/note-fold.h"
#include "ui-cli/print/screen.h"
#include "common/base/i18n.h"
#include "common/base/text.h"
#include <stdlib.h>
#include <string.h>

enum { VERB_COLUMN = 16, OPTION_COLUMN = 26 };

/* Prints a row of two columns. On a narrow terminal the right column is folded. */
static void put_row(
        const Screen *screen, FILE *out, const char *left, unsigned column, const char *right)
{
	enum { MARGIN = 2, LINES = 6, NARROW_COLUMN = 6, RIGHT_MIN = 24 };
	g_autoptr(GString) folded = g_string_new(NULL);

	if (screen->terminal && column + MARGIN + RIGHT_MIN > screen->width)
		column = NARROW_COLUMN;
	unsigned cells = text_cells(left, strlen(left)), indent = column + MARGIN;
	if (screen->terminal && indent + text_cells(right, strlen(right)) > screen->width)
		screen_append_folded(screen, folded, right, NULL, indent, LINES);
	else
		g_string_append_printf(folded, "%*s%s\n", (int)indent, "", right);
	if (cells + MARGIN > column)
		fprintf(out, "  %s\n%s", left, folded->str);
	else
		fprintf(out, "  %s%s", left, folded->str + MARGIN + cells);
}

static bool help_fits(const Screen *screen, unsigned column, const char *text)
{
	return !screen->terminal || column + text_cells(text, strlen(text)) <= screen->width;
}

/* Prints lines of text, each folded if the terminal is too narrow for it. */
static void put_text(const Screen *screen, FILE *out, const char *text)
{
	g_autoptr(GString) folded = g_string_new(NULL);
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	for (char **line = lines; line[0] && (line[0][0] || line[1]); line++) {
		bool fits = help_fits(screen, 0, *line);
		note_fold_append(
		        folded, fits ? *line : g_strchug(*line), fits ? 0 : screen->width, 0);
	}
	fputs(folded->str, out);
}

/* "a|b" as it is if it fits after the column, else with blanks, where it can be folded. The caller
 * frees it. */
static char *help_alternatives(const Screen *screen, unsigned column, const char *text)
{
	g_auto(GStrv) parts = g_strsplit(text, "|", -1);
	return help_fits(screen, column, text) ? g_strdup(text) : g_strjoinv(" | ", parts);
}

static void put_choices(const Screen *screen, FILE *out, const char *choices)
{
	g_autofree char *text = help_alternatives(screen, OPTION_COLUMN, choices);
	put_row(screen, out, "", OPTION_COLUMN, text);
}

static void put_options(const Screen *screen, FILE *out, const Option *options)
{
	for (const Option *o = options; o->name; o++) {
		g_autoptr(GString) left = g_string_new(NULL);
		if (o->letter)
			g_string_append_printf(left, "-%c, ", o->letter);
		else
			g_string_append(left, "    ");
		g_string_append_printf(left, "--%s", o->name);
		if (o->kind == OPTION_MAYBE)
			g_string_append_printf(left, "[=%s]", _(o->argument));
		else if (o->kind == OPTION_CHOICE)
			g_string_append_printf(left, " %s", _("WHICH"));
		else if (o->argument)
			g_string_append_printf(left, " %s", _(o->argument));
		put_row(screen, out, left->str, OPTION_COLUMN, _(o->help));
		if (o->kind == OPTION_CHOICE)
			put_choices(screen, out, o->argument);
	}
}

static const char *cmd_help_arguments_of(const Verb *verb)
{
	return *verb->arguments ? _(verb->arguments) : "";
}

static void put_all(const Screen *screen, FILE *out)
{
	put_text(screen, out,
	        _("Usage: tarsier [OPTION…] WORD…          search\n"
	          "       tarsier [OPTION…] VERB [ARGUMENT…]\n\n"));
	put_text(screen, out,
	        _("Finds files by their words, names and metadata. Words without a verb are a "
	          "search.\n\nVerbs:\n"));
	for (const Verb *verb = verbs; verb->name; verb++)
		put_row(screen, out, verb->name, VERB_COLUMN, _(verb->summary));
	fprintf(out, _("\nTopics:\n"));
	for (const HelpTopic *topic = help_topics; topic->name; topic++)
		put_row(screen, out, topic->name, VERB_COLUMN, _(topic->summary));
	fprintf(out, _("\nOptions for every verb:\n"));
	put_options(screen, out, common_options);
	put_text(screen, out,
	        _("\n\"tarsier help VERB\" and \"tarsier help TOPIC\" show more; tarsier(1) "
	          "describes everything.\n"));
}

/* The details are sentences, a line for each. */
static void put_details(const Screen *screen, FILE *out, const char *details)
{
	g_autoptr(GString) folded = g_string_new(NULL);
	g_auto(GStrv) lines = g_strsplit(details, "\n", -1);
	for (char **line = lines; *line; line++) {
		if (screen->terminal)
			screen_append_folded(screen, folded, *line, NULL, 0, G_MAXUINT);
		else
			g_string_append_printf(folded, "%s\n", *line);
	}
	fprintf(out, "\n%s", folded->str);
}

static void put_usage(const Screen *screen, FILE *out, const Verb *verb)
{
	const char *arguments = cmd_help_arguments_of(verb);
	g_autofree char *usage = g_strdup_printf(_("Usage: tarsier %s [OPTION…]%s%s\n\n"),
	        verb->name, *arguments ? " " : "", arguments);
	g_autofree char *line = g_strchomp(help_alternatives(screen, 0, usage));
	put_text(screen, out, line);
	fputc('\n', out);
}

static void put_verb(const Screen *screen, FILE *out, const Verb *verb)
{
	put_usage(screen, out, verb);
	put_text(screen, out, _(verb->summary));
	if (verb->details)
		put_details(screen, out, _(verb->details));
	if (verb->options->name) {
		fprintf(out, _("\nOptions:\n"));
		put_options(screen, out, verb->options);
	}
	fprintf(out, _("\nOptions for every verb:\n"));
	put_options(screen, out, common_options);
}

/* verb: NULL for the help on all of them. */
static void append_help(const Screen *screen, GString *text, const Verb *verb)
{
	char *help = NULL;
	size_t length;
	FILE *file = open_memstream(&help, &length);
	if (file) {
		if (verb)
			put_verb(screen, file, verb);
		else
			put_all(screen, file);
		fclose(file);
		g_string_append_len(text, help, length);
	}
	free(help);
}

void help_verb(FILE *out, const Verb *verb)
{
	g_autoptr(GString) text = g_string_new(NULL);
	Screen screen;
	screen_init(&screen, out, COLOR_NEVER);
	append_help(&screen, text, verb);
	screen_put(&screen, text);
}

void help_all(FILE *out)
{
	help_verb(out, NULL);
}

/* verb: the verb of the same name, whose help comes last, or NULL. */
static int help_topic_show(Cli *cli, const HelpTopic *topic, const Verb *verb)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *text = help_topic_load(topic, &error);
	g_autoptr(GString) shown = g_string_new(NULL);

	if (!text && !verb)
		return cli_fail(error);
	if (text)
		help_text_append(&cli->out, shown, text);
	if (verb && text)
		g_string_append_c(shown, '\n');
	if (verb)
		append_help(&cli->out, shown, verb);
	g_autoptr(Pager) pager = pager_prepare(&cli->out);
	pager_print(pager, &cli->out, shown);
	return EXIT_OK;
}

static void help_show(Cli *cli, const Verb *verb)
{
	g_autoptr(GString) text = g_string_new(NULL);
	g_autoptr(Pager) pager = pager_prepare(&cli->out);
	append_help(&cli->out, text, verb);
	pager_print(pager, &cli->out, text);
}

/* The verb or topic whose name is spelt nearly so, or NULL. */
static const char *help_suggest(const char *name)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	for (const Verb *verb = verbs; verb->name; verb++)
		g_ptr_array_add(names, (gpointer)verb->name);
	for (const HelpTopic *topic = help_topics; topic->name; topic++)
		g_ptr_array_add(names, (gpointer)topic->name);
	int best = nearest_name(
	        name, (const char *const *)names->pdata, names->len, nearest_name_limit(name));
	return best >= 0 ? names->pdata[best] : NULL;
}

int cmd_help(Cli *cli)
{
	const char *name = cli_word(cli, 0);
	const Verb *verb = name ? verb_find(name) : NULL;
	const HelpTopic *topic = name ? help_topic_find(name) : NULL;
	const char *nearest = name && !verb && !topic ? help_suggest(name) : NULL;

	if (topic)
		return help_topic_show(cli, topic, verb);
	if (verb || !name)
		help_show(cli, verb);
	else if (nearest)
		cli_say(_("\"%s\" is neither a verb nor a topic; did you mean \"tarsier help "
		          "%s\"?"),
		        name, nearest);
	else
		cli_say(_("\"%s\" is neither a verb nor a topic; \"tarsier help\" lists them"),
		        name);
	return name && !verb ? EXIT_USAGE : EXIT_OK;
}
