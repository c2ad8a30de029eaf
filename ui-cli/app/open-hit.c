/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/app/open-hit.h"
#include "index/search/snippet.h"
#include "common/base/i18n.h"
#include "common/base/paths.h"
#include "ui-cli/app/member-file.h"
#include <errno.h>
#include <unistd.h>

/* Viewers tell badly why they cannot read a file, or not at all. */
static bool open_hit_is_readable(const char *path, GError **error)
{
	if (access(path, R_OK) == 0)
		return true;
	int code = errno;
	if (code == ENOENT || code == ENOTDIR)
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_NOENT, _("%s does not exist"), path);
	else
		g_set_error(error, G_FILE_ERROR, g_file_error_from_errno(code), "%s: %s", path,
		        g_strerror(code));
	return false;
}

char *open_hit_path(Cli *cli, const LastHit *hit, GError **error)
{
	if (path_is_web(hit->path))
		return g_strdup(hit->path);
	if (!open_hit_is_readable(hit->path, error))
		return NULL;
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
