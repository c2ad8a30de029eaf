/* SPDX-License-Identifier: GPL-3.0-or-later */
/* web-item.c - items of feeds as documents of their own
 *
 * An item is stored as a page that is made of what the sandboxed converter told of it: title,
 * author, date, and its text in paragraphs, all escaped. So it can be converted again at any time,
 * long after it left the feed, and nothing that a publisher wrote is markup. */
#include <config.h>
#include "common/url/url-canonical.h"
#include "daemon/web/web-crawl-private.h"
#include <string.h>

static void item_append_escaped(GString *out, const char *text, gssize length)
{
	g_autofree char *escaped = g_markup_escape_text(text, length);
	g_string_append(out, escaped);
}

static void item_append_meta(GString *out, const char *name, const Document *doc, DocField field)
{
	g_autofree char *value = document_facts_joined(doc, field, ", ");
	if (!value)
		return;
	g_string_append_printf(out, "<meta name=\"%s\" content=\"", name);
	item_append_escaped(out, value, -1);
	g_string_append(out, "\">\n");
}

static const char *item_element(DocTag tag)
{
	return tag >= TAG_HEADING1 && tag <= TAG_HEADING6 ? "h2" : "p";
}

static void item_append_text(GString *out, const Document *doc)
{
	const char *open = NULL;
	for (guint i = 0; i < doc->runs->len; i++) {
		const DocRun *run = &g_array_index(doc->runs, DocRun, i);
		if (!open || run->flags & DOC_RUN_BLOCK) {
			if (open)
				g_string_append_printf(out, "</%s>\n", open);
			open = item_element(run->tag);
			g_string_append_printf(out, "<%s>", open);
		}
		item_append_escaped(out, doc->text->str + run->offset, run->length);
	}
	if (open)
		g_string_append_printf(out, "</%s>\n", open);
}

GString *web_item_page(const Document *doc)
{
	GString *out = g_string_new("<!DOCTYPE html>\n<meta charset=\"utf-8\">\n<title>");
	g_autofree char *title = document_facts_joined(doc, FIELD_TITLE, " ");
	item_append_escaped(out, title ? title : "", -1);
	g_string_append(out, "</title>\n");
	item_append_meta(out, "author", doc, FIELD_AUTHOR);
	item_append_meta(out, "keywords", doc, FIELD_KEYWORD);
	item_append_meta(out, "date", doc, FIELD_DATE);
	item_append_text(out, doc);
	return out;
}

static int64_t item_date(const Document *doc)
{
	const char *date = document_fact(doc, FIELD_DATE);
	g_autoptr(GTimeZone) utc = g_time_zone_new_utc();
	g_autoptr(GDateTime) time = date ? g_date_time_new_from_iso8601(date, utc) : NULL;
	return time ? MAX(0, g_date_time_to_unix(time)) : 0;
}

/* By its guid or id, by its link, or by its text. The caller frees it. */
static char *item_identity(const Document *doc, const GString *page)
{
	const char *id = document_fact(doc, FIELD_IDENTIFIER);
	const char *url = document_fact(doc, FIELD_URL);
	if (id && *id)
		return g_strdup_printf("id %s", id);
	if (url && *url)
		return g_strdup_printf("url %s", url);
	return g_strdup_printf(
	        "text %016" G_GINT64_MODIFIER "x", (guint64)web_hash(page->str, page->len));
}

static char *item_url(
        const WebSource *s, const Document *doc, const Url *base, const char *identity)
{
	const char *link = document_fact(doc, FIELD_URL);
	char *url = link ? url_canonical(link, -1, base, NULL) : NULL;
	if (url && strlen(url) <= WEB_PATH_MOST &&
	        (g_str_has_prefix(url, "http://") || g_str_has_prefix(url, "https://")))
		return url;
	g_free(url);
	g_autofree char *escaped = g_uri_escape_string(identity, NULL, FALSE);
	if (strlen(escaped) > WEB_VALIDATOR_MOST)
		escaped[WEB_VALIDATOR_MOST] = '\0';
	return g_strdup_printf("%s#%s", s->url, escaped);
}

static bool keep_item(WebCrawl *c, WebSource *s, const Document *doc, const WebReply *reply,
        WebAnswer *answer, GError **error)
{
	g_autoptr(Url) base = url_parse(reply->url, -1, NULL, NULL);
	g_autoptr(GString) page = web_item_page(doc);
	g_autofree char *identity = item_identity(doc, page);
	g_autofree char *url = item_url(s, doc, base, identity);
	const WebDraft draft = {.draft = {.type = WARC_RESOURCE,
	                                .uri = url,
	                                .date = reply->response_s,
	                                .media_type = "text/html; charset=utf-8",
	                                .body = (const uint8_t *)page->str,
	                                .body_length = page->len},
	        .identity = identity,
	        .mtime_s = item_date(doc),
	        .kind = WEB_PAGE_ITEM,
	        .flags = WEB_PAGE_READ};
	WebKept kept;
	if (!web_page_keep(c, s, &draft, &kept, error))
		return false;
	web_page_note_kept(answer, kept);
	return true;
}

/* ---- the schedule */

static void schedule_read_days(const char *names, ScheduleSkip *skip)
{
	static const char *const days[] = {
	        "sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"};
	for (size_t i = 0; i < G_N_ELEMENTS(days); i++)
		if (strstr(names, days[i]))
			skip->days |= 1u << i;
}

static void schedule_read_hours(const char *numbers, ScheduleSkip *skip)
{
	g_auto(GStrv) words = g_strsplit(numbers, " ", 25);
	for (char **word = words; *word; word++) {
		guint64 hour = g_ascii_strtoull(*word, NULL, 10);
		if (**word && hour < 24)
			skip->hours |= 1u << hour;
	}
}

static void read_schedule(const char *fact, WebAnswer *answer)
{
	const char *value = strchr(fact, ' ');
	if (!value)
		return;
	value++;
	guint64 number = MIN(g_ascii_strtoull(value, NULL, 10), 1u << 24);
	if (g_str_has_prefix(fact, "ttl "))
		answer->fresh_s = MAX(answer->fresh_s, (int64_t)MIN(number, 24 * 60) * 60);
	else if (g_str_has_prefix(fact, "period "))
		answer->prior_s = (double)number;
	else if (g_str_has_prefix(fact, "skip-hours "))
		schedule_read_hours(value, &answer->skip);
	else if (g_str_has_prefix(fact, "skip-days "))
		schedule_read_days(value, &answer->skip);
}

bool web_items_keep(
        WebCrawl *c, WebSource *s, const WebReply *reply, WebAnswer *answer, GError **error)
{
	for (guint i = 0; reply->documents && i < reply->documents->len; i++) {
		const Document *doc = reply->documents->pdata[i];
		if (doc->member && !keep_item(c, s, doc, reply, answer, error))
			return false;
		for (guint k = 0; !doc->member && k < doc->facts->len; k++) {
			const DocFact *fact = &g_array_index(doc->facts, DocFact, k);
			if (fact->field == FIELD_SCHEDULE)
				read_schedule(fact->value, answer);
		}
	}
	return true;
}
