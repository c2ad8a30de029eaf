/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/cmd/commands.h"
#include "ui-cli/print/entry.h"
#include "ui-cli/print/json-writer.h"
#include "ui-cli/print/printer.h"
#include "ui-cli/app/source-list.h"
#include "ui-cli/app/target.h"
#include "ui-cli/app/why-not.h"
#include "common/base/i18n.h"
#include "common/base/paths.h"
#include "common/base/text.h"
#include <grp.h>
#include <pwd.h>
#include <string.h>

static void cmd_info_append_json(GString *out, const Info *info)
{
	json_open(out, NULL, '{');
	entry_json(out, info);
	json_bool(out, "indexed", true);
	json_text(out, "detail", info->detail);
	if (info->document)
		json_int(out, "id", info->document);
	else
		json_nil(out, "id");
	json_text(out, "type", entry_type(info));
	json_text(out, "title", info->title);
	json_text(out, "author", info->author);
	json_text(out, "lang", info->lang);
	json_time(out, "date", info->date, true);
	json_count(out, "pages", info->pages);
	json_count(out, "duration", info->seconds);
	json_text(out, "extractor", info->extractor);
	json_unsigned(out, "version", info->version);
	json_unsigned(out, "tries", info->tries);
	json_unsigned(out, "members", info->members);
	json_unsigned(out, "members_failed", info->members_failed);
	json_unsigned(out, "members_truncated", info->members_truncated);
	json_unsigned(out, "members_excluded", info->members_excluded);
	json_close(out, '}');
	g_string_append_c(out, '\n');
}

static void append_unknown_json(GString *out, const char *path, const char *member, const char *why)
{
	json_open(out, NULL, '{');
	json_path(out, path);
	if (member)
		json_bytes(out, "member", member);
	json_bool(out, "indexed", false);
	json_text(out, "detail", why);
	json_close(out, '}');
	g_string_append_c(out, '\n');
}

/* The values stand in one column, whatever the language. */
static size_t info_label_cells(void)
{
	static const char *const labels[] = {N_("state"), N_("reason"), N_("kind"), N_("type"),
	        N_("size"), N_("changed"), N_("owner, mode"), N_("checksum"), N_("document"),
	        N_("title"), N_("author"), N_("language"), N_("date"), N_("pages"), N_("length"),
	        N_("extractor"), N_("members"), N_("visits")};
	size_t most = 0;
	for (size_t i = 0; i < G_N_ELEMENTS(labels); i++)
		most = MAX(most, text_cells(_(labels[i]), strlen(_(labels[i]))));
	return most + 1;
}

/* Appends a row unless its value is empty. On a terminal, a long value is folded in its column. */
static void cmd_info_append_row(
        const Screen *screen, GString *out, const char *label, const char *value)
{
	enum { INDENT = 2 };
	size_t cells = text_cells(label, strlen(label)), column = info_label_cells();

	if (!value || !*value)
		return;
	g_string_append_printf(out, "%*s%s%s%s%*s", INDENT, "", screen_on(screen, STYLE_DIM), label,
	        screen_off(screen), (int)(cells < column ? column - cells : 1), "");
	if (screen->terminal) {
		g_autoptr(GString) folded = g_string_new(NULL);
		screen_append_folded(screen, folded, value, NULL, INDENT + column, G_MAXUINT);
		g_string_append(out, folded->str + INDENT + column);
	} else {
		text_append_escaped(out, value, -1);
		g_string_append_c(out, '\n');
	}
}

/* "1:02:03"; NULL if there is no length. The caller frees it. */
static char *cmd_info_length_of(int64_t seconds)
{
	int hours = seconds / 3600, minutes = seconds / 60 % 60, rest = seconds % 60;
	if (seconds <= 0)
		return NULL;
	return hours > 0 ? g_strdup_printf("%d:%02d:%02d", hours, minutes, rest)
	                 : g_strdup_printf("%d:%02d", minutes, rest);
}

/* NULL if there are none. The caller frees it. */
static char *cmd_info_members(const Info *info)
{
	if (info->members == 0 && info->members_excluded == 0)
		return NULL;
	GString *out = g_string_new(NULL);
	g_string_append_printf(out, "%u", info->members);
	if (info->members_excluded > 0)
		g_string_append_printf(
		        out, _("; %u excluded: keys or passwords"), info->members_excluded);
	if (info->members_failed > 0 || info->members_truncated > 0)
		g_string_append_printf(out,
		        _("; %u failed, %u read in part: \"tarsier failed\" says why"),
		        info->members_failed, info->members_truncated);
	return g_string_free(out, FALSE);
}

static void cmd_info_append_document(const Screen *screen, GString *out, const Info *info)
{
	g_autofree char *id =
	        info->document ? g_strdup_printf("%" G_GINT64_FORMAT, info->document) : NULL;
	g_autofree char *pages =
	        info->pages > 0 ? g_strdup_printf("%" G_GINT64_FORMAT, info->pages) : NULL;
	g_autofree char *length = cmd_info_length_of(info->seconds);
	g_autofree char *date = info->date ? screen_time(info->date) : NULL;
	g_autofree char *converter = NULL;
	g_autofree char *members = cmd_info_members(info);

	if (info->extractor)
		converter = g_strdup_printf("%s %u", info->extractor, info->version);
	cmd_info_append_row(screen, out, _("document"), id);
	cmd_info_append_row(screen, out, _("title"), info->title);
	cmd_info_append_row(screen, out, _("author"), info->author);
	cmd_info_append_row(screen, out, _("language"), info->lang);
	cmd_info_append_row(screen, out, _("date"), date);
	cmd_info_append_row(screen, out, _("pages"), pages);
	cmd_info_append_row(screen, out, _("length"), length);
	cmd_info_append_row(screen, out, _("extractor"), converter);
	cmd_info_append_row(screen, out, _("members"), members);
}

/* The digits are not grouped, as in all other numbers. NULL: it has no size. The caller frees it.
 */
static char *cmd_info_size(const Info *info)
{
	enum { KILO = 1000 };
	int64_t bytes = info_size(info);
	g_autofree char *size = bytes >= 0 ? g_format_size(bytes) : NULL;
	if (bytes < KILO)
		return g_steal_pointer(&size);
	return g_strdup_printf(
	        ngettext("%s (%ld byte)", "%s (%ld bytes)", bytes), size, (long)bytes);
}

static void append_owner(GString *out, const char *name, uint32_t id)
{
	if (name)
		g_string_append(out, name);
	else
		g_string_append_printf(out, "%u", id);
}

/* Owner, group and mode; numbers where the system knows no name. The caller frees it. */
static char *cmd_info_owner(const EntryStat *stat)
{
	GString *out = g_string_new(NULL);
	const struct passwd *passwd = getpwuid(stat->uid);
	append_owner(out, passwd ? passwd->pw_name : NULL, stat->uid);
	g_string_append_c(out, ':');
	const struct group *group = getgrgid(stat->gid);
	append_owner(out, group ? group->gr_name : NULL, stat->gid);
	g_string_append_printf(out, " %04o", stat->mode & 07777);
	return g_string_free(out, FALSE);
}

static void cmd_info_append_block(const Screen *screen, GString *out, const Info *info)
{
	g_autofree char *path = info_full_path(info);
	g_autofree char *problem = entry_problem(info);
	g_autofree char *size = cmd_info_size(info);
	g_autofree char *changed = screen_time(info_mtime(info));
	g_autofree char *owner = cmd_info_owner(&info->stat);
	g_autoptr(GString) checksum = g_string_new(NULL);

	if (info->has_checksum)
		text_append_hex(checksum, info->checksum, CHECKSUM_BYTES);
	screen_append_link(screen, out, STYLE_PATH, path, info->path);
	g_string_append_c(out, '\n');
	cmd_info_append_row(screen, out, _("state"), entry_state_text(info));
	cmd_info_append_row(screen, out, _("reason"), problem);
	cmd_info_append_row(screen, out, _("kind"), entry_kind_text(info));
	cmd_info_append_row(screen, out, _("type"), info->mime);
	cmd_info_append_row(screen, out, _("size"), size);
	cmd_info_append_row(screen, out, _("changed"), changed);
	cmd_info_append_row(screen, out, _("owner, mode"), owner);
	cmd_info_append_row(screen, out, _("checksum"), checksum->str);
	cmd_info_append_document(screen, out, info);
}

/* A site or feed as a whole, which has no size, time or owner of its own. */
static void cmd_info_append_source(Cli *cli, GString *out, const Info *info)
{
	g_autoptr(SourceList) sources = source_list_new(cli);
	screen_append_link(&cli->out, out, STYLE_PATH, info->path, info->path);
	g_string_append_c(out, '\n');
	for (guint i = 0; i < sources->states->len; i++) {
		const SourceState *state = &g_array_index(sources->states, SourceState, i);
		if (strcmp(state->source->url, info->path) != 0)
			continue;
		g_autofree char *visits = source_text(state);
		cmd_info_append_row(
		        &cli->out, out, _("kind"), state->source->is_feed ? _("feed") : _("site"));
		cmd_info_append_row(&cli->out, out, _("visits"), visits);
	}
}

static void append_known(Cli *cli, GString *out, const Info *info)
{
	if (cli->json)
		cmd_info_append_json(out, info);
	else if (path_is_web(info->path) && info->stat.kind == ENTRY_DIR)
		cmd_info_append_source(cli, out, info);
	else
		cmd_info_append_block(&cli->out, out, info);
}

/* member: NULL: path itself is not there. */
static void append_unknown(
        const Cli *cli, GString *out, const char *path, const char *member, const char *why)
{
	if (cli->json) {
		append_unknown_json(out, path, member, why);
		return;
	}
	g_autofree char *whole = g_strconcat(path, member ? "|" : NULL, member, NULL);
	screen_append(&cli->out, out, STYLE_PATH, whole);
	g_string_append_c(out, '\n');
	cmd_info_append_row(&cli->out, out, _("state"), _("not in the index"));
	cmd_info_append_row(&cli->out, out, _("reason"), why);
}

/* 1: in the index; 0: not in the index; -1: error. */
static int cmd_info_show(Cli *cli, const char *argument, GString *out, GError **error)
{
	g_autofree char *path = NULL, *member = NULL, *why = NULL;
	g_autoptr(Info) info = target_info(cli, argument, false, error);
	const Settings *settings;

	if (info)
		append_known(cli, out, info);
	if (info || *error)
		return info ? 1 : -1;
	settings = cli_settings(cli, error);
	if (!settings)
		return -1;
	target_split(argument, &path, &member);
	if (member)
		why = why_not_member(cli, settings, member);
	else
		why = why_not_indexed(cli, settings, path);
	append_unknown(cli, out, path, member, why);
	return 0;
}

int cmd_info(Cli *cli)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(GString) out = g_string_new(NULL);
	int code = EXIT_OK;

	for (unsigned i = 0; i < cli_n_words(cli); i++) {
		int known = cmd_info_show(cli, cli_word(cli, i), out, &error);
		if (known < 0)
			return cli_fail(error);
		if (known == 0)
			code = EXIT_NOTHING;
		if (!cli->quiet)
			screen_put(&cli->out, out);
		g_string_truncate(out, 0);
	}
	return code;
}
