/* SPDX-License-Identifier: GPL-3.0-or-later */
/* html-meta.h - facts from the head of a page */
#pragma once
#include "extractors/shared/extractor.h"
#include "extractors/html/html-token.h"

typedef struct {
	Sink *sink;
	bool sent[N_FIELDS]; /* single-valued fields that were sent */
	char *author; /* the last author that was sent */
} Meta;

/* Reads a <meta> element. */
void meta_element(Meta *meta, const Token *token);
/* Returns where a <meta http-equiv="refresh"> leads (HTML Standard, section 4.2.5.3); NULL: it is
 * another element, or loads its own page again. The caller frees it. */
char *meta_refresh_target(const Token *token);
/* Takes a language, of <html> or elsewhere; the first one wins. */
void meta_language(Meta *meta, const char *language);
/* Sends the title unless one was sent; white space is collapsed. */
void meta_title(Meta *meta, const char *title);
/* Sends the date if it is ISO 8601, else ignores it. */
void meta_date(Meta *meta, DocField field, const char *date);
/* Sends the directives for robots in a page, in one fact, joined by commas. They come before its
 * text: a page that is cut by a limit has them too. xml: as in page_init(). */
void meta_send_robots(Sink *sink, const char *text, size_t length, bool xml);
void meta_clear(Meta *meta);
