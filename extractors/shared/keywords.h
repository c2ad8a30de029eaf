/* SPDX-License-Identifier: GPL-3.0-or-later */
/* keywords.h - splits a list of keywords */
#pragma once
#include "extractors/shared/extractor.h"

/* Sends each keyword of a list separated by commas or semicolons as FIELD_KEYWORD. */
static inline void send_keywords(Sink *sink, const char *text)
{
	g_auto(GStrv) words = g_strsplit_set(text, ",;", DOC_MAX_FACTS);
	for (char **word = words; *word; word++)
		sink_field(sink, FIELD_KEYWORD, *word, -1);
}
