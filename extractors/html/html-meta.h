/* SPDX-License-Identifier: GPL-3.0-or-later */
/* html-meta.h - facts from the head of a page */
#pragma once
#include "extractors/shared/extractor.h"
#include "extractors/html/html-token.h"

typedef struct {
	Sink *sink;
	bool sent[N_FIELDS]; /* single-valued fields that were sent */
	char *author; /* the last author that was sent */
	bool robots; /* send the directives for robots */
} Meta;

/* Reads a <meta> element. */
void meta_element(Meta *meta, const Token *token);
/* Takes a language, of <html> or elsewhere; the first one wins. */
void meta_language(Meta *meta, const char *language);
/* Sends the title unless one was sent; white space is collapsed. */
void meta_title(Meta *meta, const char *title);
/* Sends the date if it is ISO 8601, else ignores it. */
void meta_date(Meta *meta, DocField field, const char *date);
void meta_clear(Meta *meta);
