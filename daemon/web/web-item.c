/* SPDX-License-Identifier: GPL-3.0-or-later */
/* web-item.c - items of feeds as documents of their own
 *
 * An item is stored as a page that is made of what the sandboxed converter told of it: title,
 * author, date, and its text in paragraphs, all escaped. So it can be converted again at any time,
 * long after it left the feed, and nothing that a publisher wrote is markup.
 *
 * If whole pages are wanted (WebSource.full), a comment between head and text has the hash of the
 * item as the feed has it, which tells whether it changes later, and its identity. The text of the
 * page that the item links to takes the place of what follows the comment. */
#include <config.h>
#include "common/base/web-agent.h"
#include "common/url/url-canonical.h"
#include "common/url/url-origin.h"
#include "daemon/web/web-crawl-private.h"
#include "daemon/web/web-headers.h"
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

/* noisy: with what surrounds the content, too. */
static void item_append_text(GString *out, const Document *doc, bool noisy)
{
	const char *open = NULL;
	for (guint i = 0; i < doc->runs->len; i++) {
		const DocRun *run = &g_array_index(doc->runs, DocRun, i);
		if (run->tag == TAG_NOISE && !noisy)
			continue;
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

static GString *item_head(const Document *doc)
{
	GString *out = g_string_new("<!DOCTYPE html>\n<meta charset=\"utf-8\">\n<title>");
	g_autofree char *title = document_facts_joined(doc, FIELD_TITLE, " ");
	item_append_escaped(out, title ? title : "", -1);
	g_string_append(out, "</title>\n");
	item_append_meta(out, "author", doc, FIELD_AUTHOR);
	item_append_meta(out, "keywords", doc, FIELD_KEYWORD);
	item_append_meta(out, "date", doc, FIELD_DATE);
	return out;
}

GString *web_item_page(const Document *doc)
{
	GString *out = item_head(doc);
	item_append_text(out, doc, true);
	return out;
}

static int64_t item_date(const Document *doc)
{
	const char *date = document_fact(doc, FIELD_DATE);
	g_autoptr(GTimeZone) utc = g_time_zone_new_utc();
	g_autoptr(GDateTime) time = date ? g_date_time_new_from_iso8601(date, utc) : NULL;
	return time ? MAX(0, g_date_time_to_unix(time)) : 0;
}

static char *item_url(
        const WebSource *s, const Document *doc, const Url *base, const char *identity)
{
	char *url = web_item_link(doc, base);
	if (url)
		return url;
	g_autofree char *escaped = g_uri_escape_string(identity, NULL, FALSE);
	if (strlen(escaped) > WEB_VALIDATOR_MOST)
		escaped[WEB_VALIDATOR_MOST] = '\0';
	return g_strdup_printf("%s#%s", s->url, escaped);
}

/* The page of an item with these names. mtime_s: 0: now. */
static bool store_item(WebCrawl *c, WebSource *s, const char *identity, const char *url,
        const GString *page, int64_t mtime_s, const WebReply *reply, WebAnswer *answer,
        GError **error)
{
	const WebDraft draft = {.draft = {.type = WARC_RESOURCE,
	                                .uri = url,
	                                .date = reply->response_s,
	                                .media_type = "text/html; charset=utf-8",
	                                .body = (const uint8_t *)page->str,
	                                .body_length = page->len},
	        .identity = identity,
	        .mtime_s = mtime_s,
	        .kind = WEB_PAGE_ITEM,
	        .flags = WEB_PAGE_READ};
	WebKept kept;
	if (!web_page_keep(c, s, &draft, &kept, error))
		return false;
	web_page_note_kept(answer, kept);
	return true;
}

/* ---- whole pages */

enum { ITEM_HASH_DIGITS = 16 };

/* Nothing that a publisher wrote can look like this. */
static void item_append_mark(GString *out, const GString *page, const char *identity)
{
	g_autofree char *escaped = g_uri_escape_string(identity, NULL, FALSE);
	g_string_append_printf(out, WEB_ITEM_MARK "%016" G_GINT64_MODIFIER "x %s -->\n",
	        (guint64)web_hash(page->str, page->len), escaped);
}

/* The facts of a stored item. */
typedef struct {
	char *head; /* with the comment */
	guint64 hash;
	char *identity;
} StoredItem;

static void stored_item_clear(StoredItem *item)
{
	g_free(item->head);
	g_free(item->identity);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(StoredItem, stored_item_clear)

/* False: the record has no comment, or cannot be read. */
static bool stored_item_read(const WebCrawl *c, const WebPageRow *row, StoredItem *out)
{
	bool lost;
	gsize size = 0;
	g_autoptr(WarcContent) content = web_source_read(c, row, &lost);
	const char *bytes = content ? g_bytes_get_data(content->body, &size) : NULL;
	const char *mark = bytes ? g_strstr_len(bytes, (gssize)size, WEB_ITEM_MARK) : NULL;
	const char *end =
	        mark ? g_strstr_len(mark, (gssize)(size - (mark - bytes)), " -->\n") : NULL;
	if (!end || end - mark < (gssize)strlen(WEB_ITEM_MARK) + ITEM_HASH_DIGITS + 1)
		return false;
	const char *hash = mark + strlen(WEB_ITEM_MARK), *identity = hash + ITEM_HASH_DIGITS + 1;
	out->hash = g_ascii_strtoull(hash, NULL, 16);
	out->identity = g_uri_unescape_segment(identity, end, NULL);
	out->head = g_strndup(bytes, (gsize)(end - bytes) + strlen(" -->\n"));
	return out->identity != NULL;
}

/* Is the item in the index as the feed has it, whatever text it has now? */
static bool item_is_known(WebCrawl *c, const WebSource *s, const char *identity,
        const GString *page, bool *known_r, GError **error)
{
	Entry entry;
	g_auto(WebPageRow) row = {0};
	g_auto(StoredItem) item = {0};
	*known_r = false;
	int found = writer_web_find_page(c->w, s->id, identity, &entry, error);
	if (found > 0)
		found = writer_web_get_page(c->w, entry.inode, &row, error);
	if (found > 0 && stored_item_read(c, &row, &item))
		*known_r = item.hash == (guint64)web_hash(page->str, page->len);
	return found >= 0;
}

/* Its page is asked if it lies on the host of the feed, and no site has it anyway. */
static bool ask_page(WebCrawl *c, const WebSource *s, const char *url, GError **error)
{
	const char *path;
	bool known;
	WebTime now = web_now();
	g_autofree char *origin = url_origin(url, &path);
	if (!origin || strchr(url, '#') || strcmp(origin, s->origin) != 0 ||
	        web_source_of(c, origin, path, WEB_PAGE))
		return true;
	const WebFound found = {.origin = origin,
	        .path = path,
	        .kind = WEB_ITEM,
	        .feed = s->prefix,
	        .depth = 1,
	        .is_listed = true};
	return frontier_add(c->frontier, &now, &found, error) &&
	       frontier_ask_whole(c->frontier, &now, origin, path, &known, error);
}

/* One of these items: its text becomes that of the page. */
static bool take_page(WebCrawl *c, WebSource *s, const char *url, const Document *doc,
        const WebReply *reply, WebAnswer *answer, GError **error)
{
	int64_t root;
	Entry entry;
	g_auto(WebPageRow) row = {0};
	g_auto(StoredItem) item = {0};
	if (!writer_web_name_source(c->w, s->id, s->url, true, &root, error))
		return false;
	int found = writer_lookup(c->w, root, url, &entry, error);
	if (found > 0)
		found = writer_web_get_page(c->w, entry.inode, &row, error);
	if (found <= 0 || row.kind != WEB_PAGE_ITEM || !stored_item_read(c, &row, &item))
		return found >= 0;
	found = writer_web_find_page(c->w, s->id, item.identity, &entry, error);
	if (found <= 0)
		return found >= 0; /* it is known by another identity since */
	g_autoptr(GString) page = g_string_new(item.head);
	item_append_text(page, doc, false);
	answer->feed = s->prefix;
	return store_item(c, s, item.identity, row.url, page,
	        entry.stat.mtime_ns / G_GINT64_CONSTANT(1000000000), reply, answer, error);
}

bool web_items_take_page(WebCrawl *c, const WebReply *reply, WebAnswer *answer, GError **error)
{
	const GPtrArray *documents = reply->documents;
	const Document *doc =
	        documents && documents->len > 0 ? documents->pdata[documents->len - 1] : NULL;
	bool good = answer->status == 200 || answer->status == 203;
	g_autofree char *url = g_strconcat(reply->ask.origin, reply->ask.path, NULL);
	if (!good || !doc || doc->state == STATE_FAILED || doc->text->len == 0 ||
	        web_robots_tag(reply->headers, WEB_AGENT_NAME, "noindex") ||
	        web_page_has_directive(doc, "noindex"))
		return true;
	for (guint i = 0; i < c->sources->len; i++) {
		WebSource *s = c->sources->pdata[i];
		if (s->full && strcmp(s->origin, reply->ask.origin) == 0 &&
		        !take_page(c, s, url, doc, reply, answer, error))
			return false;
	}
	return true;
}

/* ---- items */

static bool keep_item(WebCrawl *c, WebSource *s, const Document *doc, WebList *list, GError **error)
{
	bool known = false;
	const WebReply *reply = list->reply;
	WebAnswer *answer = &list->kept;
	g_autoptr(Url) base = url_parse(reply->url, -1, NULL, NULL);
	g_autoptr(GString) page = web_item_page(doc);
	g_autofree char *identity = NULL;
	if (!web_item_identify(c, s, list, doc, page, &identity, error) || !identity)
		return !identity;
	g_autofree char *url = item_url(s, doc, base, identity);
	if (!s->full)
		return store_item(c, s, identity, url, page, item_date(doc), reply, answer, error);
	if (!item_is_known(c, s, identity, page, &known, error))
		return false;
	if (known)
		return true;
	g_autoptr(GString) marked = item_head(doc);
	item_append_mark(marked, page, identity);
	item_append_text(marked, doc, true);
	return store_item(c, s, identity, url, marked, item_date(doc), reply, answer, error) &&
	       ask_page(c, s, url, error);
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

static void read_schedules(const Document *doc, WebAnswer *answer)
{
	for (guint i = 0; i < doc->facts->len; i++) {
		const DocFact *fact = &g_array_index(doc->facts, DocFact, i);
		if (fact->field == FIELD_SCHEDULE)
			read_schedule(fact->value, answer);
	}
}

bool web_items_keep(WebCrawl *c, WebSource *s, WebList *list, bool *done_r, GError **error)
{
	enum { SLICE = 20 };
	const GPtrArray *documents = list->reply->documents;
	if (list->document == 0 && !web_items_judge_guids(c, s, list, error))
		return false;
	for (unsigned n = 0; n < SLICE && list->document < documents->len; n++) {
		const Document *doc = documents->pdata[list->document++];
		if (!doc->member)
			read_schedules(doc, &list->kept);
		else if (!keep_item(c, s, doc, list, error))
			return false;
	}
	*done_r = list->document >= documents->len;
	return true;
}
