/* SPDX-License-Identifier: GPL-3.0-or-later */
/* query-header-date.c - a pasted line of the date of a mail: "Date: Tue, 3 Mar 2026 10:00:00 +0100"
 *
 * No text of a mail has these words, but the mail has its date. */
#include <config.h>
#include "index/query/query-private.h"
#include "index/text/tokenizer.h"
#include "common/base/i18n.h"
#include <string.h>

enum { DAY_WORDS = 3, MINUTE_SECONDS = 60, DAY_SECONDS = 24 * 60 * 60 };

static const char *header_date_value(const char *text)
{
	static const char *const names[] = {"Date", "Datum", "Sent", "Gesendet", "Envoyé",
	        "Enviado", "Inviato", "Fecha", "Data", "Verzonden", NULL};
	text += strspn(text, " \t\n");
	size_t length = strcspn(text, ":");
	g_autofree char *name = g_strndup(text, length);
	const char *value = text + length + (text[length] == ':');
	bool follows = *value == ' ' || *value == '\t';
	return follows && g_strv_contains(names, name) ? value + strspn(value, " \t") : NULL;
}

/* The words between blanks, folded, without the signs at their ends. The caller frees them. */
static char **header_date_words(const char *value)
{
	g_autofree char *folded = tokenize_fold(value, strlen(value));
	g_autoptr(GStrvBuilder) words = g_strv_builder_new();
	g_auto(GStrv) split = g_strsplit_set(folded, " \t\r\n,()", -1);
	for (char **word = split; *word; word++) {
		size_t length = strlen(*word);
		while (length > 0 && (*word)[length - 1] == '.')
			length--;
		(*word)[length] = '\0';
		if (length > 0)
			g_strv_builder_add(words, *word);
	}
	return g_strv_builder_end(words);
}

/* "10:00", "10:00:00". *has_seconds_r: the second is told. */
static bool read_header_clock(const char *word, unsigned *seconds_r, bool *has_seconds_r)
{
	g_auto(GStrv) parts = g_strsplit(word, ":", -1);
	static const unsigned limits[] = {24, 60, 60}, factors[] = {60 * 60, 60, 1};
	guint n = g_strv_length(parts);
	*seconds_r = 0;
	*has_seconds_r = n == G_N_ELEMENTS(limits);
	if (n < 2 || n > G_N_ELEMENTS(limits))
		return false;
	for (guint i = 0; i < n; i++) {
		size_t digits = strspn(parts[i], "0123456789");
		unsigned number = g_ascii_strtoull(parts[i], NULL, 10);
		if (digits == 0 || digits > 2 || parts[i][digits] || number >= limits[i])
			return false;
		*seconds_r += number * factors[i];
	}
	return true;
}

/* The time zone, or NULL: that of this computer. */
static GTimeZone *read_header_zone(char **words)
{
	for (char **word = words; *word; word++) {
		bool offset = strchr("+-", **word) && strlen(*word) == 5 &&
		              strspn(*word + 1, "0123456789") == 4;
		if (offset)
			return g_time_zone_new_identifier(*word);
		if (strcmp(*word, "gmt") == 0 || strcmp(*word, "utc") == 0 ||
		        strcmp(*word, "z") == 0)
			return g_time_zone_new_utc();
	}
	return g_time_zone_new_local();
}

/* Adds twelve hours to an hour of the afternoon. words: what follows the time. */
static unsigned correct_half_of_day(unsigned seconds, char **words)
{
	const char *word = *words ? *words : "";
	bool noon = seconds / (60 * 60) == 12;
	if (strcmp(word, "pm") == 0 && seconds < DAY_SECONDS / 2)
		return seconds + DAY_SECONDS / 2;
	return strcmp(word, "am") == 0 && noon ? seconds - DAY_SECONDS / 2 : seconds;
}

static bool read_header_date(const char *value, QuerySpan *out)
{
	g_auto(GStrv) words = header_date_words(value);
	guint n = g_strv_length(words);
	QueryDay day;
	unsigned seconds = 0;
	bool has_seconds = false, has_time = false;
	guint at = n > 0 && g_ascii_isalpha(*words[0]) ? 1 : 0; /* the day of the week */
	if (n >= DAY_WORDS && query_day_read((const char *const *)words, DAY_WORDS, 0, &day))
		at = 0;
	else if (n < at + DAY_WORDS ||
	         !query_day_read((const char *const *)words + at, DAY_WORDS, 0, &day))
		return false;
	char **rest = words + at + DAY_WORDS;
	rest += *rest && (strcmp(*rest, "at") == 0 || strcmp(*rest, "um") == 0);
	has_time = *rest && read_header_clock(*rest, &seconds, &has_seconds);
	if (has_time)
		seconds = correct_half_of_day(seconds, rest + 1);
	g_autoptr(GTimeZone) zone = has_time ? read_header_zone(rest) : g_time_zone_new_local();
	g_autoptr(GDateTime) time =
	        zone ? g_date_time_new(zone, day.year, day.month, day.day, seconds / (60 * 60),
	                       seconds / 60 % 60, seconds % 60)
	             : NULL;
	if (!time)
		return false;
	unsigned width = !has_time ? DAY_SECONDS : has_seconds ? 1 : MINUTE_SECONDS;
	out->low = g_date_time_to_unix(time);
	out->high = out->low + width - 1;
	return true;
}

QueryNode *query_header_date_node(QueryParse *p)
{
	QuerySpan span;
	if (p->length > QUERY_MAX_BYTES || !g_utf8_validate(p->text, p->length, NULL))
		return NULL;
	const char *value = header_date_value(p->text);
	if (!value || !read_header_date(value, &span))
		return NULL;
	g_autofree char *text = g_strdup(value);
	const QueryValue words = {.text = text, .quoted = true, .length = p->length};
	QueryNode *phrase = query_words_node(p, SCOPE_ANY, &words);
	if (!phrase)
		return NULL;
	QueryNode *sent = query_node_new(QUERY_FILTER, 0, p->length);
	sent->filter = FILTER_SENT;
	sent->low = span.low;
	sent->high = span.high;
	QueryNode *either = query_node_new(QUERY_OR, 0, p->length);
	query_node_add(either, phrase);
	query_node_add(either, sent);
	query_note(p, "%s", _("Mails of this time and texts that name it were searched"));
	return either;
}
