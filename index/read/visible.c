/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/read/visible.h"
#include "common/base/paths.h"
#include "index/read/access.h"
#include "index/read/away-roots.h"
#include "index/read/reader-private.h"

struct Visible {
	Reader *reader;
	uint32_t uid;
	GArray *away; /* AwayRoot */
	int64_t node; /* that was asked last; 0: none */
	bool seen, stale; /* the answer */
	bool stale_known;
};

Visible *visible_new_within(Reader *r, uint32_t uid, GError **error)
{
	GArray *away = away_roots(r, error);
	if (!away)
		return NULL;
	Visible *v = g_new0(Visible, 1);
	v->reader = r;
	v->uid = uid;
	v->away = away;
	return v;
}

Visible *visible_new(Reader *r, uint32_t uid, GError **error)
{
	if (!reader_begin(r, 0, error))
		return NULL;
	Visible *v = visible_new_within(r, uid, error);
	reader_end(r);
	return v;
}

void visible_free(Visible *v)
{
	if (!v)
		return;
	g_array_unref(v->away);
	g_free(v);
}

static bool visible_path_is_away(const Visible *v, const char *path)
{
	for (guint i = 0; i < v->away->len; i++)
		if (paths_is_below(path, g_array_index(v->away, AwayRoot, i).path))
			return true;
	return false;
}

static void visible_ask(Visible *v, const Info *info, bool wants_stale)
{
	v->node = info->node;
	v->stale = false;
	v->stale_known = wants_stale;
	if (!reader_tells(v->reader, info->path))
		v->seen = false;
	else if (visible_path_is_away(v, info->path))
		v->seen = true;
	else if (wants_stale)
		v->seen = access_check(info->path, &info->stat, v->uid, &v->stale) == ENTRY_SEEN;
	else
		v->seen = access_allows(info->path, info->stat.kind, v->uid);
}

bool visible_entry(Visible *v, const Info *info, bool *stale_r)
{
	if (v->node != info->node || (stale_r && !v->stale_known))
		visible_ask(v, info, stale_r != NULL);
	if (stale_r)
		*stale_r = v->stale;
	return v->seen && reader_tells_member(v->reader, info->member);
}

/* Does the directory of the entry show its name to the user, who may be unable to open it? */
static bool visible_name(const Visible *v, const Info *info)
{
	return visible_path_is_away(v, info->path) || access_lists(info->path, v->uid);
}

bool visible_failure(Visible *v, const Info *info)
{
	bool denied = info->inode_state == INODE_FAILED && info->reason == REASON_UNREADABLE;
	return visible_entry(v, info, NULL) || (denied && visible_name(v, info));
}

bool visible_is_away(const Visible *v, const Info *info)
{
	return visible_path_is_away(v, info->path);
}
