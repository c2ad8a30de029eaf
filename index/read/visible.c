/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "index/read/visible.h"
#include "index/read/access.h"
#include "index/read/reachable.h"
#include "index/read/reader-private.h"

struct Visible {
	uint32_t uid;
	GPtrArray *away; /* char *: the roots that are not there */
	int64_t node; /* that was asked last; 0: none */
	bool seen, stale; /* the answer */
};

Visible *visible_new(Reader *r, uint32_t uid, GError **error)
{
	g_autoptr(GPtrArray) roots = NULL;
	if (!reader_root_paths(r, &roots, error))
		return NULL;
	Visible *v = g_new0(Visible, 1);
	v->uid = uid;
	v->away = g_ptr_array_new_with_free_func(g_free);
	for (guint i = 0; i < roots->len; i++)
		if (!reachable(roots->pdata[i]))
			g_ptr_array_add(v->away, g_strdup(roots->pdata[i]));
	return v;
}

void visible_free(Visible *v)
{
	if (!v)
		return;
	g_ptr_array_unref(v->away);
	g_free(v);
}

static bool visible_is_away(const Visible *v, const char *path)
{
	for (guint i = 0; i < v->away->len; i++)
		if (reader_path_is_below(path, v->away->pdata[i]))
			return true;
	return false;
}

bool visible_entry(Visible *v, const Info *info, bool *stale_r)
{
	if (v->node != info->node) {
		v->node = info->node;
		v->stale = false;
		v->seen = visible_is_away(v, info->path) ||
		          access_check(info->path, &info->stat, v->uid, &v->stale) == ENTRY_SEEN;
	}
	*stale_r = v->stale;
	return v->seen;
}
