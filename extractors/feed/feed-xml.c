/* SPDX-License-Identifier: GPL-3.0-or-later */
/* feed-xml.c - RSS and Atom: the elements right inside of the feed and of its items are fields; the
 * value of a field is the markup in it. Of OPML the feeds that it lists are read.
 *
 * Sources: RSS 0.91 to 2.0, RSS 1.0 with its modules, RFC 4287, Atom 0.3, XML Base, OPML 2.0. */
#include <config.h>
#include "extractors/feed/feed-model.h"
#include "extractors/feed/feed-names.h"
#include "extractors/feed/feed-schedule.h"
#include "extractors/shared/xmlread.h"
#include <string.h>

typedef struct {
	char *name; /* lower case, without prefix */
	char *base; /* xml:base, resolved; NULL: none was declared */
} FeedElement;

typedef enum { TEXT_HTML, TEXT_LITERAL, TEXT_GUESSED, TEXT_XHTML, TEXT_BASE64 } FeedTextType;

/* The field that is being read. */
typedef struct {
	FeedField field; /* FEED_UNKNOWN and depth 0: none */
	FeedModule module;
	FeedTextType type;
	guint depth;
	GString *value;
	char *attribute; /* value of the attribute that may stand for the text */
	bool markup;
} FeedCapture;

typedef struct {
	Feed *feed;
	GArray *open; /* FeedElement */
	FeedCapture capture;
	FeedItem item;
	guint about_depth, item_depth; /* number of open elements; 0: not in it */
	bool is_list; /* OPML */
	GPtrArray *weak_summaries; /* char *, HTML: of modules, as of each picture */
	char *weak_author;
	FeedSchedule schedule;
	FeedItem media; /* enclosures of the media module */
	bool permalink, full;
	bool from_elsewhere; /* the item has a source: another feed had it first */
} FeedReader;

static void element_clear(gpointer item)
{
	g_free(((FeedElement *)item)->name);
	g_free(((FeedElement *)item)->base);
}

static FeedElement *feed_element_at(FeedReader *r, guint depth)
{
	return depth > 0 ? &g_array_index(r->open, FeedElement, depth - 1) : NULL;
}

/* The base that the document declares for the innermost element; NULL: none. */
static const char *declared_base(FeedReader *r)
{
	const FeedElement *top = feed_element_at(r, r->open->len);
	return top ? top->base : NULL;
}

static char *resolved(FeedReader *r, const char *reference)
{
	const char *base = declared_base(r);
	g_autofree char *copy = g_strdup(reference);
	return feed_resolve(base ? base : r->feed->url, feed_trim(copy));
}

static FeedItem *current(FeedReader *r)
{
	return r->item_depth > 0 ? &r->item : &r->feed->about;
}

/* An attribute by its local name, of any namespace. The caller frees it. */
static char *feed_attribute(const XmlAttributes *attributes, const char *wanted)
{
	const char *name, *value;
	size_t length;
	for (unsigned i = 0; (value = xml_attribute_at(attributes, i, &name, &length)); i++)
		if (g_ascii_strcasecmp(name, wanted) == 0)
			return g_strndup(value, length);
	return NULL;
}

/* ---- values */

static bool looks_like_markup(const char *text)
{
	return strstr(text, "</") || strstr(text, "/>") || strstr(text, "<br>");
}

/* The value as HTML. The caller frees it. */
static char *value_as_html(FeedCapture *capture)
{
	const char *value = capture->value->str;
	if (capture->type == TEXT_BASE64) {
		gsize length;
		g_autofree guchar *bytes = g_base64_decode(value, &length);
		char *text = g_utf8_make_valid((const char *)bytes, length);
		return text;
	}
	bool literal = capture->type == TEXT_LITERAL ||
	               (capture->type == TEXT_GUESSED && !looks_like_markup(value));
	return literal && !capture->markup ? g_markup_escape_text(value, -1) : g_strdup(value);
}

/* The text of <name>, else of <email>, in a person of Atom; else the text itself. */
static char *person_in(const FeedCapture *capture, const char *html)
{
	static const char *const parts[][2] = {{"<name", "</name>"}, {"<email", "</email>"}};
	for (size_t i = 0; i < G_N_ELEMENTS(parts); i++) {
		const char *begin = strstr(html, parts[i][0]);
		const char *end = begin ? strstr(begin, parts[i][1]) : NULL;
		if (!end)
			continue;
		g_autofree char *element = g_strndup(begin, end - begin);
		return feed_plain_text(element);
	}
	if (capture->module == MODULE_ATOM && strchr(html, '<'))
		return NULL;
	g_autofree char *text = strchr(html, '@') ? g_strdup(html) : feed_plain_text(html);
	return feed_person(text);
}

static void feed_keep_link(FeedReader *r, const char *reference, bool last)
{
	g_autofree char *link = resolved(r, reference);
	FeedItem *item = current(r);
	if (!*link)
		return;
	if (last)
		g_clear_pointer(&item->link, g_free);
	feed_keep(&item->link, link);
}

static void keep_keywords(FeedItem *item, const char *text)
{
	g_auto(GStrv) words = g_strsplit(text, ",", FEED_MAX_LIST);
	for (char **word = words; *word; word++)
		feed_add(item->keywords, *word);
}

static void append_extra(FeedItem *item, const char *text)
{
	if (*text && item->extra->len < FEED_MAX_VALUE)
		g_string_append_printf(item->extra, "%s\n", text);
}

/* The text of an element that is not known, unless it is a number or an address. */
static void keep_unknown(FeedItem *item, const char *html)
{
	g_autofree char *text = feed_plain_text(html);
	bool letters = false;
	for (const char *p = text; *p && !letters; p = g_utf8_next_char(p))
		letters = g_unichar_isalpha(g_utf8_get_char(p));
	if (letters && !strstr(text, "://"))
		append_extra(item, text);
}

/* Fields whose value is HTML. False: it is none of them. */
static bool end_text_field(FeedReader *r, FeedItem *item, char *html)
{
	const char *base = declared_base(r);
	bool has_text = *feed_trim(html) != '\0';
	switch (r->capture.field) {
	case FEED_TITLE: {
		g_autofree char *title = feed_plain_text(html);
		feed_keep(&item->title, title);
		return true;
	}
	case FEED_CONTENT:
		if (has_text && !item->content) {
			g_free(item->base);
			item->base = g_strdup(base ? base : r->feed->url);
		}
		feed_keep(&item->content, html);
		return true;
	case FEED_SUMMARY:
		if (has_text && !item->base)
			item->base = g_strdup(base ? base : r->feed->url);
		feed_keep(&item->summary, html);
		return true;
	case FEED_WEAK_SUMMARY:
		feed_add(r->weak_summaries, html);
		return true;
	case FEED_UNKNOWN:
		if (r->item_depth > 0)
			keep_unknown(item, html);
		return true;
	default:
		return false;
	}
}

static void keep_id(FeedReader *r, FeedItem *item, const char *text)
{
	g_autofree char *id = r->capture.module == MODULE_ATOM
	                              ? feed_resolve(declared_base(r), text)
	                              : g_strdup(text);
	feed_keep(&item->id, id);
}

static void end_plain_field(FeedReader *r, FeedItem *item, const char *html, const char *text)
{
	switch (r->capture.field) {
	case FEED_LINK:
		if (*text)
			feed_keep_link(r, text, r->capture.module == MODULE_RSS);
		break;
	case FEED_ID:
		keep_id(r, item, r->capture.module == MODULE_ATOM ? text : html);
		break;
	case FEED_AUTHOR: {
		g_autofree char *person = person_in(&r->capture, html);
		feed_add(item->authors, person);
		break;
	}
	case FEED_WEAK_AUTHOR:
		feed_keep(&r->weak_author, text);
		break;
	case FEED_KEYWORD:
		feed_add(item->keywords, r->capture.attribute ? r->capture.attribute : text);
		break;
	case FEED_KEYWORDS:
		keep_keywords(item, text);
		break;
	case FEED_DATE:
	case FEED_WEAK_DATE:
		feed_keep_date(item, text, r->capture.field == FEED_WEAK_DATE);
		break;
	case FEED_UPDATED:
		feed_keep_updated(item, text);
		break;
	case FEED_LANGUAGE:
		feed_keep(&item->language, text);
		break;
	case FEED_TTL:
		feed_schedule_keep_ttl(&r->schedule, text);
		break;
	case FEED_HOUR:
		feed_schedule_keep_hour(&r->schedule, text);
		break;
	case FEED_DAY:
		feed_schedule_keep_day(&r->schedule, text);
		break;
	case FEED_PERIOD:
		feed_keep(&r->schedule.period, text);
		break;
	case FEED_FREQUENCY:
		r->schedule.frequency = g_ascii_strtoull(text, NULL, 10);
		break;
	default:
		break;
	}
}

static void capture_end(FeedReader *r)
{
	FeedItem *item = current(r);
	g_autofree char *html = value_as_html(&r->capture);
	if (!end_text_field(r, item, html)) {
		g_autofree char *text = feed_plain_text(html);
		end_plain_field(r, item, html, text);
	}
	g_clear_pointer(&r->capture.attribute, g_free);
	g_string_truncate(r->capture.value, 0);
	r->capture.depth = 0;
}

/* ---- the beginning of fields */

/* RFC 4287, 4.1.3.3: the value of such a type is in base64. */
static bool is_binary(const char *type)
{
	return type &&
	       (strcmp(type, "application/octet-stream") == 0 || g_str_has_prefix(type, "image/") ||
	               g_str_has_prefix(type, "audio/") || g_str_has_prefix(type, "video/"));
}

static FeedTextType text_type(FeedModule module, const XmlAttributes *attributes)
{
	g_autofree char *type = feed_attribute(attributes, "type");
	g_autofree char *mode = feed_attribute(attributes, "mode");
	if (module != MODULE_ATOM)
		return TEXT_HTML;
	if (g_strcmp0(mode, "base64") == 0 || is_binary(type))
		return TEXT_BASE64;
	if (g_strcmp0(mode, "escaped") == 0)
		return g_strcmp0(type, "text/plain") == 0 ? TEXT_LITERAL : TEXT_HTML;
	if (!type)
		return TEXT_GUESSED;
	if (strstr(type, "xhtml") || g_str_has_suffix(type, "xml"))
		return TEXT_XHTML;
	return strstr(type, "html") ? TEXT_HTML : TEXT_LITERAL;
}

static void start_link(FeedReader *r, FeedModule module, const XmlAttributes *attributes)
{
	g_autofree char *href = feed_attribute(attributes, "href");
	g_autofree char *rel = feed_attribute(attributes, "rel");
	if (!href || !*href)
		return;
	if (g_strcmp0(rel, "enclosure") == 0) {
		g_autofree char *type = feed_attribute(attributes, "type");
		g_autofree char *size = feed_attribute(attributes, "length");
		g_autofree char *url = resolved(r, href);
		feed_add_enclosure(current(r), url, type, size);
	} else if (!rel || g_strcmp0(rel, "alternate") == 0) {
		feed_keep_link(r, href, module == MODULE_RSS);
	}
}

static void start_file(FeedReader *r, FeedItem *item, const XmlAttributes *attributes)
{
	g_autofree char *url = feed_attribute(attributes, "url");
	g_autofree char *type = feed_attribute(attributes, "type");
	g_autofree char *size = feed_attribute(attributes, "length");
	g_autofree char *file_size = size ? NULL : feed_attribute(attributes, "filesize");
	g_autofree char *absolute = url && *url ? resolved(r, url) : NULL;
	feed_add_enclosure(item, absolute, type, size ? size : file_size);
}

static void capture_begin(
        FeedReader *r, FeedField field, FeedModule module, const XmlAttributes *attributes)
{
	if (field == FEED_LINK)
		start_link(r, module, attributes);
	else if (field == FEED_ENCLOSURE_FILE)
		start_file(r, current(r), attributes);
	else if (field == FEED_ID)
		r->permalink = module == MODULE_RSS &&
		               !xml_attribute_is(attributes, 0, "isPermaLink", "false");
	r->capture.field = field;
	r->capture.module = module;
	r->capture.type = text_type(module, attributes);
	r->capture.depth = r->open->len;
	r->capture.markup = false;
	g_string_truncate(r->capture.value, 0);
	if (field == FEED_KEYWORD) {
		char *term = feed_attribute(attributes, "term");
		r->capture.attribute = term ? term : feed_attribute(attributes, "text");
	}
}

/* ---- markup in a field */

static void capture_tag(FeedReader *r, const char *name, const XmlAttributes *attributes)
{
	GString *out = r->capture.value;
	const char *key, *value;
	size_t length;
	r->capture.markup = true;
	g_string_append_printf(out, "<%s", name);
	for (unsigned i = 0; (value = xml_attribute_at(attributes, i, &key, &length)); i++) {
		g_autofree char *escaped = g_markup_escape_text(value, length);
		g_string_append_printf(out, " %s=\"%s\"", key, escaped);
	}
	g_string_append_c(out, '>');
}

static bool capture_has_room(const FeedReader *r, size_t length)
{
	return r->capture.value->len + length <= FEED_MAX_VALUE;
}

/* ---- the feed and its items */

static char *kind_of(const char *name, const char *uri, const XmlAttributes *attributes)
{
	g_autofree char *version = feed_attribute(attributes, "version");
	if (strcmp(name, "rss") == 0)
		return version && *version ? g_strdup_printf("rss %.10s", version)
		                           : g_strdup("rss");
	if (strcmp(name, "rdf") == 0)
		return g_strdup("rss 1.0");
	if (strcmp(name, "opml") == 0)
		return g_strdup_printf("opml %.10s", version && *version ? version : "1.0");
	if (strcmp(name, "channel") == 0)
		return g_strdup("rss");
	if (strcmp(name, "feed") != 0 && strcmp(name, "entry") != 0)
		return NULL;
	bool old = (uri && strstr(uri, "purl.org/atom")) || g_strcmp0(version, "0.3") == 0;
	return g_strdup(old ? "atom 0.3" : "atom 1.0");
}

/* RSS 0.90 has the root element of RSS 1.0. */
static void note_old_rdf(FeedReader *r, const char *uri)
{
	if (uri && strstr(uri, "netscape.com/rdf/simple/0.9") &&
	        strcmp(r->feed->kind, "rss 1.0") == 0) {
		g_free(r->feed->kind);
		r->feed->kind = g_strdup("rss 0.9");
	}
}

static void take_media(FeedReader *r, FeedItem *item)
{
	for (guint i = 0; i < r->media.enclosures->len && item->enclosures->len == 0; i++) {
		const FeedEnclosure *file = &g_array_index(r->media.enclosures, FeedEnclosure, i);
		feed_add_enclosure(item, file->url, file->type, file->size);
	}
	g_array_set_size(r->media.enclosures, 0);
}

static bool html_has_text(const char *html, const char *text)
{
	g_autofree char *plain = feed_plain_text(html ? html : "");
	return strstr(plain, text) != NULL;
}

/* The first description of a module stands in for a text that is absent. Others are kept for their
 * words, if the texts do not have them. */
static void take_weak_summaries(FeedReader *r, FeedItem *item)
{
	for (guint i = 0; i < r->weak_summaries->len; i++) {
		const char *html = r->weak_summaries->pdata[i];
		g_autofree char *text = feed_plain_text(html);
		if (!item->content && !item->summary)
			feed_keep(&item->summary, html);
		else if (!html_has_text(item->content, text) && !html_has_text(item->summary, text))
			append_extra(item, text);
	}
	g_ptr_array_set_size(r->weak_summaries, 0);
}

/* Weak values count now, if there are no others. */
static void take_weak(FeedReader *r, FeedItem *item)
{
	take_media(r, item);
	take_weak_summaries(r, item);
	if (item->authors->len == 0)
		feed_add(item->authors, r->weak_author);
	g_clear_pointer(&r->weak_author, g_free);
}

/* RFC 4287, 4.2.1: an entry without authors has those of the feed, unless it comes from another. */
static void inherit_authors(const FeedReader *r, FeedItem *item)
{
	const GPtrArray *authors = r->feed->about.authors;
	bool own = g_str_has_prefix(r->feed->kind, "atom") && !r->from_elsewhere;
	if (item->authors->len > 0 || !own)
		return;
	for (guint i = 0; i < authors->len; i++)
		feed_add(item->authors, authors->pdata[i]);
}

static void begin_item(FeedReader *r)
{
	take_weak(r, &r->feed->about);
	feed_item_init(&r->item);
	r->item_depth = r->open->len;
	r->permalink = true;
	r->from_elsewhere = false;
}

static void end_item(FeedReader *r)
{
	FeedItem *item = &r->item;
	take_weak(r, item);
	inherit_authors(r, item);
	if (!item->link && item->id && r->permalink && g_str_has_prefix(item->id, "http"))
		item->link = g_strdup(item->id);
	r->item_depth = 0;
	r->full = !r->feed->item(&r->item, r->feed->data);
	feed_item_clear(&r->item);
}

static bool begin_root(
        FeedReader *r, const char *name, const char *uri, const XmlAttributes *attributes)
{
	g_autofree char *kind = kind_of(name, uri, attributes);
	g_autofree char *language = feed_attribute(attributes, "lang");
	if (!kind)
		return false;
	r->feed->kind = g_utf8_make_valid(kind, -1);
	r->is_list = strcmp(name, "opml") == 0;
	feed_keep(&r->feed->about.language, language);
	if (strcmp(name, "feed") == 0 || strcmp(name, "channel") == 0)
		r->about_depth = r->open->len;
	else if (strcmp(name, "entry") == 0)
		begin_item(r); /* a file with a single entry of Atom */
	return true;
}

/* An outline of OPML, which may stand in others. Its title is its text, which programs write more
 * often. */
static void take_subscription(FeedReader *r, const XmlAttributes *attributes)
{
	g_autofree char *url = feed_attribute(attributes, "xmlUrl");
	g_autofree char *text = feed_attribute(attributes, "text");
	g_autofree char *title = text && *text ? NULL : feed_attribute(attributes, "title");
	if (url)
		feed_add_subscription(r->feed, url, title ? title : text);
}

/* ---- events */

/* The base inside of an element with this attribute, or NULL. Every element has a copy of its own,
 * so a long base is left out. The caller frees it. */
static char *inner_base(FeedReader *r, const FeedElement *outer, const char *attribute)
{
	const char *base = outer ? outer->base : NULL;
	if (!attribute || !*attribute || strlen(attribute) > FEED_MAX_BASE)
		return g_strdup(base);
	g_autofree char *inner = feed_resolve(base ? base : r->feed->url, attribute);
	return strlen(inner) <= FEED_MAX_BASE ? g_steal_pointer(&inner) : g_strdup(base);
}

static void push_element(FeedReader *r, const char *name, const XmlAttributes *attributes)
{
	g_autofree char *base = feed_attribute(attributes, "base");
	FeedElement element = {.name = g_ascii_strdown(name, -1),
	        .base = inner_base(r, feed_element_at(r, r->open->len), base)};
	g_array_append_val(r->open, element);
}

/* Elements whose own elements are fields of the item. "content" is that of the media module: other
 * ones are captured with all that is in them. */
static bool is_group(const char *name)
{
	static const char *const groups[] = {"skiphours", "skipdays", "group", "content", NULL};
	return g_strv_contains(groups, name);
}

/* Is the innermost element right inside of the feed or the item, or in groups that are? */
static bool is_field_place(FeedReader *r)
{
	guint container = r->item_depth > 0 ? r->item_depth : r->about_depth;
	guint depth = r->open->len;
	if (container == 0 || depth <= container)
		return false;
	for (guint outer = container + 1; outer < depth; outer++)
		if (!is_group(feed_element_at(r, outer)->name))
			return false;
	return true;
}

static bool feed_on_start(void *user, unsigned number, const XmlAttributes *attributes)
{
	FeedReader *r = user;
	const char *prefix, *uri, *local = xml_element(attributes, &prefix, &uri);
	push_element(r, local, attributes);
	const char *name = feed_element_at(r, r->open->len)->name;
	if (r->open->len == 1 && !r->feed->kind)
		return begin_root(r, name, uri, attributes);
	if (r->is_list) {
		if (strcmp(name, "outline") == 0)
			take_subscription(r, attributes);
		return true;
	}
	if (r->capture.depth > 0) {
		if (capture_has_room(r, strlen(name)))
			capture_tag(r, name, attributes);
		return true;
	}
	bool item = strcmp(name, "item") == 0 || strcmp(name, "entry") == 0;
	if (item && r->item_depth == 0) {
		begin_item(r);
	} else if (strcmp(name, "channel") == 0 && r->about_depth == 0) {
		r->about_depth = r->open->len;
		note_old_rdf(r, uri);
	} else if (is_field_place(r)) {
		r->from_elsewhere |= strcmp(name, "source") == 0;
		FeedModule module = feed_module(uri, prefix);
		FeedField field = feed_field(module, name);
		if (field == FEED_MEDIA_FILE)
			start_file(r, &r->media, attributes);
		else if (field != FEED_IGNORED && field != FEED_GROUP)
			capture_begin(r, field, module, attributes);
	}
	return !r->full;
}

static bool feed_on_end(void *user, unsigned number)
{
	FeedReader *r = user;
	guint depth = r->open->len;
	if (depth == 0)
		return true;
	if (r->capture.depth == depth)
		capture_end(r);
	else if (r->capture.depth > 0)
		g_string_append_printf(r->capture.value, "</%s>", feed_element_at(r, depth)->name);
	else if (r->item_depth == depth)
		end_item(r);
	else if (r->about_depth == depth)
		r->about_depth = 0;
	g_array_set_size(r->open, depth - 1);
	return !r->full;
}

static bool feed_on_text(void *user, const char *text, size_t length)
{
	FeedReader *r = user;
	if (r->capture.depth == 0 || !capture_has_room(r, length))
		return true;
	if (r->capture.type == TEXT_XHTML) {
		g_autofree char *escaped = g_markup_escape_text(text, length);
		g_string_append(r->capture.value, escaped);
	} else {
		g_string_append_len(r->capture.value, text, length);
	}
	return true;
}

void feed_read_xml(Feed *feed, const char *text, size_t length)
{
	static const XmlEvents events = {feed_on_start, feed_on_end, feed_on_text};
	static const XmlElement no_elements[] = {{NULL, 0, 0}};
	static const XmlNamespace no_namespaces[] = {{NULL, 0}};
	static const XmlVocabulary vocabulary = {no_namespaces, no_elements, true};
	FeedReader r = {.feed = feed, .open = g_array_new(FALSE, FALSE, sizeof(FeedElement))};

	g_array_set_clear_func(r.open, element_clear);
	r.capture.value = g_string_new(NULL);
	r.weak_summaries = g_ptr_array_new_with_free_func(g_free);
	feed_schedule_init(&r.schedule);
	feed_item_init(&r.media);
	XmlResult result = xml_read_memory(&vocabulary, &events, &r, text, length);
	while (r.open->len > 0 && feed->kind && result != XML_READ_STOPPED)
		feed_on_end(&r, 0);
	if (r.item_depth > 0)
		feed_item_clear(&r.item);
	feed->damaged = result == XML_READ_DAMAGED;
	take_weak(&r, &feed->about);
	feed_schedule_end(&r.schedule, feed->schedule);
	feed_item_clear(&r.media);
	g_ptr_array_unref(r.weak_summaries);
	g_array_unref(r.open);
	g_string_free(r.capture.value, TRUE);
	g_free(r.capture.attribute);
}
