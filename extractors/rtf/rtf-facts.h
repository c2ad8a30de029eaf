/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rtf-facts.h - facts in the info group of RTF */
#pragma once
#include "extractors/shared/extractor.h"
#include "extractors/rtf/rtf-words.h"

typedef struct {
	unsigned year, month, day, hour, minute;
} Date;

/* Keywords are several, apart by commas or semicolons. */
void facts_put(Sink *sink, int field, const char *text, size_t length);
/* A word that is a part of a date; others do nothing. */
void facts_take_date(Date *date, Word word, long number);
/* If it is one; it is empty then. */
void facts_put_date(Sink *sink, int field, Date *date);
