/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cards.c - contacts (vCard 2.1 to 4.0, LDIF) and calendars (vCalendar, iCalendar)
 *
 * A name or a summary is a heading; every other value for people is a block below it. Values for
 * programs (identifiers, time stamps, rules, pictures) are left out. */
#include <config.h>
#include "extractors/cards/card-line.h"
#include "extractors/cards/ldif.h"
#include "extractors/shared/extractor.h"
#include <string.h>

typedef struct {
	Sink *sink;
	bool titled, dated;
	bool contact; /* a contact, not a calendar */
	bool named; /* the card has a heading */
	bool hidden; /* inside a component for programs */
	/* substitutes for the heading, for a person and for anything; or NULL */
	char *name, *other;
	GHashTable *keywords; /* set of keywords already sent */
} Cards;

/* Sorted by frequency, most frequent first. */
static const char *const machine_properties[] = {"VERSION", "UID", "DTSTAMP", "PHOTO", "REV",
        "LOGO", "SOUND", "KEY", "SEQUENCE", "RRULE", "EXDATE", "RDATE", "RECURRENCE-ID", "TRIGGER",
        "ACTION", "STATUS", "TRANSP", "CLASS", "PRIORITY", "CREATED", "LAST-MODIFIED", "METHOD",
        "CALSCALE", "TZID", "TZOFFSETFROM", "TZOFFSETTO", "TZNAME", "TZURL", "TZ", "DAYLIGHT",
        "GEO", "DURATION", "PROFILE", "SOURCE", "CLIENTPIDMAP", "KIND", "DTEND", "DUE", "COMPLETED",
        "PERCENT-COMPLETE", "AALARM", "DALARM", NULL};

/* Names of the calendar, as several programs write them. */
static bool names_calendar(const char *name)
{
	return strcmp(name, "X-WR-CALNAME") == 0 || strcmp(name, "NAME") == 0;
}

static bool is_machine_property(const char *name)
{
	return g_strv_contains(machine_properties, name);
}

/* Extension properties. In contacts they are about people (other names, relatives, messengers). */
static bool is_extension_property(const char *name)
{
	return g_str_has_prefix(name, "X-") && !names_calendar(name) &&
	       strcmp(name, "X-WR-CALDESC") != 0;
}

/* Accepts "20260301T100000Z", "20260301" and "2026-03-01". A time without Z is the local one of a
 * zone that other lines tell (RFC 5545, 3.3.5). NULL if it is none. The caller frees it. */
static char *cards_date_of(const char *value)
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
	return parts == 6 ? g_strdup_printf("%04u-%02u-%02uT%02u:%02u:%02u%s", part[0], part[1],
	                            part[2], part[3], part[4], part[5], *value == 'Z' ? "Z" : "")
	                  : g_strdup_printf("%04u-%02u-%02u", part[0], part[1], part[2]);
}

static bool put_block(Cards *cards, DocTag tag, const char *text)
{
	return sink_block(cards->sink, tag) && sink_text(cards->sink, tag, text, -1);
}

static bool cards_put_heading(Cards *cards, const char *text)
{
	if (!cards->titled)
		sink_field(cards->sink, FIELD_TITLE, text, -1);
	cards->titled = cards->named = true;
	return put_block(cards, TAG_HEADING1, text);
}

/* Orders "Family;Given;Additional;Prefixes;Suffixes" as the name is spoken. The caller frees it. */
static char *spoken_name(const char *value)
{
	static const uint8_t order[] = {3, 1, 2, 0, 4};
	g_auto(GStrv) parts = g_strsplit(value, ";", -1);
	GString *name = g_string_new(NULL);
	unsigned count = g_strv_length(parts);
	for (size_t i = 0; i < G_N_ELEMENTS(order); i++)
		if (order[i] < count && *g_strstrip(parts[order[i]]))
			g_string_append_printf(
			        name, "%s%s", name->len > 0 ? " " : "", parts[order[i]]);
	return g_string_free(name, FALSE);
}

static void begin_card(Cards *cards, const char *kind)
{
	cards->contact = g_ascii_strcasecmp(kind, "VCARD") == 0;
	cards->named = false;
	g_clear_pointer(&cards->name, g_free);
	g_clear_pointer(&cards->other, g_free);
}

/* A card without a formatted name gets a substitute as its heading. */
static bool end_card(Cards *cards, const char *kind)
{
	const char *heading = cards->name && *cards->name ? cards->name : cards->other;
	bool wanted =
	        !cards->named && heading && *heading && g_ascii_strcasecmp(kind, "VCARD") == 0;
	bool go_on = !wanted || cards_put_heading(cards, heading);
	begin_card(cards, "");
	return go_on;
}

static void keep_name(Cards *cards, const char *name, const char *value)
{
	if (strcmp(name, "N") == 0 && !cards->name)
		cards->name = spoken_name(value);
	else if (!cards->other && (strcmp(name, "NICKNAME") == 0 || strcmp(name, "ORG") == 0 ||
	                                  strcmp(name, "EMAIL") == 0))
		cards->other = g_strndup(value, strcspn(value, ";"));
}

static bool cards_put_date(Cards *cards, const char *value)
{
	g_autofree char *date = cards_date_of(value);
	if (!date)
		return true;
	if (!cards->dated)
		sink_field(cards->sink, FIELD_DATE, date, -1);
	cards->dated = true;
	return put_block(cards, TAG_BODY, date);
}

static void cards_put_keywords(Cards *cards, const char *value)
{
	g_auto(GStrv) words = g_strsplit(value, ",", -1);
	for (char **word = words; *word; word++)
		if (g_hash_table_add(cards->keywords, g_strdup(*word)))
			sink_field(cards->sink, FIELD_KEYWORD, *word, -1);
}

/* Sends an attendee: the name is a parameter, the address the value. */
static bool cards_put_person(Cards *cards, const CardLines *lines)
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

static bool cards_put_plain(Cards *cards, const CardLines *lines, DocTag tag)
{
	g_strdelimit(lines->value->str, ";", ' ');
	return lines->value->len == 0 || put_block(cards, tag, g_strstrip(lines->value->str));
}

/* The rules of a time zone, and reminders, which repeat the event or say what all of them say. */
static bool is_machine_component(const CardLines *lines)
{
	static const char *const names[] = {"VTIMEZONE", "VALARM"};
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
		if (g_ascii_strcasecmp(lines->value->str, names[i]) == 0)
			return true;
	return false;
}

/* True for a line of a component for programs. */
static bool cards_is_hidden(Cards *cards, const CardLines *lines)
{
	const char *name = lines->name->str;
	bool ends = strcmp(name, "END") == 0;
	bool hidden = cards->hidden;
	if ((ends || strcmp(name, "BEGIN") == 0) && is_machine_component(lines))
		cards->hidden = hidden = !ends;
	return hidden;
}

static bool cards_put_value(Cards *cards, const CardLines *lines)
{
	const char *name = lines->name->str, *value = lines->value->str;
	g_autofree char *encoding = card_lines_parameter(lines, "ENCODING");
	if (is_machine_property(name) || (encoding && g_ascii_tolower(*encoding) == 'b'))
		return true;
	if (strcmp(name, "BEGIN") == 0)
		begin_card(cards, value);
	else if (strcmp(name, "END") == 0)
		return end_card(cards, value);
	else if (strcmp(name, "PRODID") == 0 || strcmp(name, "MAILER") == 0)
		sink_field(cards->sink, FIELD_GENERATOR, value, -1);
	else if (is_extension_property(name))
		return !cards->contact || cards_put_plain(cards, lines, TAG_NOISE);
	else if (strcmp(name, "FN") == 0 || strcmp(name, "SUMMARY") == 0 || names_calendar(name))
		return cards_put_heading(cards, value);
	else if (strcmp(name, "DTSTART") == 0 || strcmp(name, "BDAY") == 0)
		return cards_put_date(cards, value);
	else if (strcmp(name, "ATTENDEE") == 0 || strcmp(name, "ORGANIZER") == 0)
		return cards_put_person(cards, lines);
	else {
		if (strcmp(name, "CATEGORIES") == 0)
			cards_put_keywords(cards, value);
		keep_name(cards, name, value);
		return cards_put_plain(cards, lines, TAG_BODY);
	}
	return true;
}

static void cards_send(Sink *sink, const char *text, size_t length)
{
	Cards cards = {.sink = sink};
	CardLines lines;
	cards.keywords = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	card_lines_init(&lines, text, length);
	while (card_lines_next(&lines))
		if (!cards_is_hidden(&cards, &lines) && !cards_put_value(&cards, &lines))
			break;
	card_lines_clear(&lines);
	begin_card(&cards, "");
	g_hash_table_unref(cards.keywords);
}

static ExtractResult cards_extract(const Input *in, Sink *sink)
{
	size_t length;
	const char *charset;
	g_autofree char *text = decode_text(in->data, in->size, in->charset, &length, &charset);
	sink_field(sink, FIELD_CHARSET, charset, -1);
	if (strcmp(in->mime, "text/x-ldif") == 0)
		ldif_send(sink, text, length);
	else
		cards_send(sink, text, length);
	return EXTRACT_DONE;
}

static const char *const mime_types[] = {"text/vcard", "text/x-vcard", "text/directory",
        "text/calendar", "text/x-vcalendar", "text/x-ldif", NULL};

const Extractor tarsier_extractor = {
        .abi = EXTRACTOR_ABI,
        .name = "cards",
        .version = 6,
        .library = NULL,
        .lane = LANE_CHEAP,
        .mime_types = mime_types,
        .extract = cards_extract,
};
