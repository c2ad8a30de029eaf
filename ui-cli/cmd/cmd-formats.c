/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/cmd/commands.h"
#include "ui-cli/app/convert-file.h"
#include "ui-cli/print/json-writer.h"
#include "ui-cli/print/note-fold.h"
#include "common/base/i18n.h"
#include "common/base/text.h"
#include <string.h>

static const char *cmd_formats_state_of(const ConverterPlugin *plugin)
{
	if (converter_plugin_is_off(plugin))
		return "off";
	return plugin->usable ? "ok" : "missing";
}

static void cmd_formats_append_json(GString *out, const ConverterPlugin *plugin)
{
	json_open(out, NULL, '{');
	json_text(out, "name", plugin->name);
	json_text(out, "state", cmd_formats_state_of(plugin));
	json_unsigned(out, "version", plugin->version);
	json_text(out, "library", plugin->library);
	json_text(out, "missing", plugin->missing);
	json_open(out, "mime", '[');
	for (char **mime = plugin->mime_types; mime && *mime; mime++)
		json_text(out, NULL, *mime);
	json_close(out, ']');
	json_close(out, '}');
	g_string_append_c(out, '\n');
}

/* "pdf 12, PDFium 1.0", and what is missing. The caller frees it. */
static char *cmd_formats_head(const ConverterPlugin *plugin)
{
	const char *missing = plugin->missing ? plugin->missing : _("missing");
	bool library = plugin->library && *plugin->library;
	return g_strdup_printf("%s %u%s%s%s%s", plugin->name, plugin->version, library ? ", " : "",
	        library ? plugin->library : "", plugin->usable ? "" : ": ",
	        plugin->usable ? "" : missing);
}

static void cmd_formats_append_block(
        const Screen *screen, GString *out, const ConverterPlugin *plugin)
{
	enum { INDENT = 4 };
	g_autofree char *types = plugin->mime_types ? g_strjoinv(" ", plugin->mime_types) : NULL;
	g_autofree char *head = cmd_formats_head(plugin), *escaped = screen_escaped(head);
	g_autofree char *name = screen_escaped(plugin->name);
	g_autoptr(GString) folded = g_string_new(NULL);
	unsigned width = screen->width > 2 * INDENT ? screen->width - INDENT : 1;

	note_fold_append(folded, escaped, screen->terminal ? width : 0, INDENT);
	g_string_append_printf(
	        out, "%s%s%s", screen_on(screen, STYLE_TITLE), name, screen_off(screen));
	if (!plugin->usable)
		g_string_append(out,
		        screen_on(screen, converter_plugin_is_off(plugin) ? STYLE_DIM : STYLE_BAD));
	g_string_append(out, folded->str + strlen(name));
	if (!plugin->usable)
		g_string_append(out, screen_off(screen));
	if (types)
		screen_append_folded(screen, out, types, NULL, INDENT, 100);
}

/* word: in small letters, a part of the extractor's name or of one of its types; NULL: any. */
static bool cmd_formats_is_asked_for(const ConverterPlugin *plugin, const char *word)
{
	bool found = !word || strstr(plugin->name, word);
	for (char **mime = plugin->mime_types; !found && mime && *mime; mime++)
		found = strstr(*mime, word) != NULL;
	return found;
}

int cmd_formats(Cli *cli)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(GString) out = g_string_new(NULL);
	g_autoptr(Converter) converter = NULL;
	g_autofree char *word = cli_word(cli, 0) ? g_ascii_strdown(cli_word(cli, 0), -1) : NULL;
	const Settings *settings = cli_settings(cli, &error);
	ConverterOptions options;
	size_t found = 0;

	if (!settings)
		return cli_fail(error);
	options = convert_options(settings);
	converter = converter_start(&options, &error);
	if (!converter)
		return cli_fail(error);
	const ConverterInfo *info = converter_info(converter);
	for (size_t i = 0; i < info->n_plugins; i++) {
		if (!cmd_formats_is_asked_for(&info->plugins[i], word))
			continue;
		found++;
		if (cli->quiet)
			continue;
		if (cli->json)
			cmd_formats_append_json(out, &info->plugins[i]);
		else
			cmd_formats_append_block(&cli->out, out, &info->plugins[i]);
	}
	screen_put(&cli->out, out);
	if (found == 0 && word)
		cli_note(cli,
		        _("\"%s\" is not part of an extractor's name or of a type that one reads; "
		          "\"tarsier help formats\" tells what is read."),
		        cli_word(cli, 0));
	return found > 0 ? EXIT_OK : EXIT_NOTHING;
}
