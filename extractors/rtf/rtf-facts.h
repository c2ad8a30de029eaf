/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rtf-facts.h - facts in the info group of RTF */
#pragma once
#include "extractors/shared/extractor.h"
#include "extractors/rtf/rtf-words.h"

typedef struct {
	unsigned year, month, day, hour, minute;
} Date;

/* Sends a fact; keywords are split at commas and semicolons. */
void rtf_fact_put(Sink *sink, int field, const char *text, size_t length);
/* Takes a control word that is a part of a date; ignores others. */
void rtf_fact_take_date(Date *date, RtfWord word, long number);
/* Sends the date if it is valid, and clears it. */
void rtf_fact_put_date(Sink *sink, int field, Date *date);
