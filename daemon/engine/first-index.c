/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "daemon/engine/first-index.h"
#include "common/base/i18n.h"

#define META_COMPLETE "complete" /* meta key: 1: all files have been in the index */

struct FirstIndex {
	bool noted;
};

FirstIndex *first_index_new(void)
{
	return g_new0(FirstIndex, 1);
}

void first_index_free(FirstIndex *first)
{
	g_free(first);
}

bool first_index_note(FirstIndex *first, Writer *writer, const WriterCounts *counts, GError **error)
{
	int64_t known;
	if (first->noted || counts->files == 0)
		return true;
	if (!writer_get_meta_int(writer, META_COMPLETE, 0, &known, error) ||
	        (known == 0 && !writer_set_meta(writer, META_COMPLETE, "1", error)))
		return false;
	first->noted = true;
	if (known == 0)
		g_message(ngettext("the first index is complete: %lu file",
		                  "the first index is complete: %lu files", counts->files),
		        (unsigned long)counts->files);
	return true;
}
