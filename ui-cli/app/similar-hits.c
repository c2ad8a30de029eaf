/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/app/similar-hits.h"

void similar_drop_itself(SearchResult *result, int64_t inode, const char *member, unsigned limit)
{
	for (guint i = result->hits->len; i-- > 0;) {
		const Info *info = &((const Hit *)result->hits->pdata[i])->info;
		if (info->inode != inode || g_strcmp0(info->member, member) != 0)
			continue;
		g_ptr_array_remove_index(result->hits, i);
		result->total--;
	}
	if (result->hits->len > limit)
		g_ptr_array_set_size(result->hits, limit);
}
