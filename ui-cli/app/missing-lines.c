/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-cli/app/missing-lines.h"
#include "common/base/i18n.h"
#include <string.h>

enum { MISSING_SHOWN = 5 };

char *missing_line(const Missing *missing)
{
	const char *word = missing->typed ? missing->typed : missing->word;
	if (missing->by_itself && missing->typed && strchr(missing->typed, ' '))
		return g_strdup_printf(_("No text has the words \"%s\" in this order; without the "
		                         "quotes the order does not matter."),
		        word);
	if (missing->by_itself)
		return g_strdup_printf(_("\"%s\" by itself matches nothing."), word);
	if (!missing->better)
		return g_strdup_printf(_("No text or file name contains the word \"%s\"."), word);
	return g_strdup_printf(
	        _("No text or file name contains the word \"%s\"; the nearest word is \"%s\"."),
	        word, missing->better);
}

/* How many of those that have no line are words, or else other parts? */
static unsigned missing_lines_left(const GPtrArray *missing, bool by_itself)
{
	unsigned n = 0;
	for (guint i = MISSING_SHOWN; i < missing->len; i++)
		n += ((const Missing *)missing->pdata[i])->by_itself == by_itself;
	return n;
}

GPtrArray *missing_lines(const GPtrArray *missing)
{
	GPtrArray *lines = g_ptr_array_new_with_free_func(g_free);
	for (guint i = 0; i < MIN(missing->len, MISSING_SHOWN); i++)
		g_ptr_array_add(lines, missing_line(missing->pdata[i]));
	unsigned words = missing_lines_left(missing, false),
	         parts = missing_lines_left(missing, true);
	if (words > 0)
		g_ptr_array_add(lines,
		        g_strdup_printf(
		                ngettext("%u more word is in no text and no file name.",
		                        "%u more words are in no text and no file name.", words),
		                words));
	if (parts > 0)
		g_ptr_array_add(lines,
		        g_strdup_printf(ngettext("%u more part of the query matches nothing.",
		                                "%u more parts of the query match nothing.", parts),
		                parts));
	return lines;
}
