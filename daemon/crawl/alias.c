/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/crawl/alias.h"
#include "common/base/autofd.h"
#include "daemon/crawl/volumes.h"
#include "daemon/fs/safeopen.h"
#include <string.h>

/* NULL: it is not UTF-8. */
static char *alias_fold(const char *name)
{
	g_autofree char *folded =
	        g_utf8_validate(name, -1, NULL) ? g_utf8_casefold(name, -1) : NULL;
	return folded ? g_utf8_normalize(folded, -1, G_NORMALIZE_ALL) : NULL;
}

bool alias_is(const Crawl *crawl, const Place *place, const char *name)
{
	const Volume *volume = volume_of(crawl, place->dir);
	Agent *agent = place->root->agent;
	bool other = false;
	const char *listed;
	g_autofree char *wanted = volume && volume->folds_case ? alias_fold(name) : NULL;
	autofd fd = wanted ? safe_open_dir(agent, place->fd, "", NULL) : -1;
	if (fd < 0)
		return false;
	g_autoptr(SafeList) list = safe_list_new(agent, fd);
	while ((listed = safe_list_next(list))) {
		if (strcmp(listed, name) == 0)
			return false;
		g_autofree char *folded = alias_fold(listed);
		other |= g_strcmp0(folded, wanted) == 0;
	}
	return other;
}
