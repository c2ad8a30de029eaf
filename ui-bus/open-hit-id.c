/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-bus/open-hit-id.h"
#include "common/base/i18n.h"
#include "ui-bus/hit-id.h"
#include "ui-cli/app/choices.h"
#include "ui-cli/app/confine-client.h"
#include "ui-cli/app/live.h"
#include "ui-cli/app/open-hit.h"
#include "ui-cli/app/target.h"
#include <string.h>

/* Where the text is found in the entry. */
static ViewerPlace open_hit_id_place(Cli *cli, const Info *info, const char *text)
{
	Live live = {.hits_only = true};
	ViewerPlace place = {0, 0};
	live_search(&live, cli, text, LIVE_FIRST_HITS);
	for (guint i = 0; !live.fault && live.result && i < live.result->hits->len; i++) {
		const Info *hit = &((const Hit *)live.result->hits->pdata[i])->info;
		if (hit->node != info->node || hit->document != info->document)
			continue;
		live_begin_passages(&live, cli, i);
		g_autoptr(GPtrArray) passages = live_take_passages(&live);
		place = open_hit_place(passages);
		break;
	}
	live_clear(&live);
	return place;
}

static int open_hit_id_fail(const GError *error)
{
	if (error)
		return cli_fail(error);
	cli_say(_("the hit is no longer there"));
	return EXIT_NOTHING;
}

int open_hit_id(Cli *cli, const char *id, const char *text)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *path = NULL, *member = NULL;
	if (!hit_id_parse(id, &path, &member))
		return open_hit_id_fail(NULL);
	if (!cli_start_starter(cli, &error))
		return cli_fail(error);
	confine_client(cli, false);
	g_autoptr(Info) info = target_entry(cli, path, member, &error);
	if (!info)
		return open_hit_id_fail(error);
	g_autofree char *key = choices_key(text);
	const LastHit hit = {
	        info->path, info->member, info->mime, open_hit_id_place(cli, info, text)};
	if (!open_hit(cli, &hit, &error)) {
		cli_say("%s", error->message);
		return EXIT_PARTIAL;
	}
	if (*key)
		choices_note(cli, key, hit.path, hit.member);
	return EXIT_OK;
}
