/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/rtf/rtf-facts.h"
#include "extractors/shared/keywords.h"
#include <glib.h>

void rtf_fact_put(Sink *sink, int field, const char *text, size_t length)
{
	if (field == FIELD_KEYWORD)
		send_keywords(sink, text);
	else
		sink_field(sink, field, text, length);
}

void rtf_fact_take_date(Date *date, RtfWord word, long number)
{
	unsigned value = number > 0 ? number : 0;
	switch (word) {
	case W_YEAR:
		date->year = value;
		return;
	case W_MONTH:
		date->month = value;
		return;
	case W_DAY:
		date->day = value;
		return;
	case W_HOUR:
		date->hour = value;
		return;
	case W_MINUTE:
		date->minute = value;
		return;
	default:
		return;
	}
}

void rtf_fact_put_date(Sink *sink, int field, Date *date)
{
	const Date *d = date;
	g_autofree char *text = g_strdup_printf(
	        "%04u-%02u-%02uT%02u:%02u:00Z", d->year, d->month, d->day, d->hour, d->minute);
	if (d->year > 0 && d->year < 10000 && d->month >= 1 && d->month <= 12 && d->day >= 1 &&
	        d->day <= 31 && d->hour < 24 && d->minute < 60)
		sink_field(sink, field, text, -1);
	*date = (Date){0};
}
