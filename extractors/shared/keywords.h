/* SPDX-License-Identifier: GPL-3.0-or-later */
/* keywords.h - keywords that stand in one value */
#pragma once
#include "extractors/shared/extractor.h"

/* Sends each; they are apart by commas or semicolons. */
static inline void send_keywords(Sink *sink, const char *text)
{
	g_auto(GStrv) words = g_strsplit_set(text, ",;", DOC_MAX_FACTS);
	for (char **word = words; *word; word++)
		sink_field(sink, FIELD_KEYWORD, *word, -1);
}
