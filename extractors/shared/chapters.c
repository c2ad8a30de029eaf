/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/shared/chapters.h"

void chapters_send(Sink *sink, const GPtrArray *names)
{
	for (guint i = 0; i < names->len; i++) {
		const char *name = names->pdata[i];
		if (*name && sink_break(sink, BREAK_CHAPTER, i + 1, NULL) &&
		        sink_block(sink, TAG_HEADING2))
			sink_text(sink, TAG_HEADING2, name, -1);
	}
}
