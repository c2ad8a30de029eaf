/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/app/open-hit.h"
#include "index/search/snippet.h"
#include "common/base/i18n.h"
#include "common/base/paths.h"
#include "ui-cli/app/member-file.h"

char *open_hit_path(Cli *cli, const LastHit *hit, GError **error)
{
	if (path_is_web(hit->path))
		return g_strdup(hit->path);
	if (!g_file_test(hit->path, G_FILE_TEST_EXISTS)) {
		g_set_error(
		        error, G_FILE_ERROR, G_FILE_ERROR_NOENT, _("%s does not exist"), hit->path);
		return NULL;
	}
	return hit->member ? member_file_extract(cli, hit->path, hit->member, error)
	                   : g_strdup(hit->path);
}

bool open_hit(Cli *cli, const LastHit *hit, GError **error)
{
	g_autofree char *path = open_hit_path(cli, hit, error);
	return path && starter_open(cli->starter, path, hit->mime, hit->place, error);
}

ViewerPlace open_hit_place(const GPtrArray *snippets)
{
	const Snippet *first = snippets && snippets->len > 0 ? snippets->pdata[0] : NULL;
	if (!first)
		return (ViewerPlace){0, 0};
	bool paged = first->page > 0;
	bool opens = first->break_kind == BREAK_PAGE || first->break_kind == BREAK_CHAPTER;
	return (ViewerPlace){paged && opens ? first->page : 0, paged ? 0 : first->line};
}
