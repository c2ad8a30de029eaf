/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/app/near-print.h"
#include "common/base/document-problem.h"
#include "common/base/i18n.h"
#include "common/base/paths.h"
#include "index/query/query.h"
#include "index/text/fingerprint.h"
#include "ui-cli/app/convert-file.h"
#include "ui-cli/app/target.h"

static bool fail_short(const char *argument, GError **error)
{
	g_set_error(error, QUERY_ERROR, 0,
	        _("%s has too few words for a comparison; at least %d different words are needed"),
	        argument, FINGERPRINT_MIN_WORDS);
	return false;
}

/* Nor does a document whose text could not be read. */
static bool fail_unread(const char *argument, const Document *doc, GError **error)
{
	g_autofree char *problem = document_problem_text(doc->reason, doc->detail);
	g_set_error(error, QUERY_ERROR, 0, "%s: %s", argument,
	        problem ? problem : document_reason_text(doc->reason));
	return false;
}

/* 1: found; 0: the index does not have the file's current version. */
static int from_index(Cli *cli, const char *argument, NearPrint *print_r)
{
	g_autoptr(Info) info = target_info(cli, argument, false, NULL);
	if (!info || !info->has_near || info->stale)
		return 0;
	*print_r = info->near;
	return 1;
}

static bool from_file(Cli *cli, const char *argument, const char *path, const char *member,
        NearPrint *print_r, GError **error)
{
	g_autoptr(GPtrArray) docs = convert_file(cli, path, error);
	for (guint i = 0; docs && i < docs->len; i++) {
		Fingerprint fingerprint;
		const Document *doc = docs->pdata[i];
		if (g_strcmp0(doc->member, member) != 0)
			continue;
		fingerprint_document(doc, NULL, &fingerprint);
		*print_r = fingerprint.near;
		if (!fingerprint.has_near && doc->state == STATE_FAILED)
			return fail_unread(argument, doc, error);
		return fingerprint.has_near || fail_short(argument, error);
	}
	if (docs)
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_NOENT,
		        _("%s: there is no such member"), argument);
	return false;
}

bool near_print_of(Cli *cli, const char *argument, NearPrint *print_r, char **path_r,
        char **member_r, GError **error)
{
	target_split(argument, path_r, member_r);
	if (from_index(cli, argument, print_r))
		return true;
	/* the index has all of a page */
	if (path_is_web(*path_r))
		return fail_short(argument, error);
	return from_file(cli, argument, *path_r, *member_r, print_r, error);
}
