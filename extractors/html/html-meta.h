/* SPDX-License-Identifier: GPL-3.0-or-later */
/* html-meta.h - facts from the head of a page */
#pragma once
#include "extractors/shared/extractor.h"
#include "extractors/html/html-token.h"

typedef struct {
	Sink *sink;
	bool sent[N_FIELDS]; /* fields that count once */
	char *author; /* the last one sent */
} Meta;

/* A <meta> element. */
void meta_element(Meta *meta, const Token *token);
/* The language of <html>, and any other one: the first wins. */
void meta_language(Meta *meta, const char *language);
/* The title, unless there was one; white space is folded. */
void meta_title(Meta *meta, const char *title);
/* The date, as ISO 8601 if it is one, else ignored. */
void meta_date(Meta *meta, DocField field, const char *date);
void meta_clear(Meta *meta);
