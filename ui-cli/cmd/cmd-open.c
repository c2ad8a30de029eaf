/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/cmd/commands.h"
#include "ui-cli/app/choices.h"
#include "ui-cli/app/open-hit.h"
#include "ui-cli/app/target.h"
#include "common/base/i18n.h"
#include <string.h>

/* key: of the words whose hit it is; NULL: the user named the file. */
static int cmd_open_hit(Cli *cli, const LastHit *hit, const char *key)
{
	g_autoptr(GError) error = NULL;
	if (open_hit(cli, hit, &error)) {
		if (key && *key)
			choices_note(cli, key, hit->path, hit->member);
		return EXIT_OK;
	}
	int code = cli_fail_file(error);
	return code == EXIT_NOTHING ? EXIT_NOTHING : EXIT_PARTIAL;
}

static void say_how_many(const LastSearch *last)
{
	unsigned n = last->hits->len;
	if (n > 0 && last->first_rank > 1)
		cli_say(_("the last search showed the hits %u to %u"), last->first_rank,
		        last->first_rank + n - 1);
	else if (n == 0)
		cli_say(_("the last search found nothing"));
	else
		cli_say(ngettext("there is %u hit", "there are %u hits", n), n);
}

/* A number is the rank of a hit of the last search. It is never taken for a document's ID, which
 * would open what nobody asked for. */
static int open_rank(Cli *cli, uint64_t rank)
{
	g_autoptr(LastSearch) last = last_search_load(cli->socket_path, cli->cache_dir);
	const LastHit *hit = last ? last_search_hit(last, rank) : NULL;
	g_autoptr(GError) error = NULL;

	if (hit)
		return cmd_open_hit(cli, hit, last->key);
	if (last)
		say_how_many(last);
	else if (!cli_reader(cli, &error))
		return cli_fail(error);
	else
		cli_say(_("there was no search in this terminal yet"));
	cli_note(cli, _("For the document with this number, write \"tarsier open id:%s\"."),
	        cli_word(cli, 0));
	return EXIT_USAGE;
}

static int open_id(Cli *cli)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(Info) info = target_info(cli, cli_word(cli, 0), true, &error);
	if (error)
		return cli_fail(error);
	if (!info) {
		cli_say(_("there is no document %s"), cli_word(cli, 0));
		return EXIT_NOTHING;
	}
	const LastHit hit = {info->path, info->member, info->mime, {0, 0}};
	return cmd_open_hit(cli, &hit, NULL);
}

static int forget_choices(Cli *cli)
{
	g_autoptr(GError) error = NULL;
	return choices_forget(cli, &error) ? EXIT_OK : cli_fail(error);
}

int cmd_open(Cli *cli)
{
	LastHit hit = {NULL};
	uint64_t number;

	if (options_has(cli->args, "forget") && cli_n_words(cli) > 0) {
		cli_say(_("--forget forgets all opened hits and takes no argument"));
		return EXIT_USAGE;
	}
	if (options_has(cli->args, "forget"))
		return forget_choices(cli);
	if (cli_n_words(cli) == 0) {
		cli_say(_("%s needs %s; see \"tarsier help %s\""), "open", _("N|ID|FILE"), "open");
		return EXIT_USAGE;
	}
	if (target_is_number(cli_word(cli, 0), &number))
		return open_rank(cli, number);
	if (target_is_id(cli_word(cli, 0), &number))
		return open_id(cli);
	if (strcmp(cli_word(cli, 0), "0") == 0) {
		cli_say(_("hits are counted from 1"));
		return EXIT_USAGE;
	}
	target_split(cli_word(cli, 0), &hit.path, &hit.member);
	int code = cmd_open_hit(cli, &hit, NULL);
	g_free(hit.path);
	g_free(hit.member);
	return code;
}
