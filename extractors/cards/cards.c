/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cards.c - contacts (vCard 2.1 to 4.0) and calendars (vCalendar, iCalendar)
 *
 * A name or a summary begins a heading; every other value that people read is a block below it.
 * Values for programs (identifiers, stamps, rules, pictures) are left out. */
#include <config.h>
#include "extractors/cards/line.h"
#include "extractors/extractor.h"
#include <string.h>

typedef struct {
	Sink *sink;
	bool titled, dated;
} Cards;

/* Sorted by use, most frequent first. */
static const char *const for_programs[] = {"BEGIN", "END", "VERSION", "UID", "DTSTAMP", "PHOTO",
        "REV", "PRODID", "LOGO", "SOUND", "KEY", "SEQUENCE", "RRULE", "EXDATE", "RDATE",
        "RECURRENCE-ID", "TRIGGER", "ACTION", "STATUS", "TRANSP", "CLASS", "PRIORITY", "CREATED",
        "LAST-MODIFIED", "METHOD", "CALSCALE", "TZID", "TZOFFSETFROM", "TZOFFSETTO", "TZNAME",
        "TZURL", "TZ", "DAYLIGHT", "GEO", "DURATION", "ATTACH", "MAILER", "PROFILE", "SOURCE",
        "CLIENTPIDMAP", "KIND", "DTEND", "DUE", "COMPLETED", "PERCENT-COMPLETE", "AALARM", "DALARM",
        NULL};

/* Of a calendar, as several programs write them. */
static bool names_calendar(const char *name)
{
	return strcmp(name, "X-WR-CALNAME") == 0 || strcmp(name, "NAME") == 0;
}

static bool is_for_programs(const char *name)
{
	if (names_calendar(name) || strcmp(name, "X-WR-CALDESC") == 0)
		return false;
	return g_str_has_prefix(name, "X-") || g_strv_contains(for_programs, name);
}

/* "20260301T100000Z", "20260301" or "2026-03-01". Yours; NULL if it is none. */
static char *date_of(const char *value)
{
	unsigned part[6] = {0};
	static const uint8_t digits[] = {4, 2, 2, 2, 2, 2};
	size_t parts = 0;
	for (; parts < G_N_ELEMENTS(part); parts++) {
		while (*value == '-' || *value == ':' || *value == 'T')
			value++;
		for (unsigned i = 0; i < digits[parts]; i++, value++) {
			if (!g_ascii_isdigit(*value))
				goto end;
			part[parts] = part[parts] * 10 + (*value - '0');
		}
	}
end:
	if (parts < 3 || part[1] < 1 || part[1] > 12 || part[2] < 1 || part[2] > 31)
		return NULL;
	return parts == 6 ? g_strdup_printf("%04u-%02u-%02uT%02u:%02u:%02uZ", part[0], part[1],
	                            part[2], part[3], part[4], part[5])
	                  : g_strdup_printf("%04u-%02u-%02u", part[0], part[1], part[2]);
}

static bool put_block(Cards *cards, DocTag tag, const char *text)
{
	return sink_block(cards->sink, tag) && sink_text(cards->sink, tag, text, -1);
}

static bool put_heading(Cards *cards, const char *text)
{
	if (!cards->titled)
		sink_field(cards->sink, FIELD_TITLE, text, -1);
	cards->titled = true;
	return put_block(cards, TAG_HEADING1, text);
}

static bool put_date(Cards *cards, const char *value)
{
	g_autofree char *date = date_of(value);
	if (!date)
		return true;
	if (!cards->dated)
		sink_field(cards->sink, FIELD_DATE, date, -1);
	cards->dated = true;
	return put_block(cards, TAG_BODY, date);
}

static void put_keywords(Cards *cards, const char *value)
{
	g_auto(GStrv) words = g_strsplit(value, ",", -1);
	for (char **word = words; *word; word++)
		sink_field(cards->sink, FIELD_KEYWORD, *word, -1);
}

/* Who comes: the name stands in a parameter, the address is the value. */
static bool put_person(Cards *cards, const CardLines *lines)
{
	g_autofree char *name = card_lines_parameter(lines, "CN");
	const char *address = lines->value->str;
	if (g_ascii_strncasecmp(address, "mailto:", 7) == 0)
		address += 7;
	g_autofree char *both =
	        name ? g_strdup_printf("%s <%s>", name, address) : g_strdup(address);
	if (strcmp(lines->name->str, "ORGANIZER") == 0)
		sink_field(cards->sink, FIELD_AUTHOR, both, -1);
	return put_block(cards, TAG_BODY, both);
}

static bool put_value(Cards *cards, const CardLines *lines)
{
	const char *name = lines->name->str;
	g_autofree char *encoding = card_lines_parameter(lines, "ENCODING");
	if (is_for_programs(name) || (encoding && g_ascii_tolower(*encoding) == 'b'))
		return true;
	if (strcmp(name, "FN") == 0 || strcmp(name, "SUMMARY") == 0 || names_calendar(name))
		return put_heading(cards, lines->value->str);
	if (strcmp(name, "DTSTART") == 0 || strcmp(name, "BDAY") == 0)
		return put_date(cards, lines->value->str);
	if (strcmp(name, "ATTENDEE") == 0 || strcmp(name, "ORGANIZER") == 0)
		return put_person(cards, lines);
	if (strcmp(name, "CATEGORIES") == 0)
		put_keywords(cards, lines->value->str);
	g_strdelimit(lines->value->str, ";", ' ');
	return lines->value->len == 0 || put_block(cards, TAG_BODY, g_strstrip(lines->value->str));
}

static ExtractResult extract(const Input *in, Sink *sink)
{
	Cards cards = {.sink = sink};
	CardLines lines;
	size_t length;
	const char *charset;
	g_autofree char *text = decode_text(in->data, in->size, in->charset, &length, &charset);
	sink_field(sink, FIELD_CHARSET, charset, -1);
	card_lines_init(&lines, text, length);
	while (card_lines_next(&lines))
		if (!put_value(&cards, &lines))
			break;
	card_lines_clear(&lines);
	return EXTRACT_DONE;
}

static const char *const mime_types[] = {
        "text/vcard", "text/x-vcard", "text/directory", "text/calendar", "text/x-vcalendar", NULL};

const Extractor tarsier_extractor = {
        .abi = EXTRACTOR_ABI,
        .name = "cards",
        .version = 3,
        .library = NULL,
        .lane = LANE_CHEAP,
        .mime_types = mime_types,
        .extract = extract,
};
