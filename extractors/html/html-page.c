/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/html/html-page.h"
#include "common/base/text.h"
#include "extractors/html/html-entity.h"
#include "extractors/html/html-tiddlers.h"
#include <string.h>
#include <strings.h>

enum { MAX_FRAMES = 2, MAX_ANCHOR_BYTES = 1024, MAX_HREF_BYTES = 4096, MAX_TITLE_BYTES = 4096 };

static DocTag block_tag(const Page *page)
{
	if (page->heading > 0 && (page->noise_depth == 0 || page->noise_headings) &&
	        (!page->outside || (page->heading == 1 && !page->inside_seen)))
		return TAG_HEADING1 + page->heading - 1;
	if (page->noise_depth > 0 || page->outside)
		return TAG_NOISE;
	if (page->caption > 0 || page->alternative)
		return TAG_CAPTION;
	if (page->pre > 0)
		return TAG_CODE;
	return page->cell ? TAG_TABLE : TAG_BODY;
}

/* Links and emphasis of a caption stay a part of it: a credit is no text of the page. */
static DocTag inline_tag(const Page *page, DocTag block)
{
	if (block != TAG_BODY && block != TAG_TABLE)
		return block;
	if (page->code > 0)
		return TAG_CODE;
	if (page->link)
		return TAG_LINK;
	return page->emphasis > 0 ? TAG_EMPHASIS : block;
}

/* True for the sign after a heading that links to the heading itself. */
static bool is_permalink(const Page *page, const char *text, size_t length)
{
	HtmlSpan sign = {text, length};

	return page->link && page->heading > 0 && (span_is(sign, "\u00b6") || span_is(sign, "#"));
}

/* The mark of a note is a link to a place, whose text is a number. It touches the word before it,
 * or begins the note itself. */
static void keep_mark_apart(Page *page, const char *text)
{
	HtmlWriter *writer = &page->writer;
	bool touches = writer->block_due || !writer->space_due;
	bool begins = page->link && page->anchor->len == 0;
	if (begins)
		page->mark = touches && g_ascii_isdigit(*text) && strchr(page->href->str, '#');
	bool follows = page->after_mark && (g_ascii_isalnum(*text) || (*text & 0x80));
	writer->space_due = writer->space_due || follows || (begins && page->mark);
	page->after_mark = false;
}

static void html_add_text(Page *page, const char *text, size_t length)
{
	DocTag block = block_tag(page);

	if (page->hidden > 0 || length == 0 || is_permalink(page, text, length))
		return;
	keep_mark_apart(page, text);
	if (page->pre > 0)
		writer_verbatim(&page->writer, block, inline_tag(page, block), text, length);
	else
		writer_text(&page->writer, block, inline_tag(page, block), text, length);
	if (page->link && page->anchor->len < MAX_ANCHOR_BYTES)
		g_string_append_len(page->anchor, text, MIN(length, MAX_ANCHOR_BYTES));
}

static const GString *html_resolve(Page *page, HtmlSpan text, bool in_attribute)
{
	g_string_truncate(page->text, 0);
	entity_append(page->text, text, in_attribute);
	return page->text;
}

static void html_begin_block(Page *page)
{
	writer_block(&page->writer);
	page->cell = false;
	page->breaks = 0;
}

/* ---- links */

/* With a <base> element, "" and "#name" lead to another page. */
static bool is_followable_link(const Page *page, const char *href)
{
	if (*href == '\0' || *href == '#')
		return page->site && page->base_told;
	return strncasecmp(href, "javascript:", 11) != 0 && strncasecmp(href, "data:", 5) != 0;
}

static bool html_has_scheme(const char *href)
{
	g_autofree char *scheme = g_uri_parse_scheme(href);
	return scheme != NULL;
}

static bool is_web_address(const char *url)
{
	return strncasecmp(url, "http:", 5) == 0 || strncasecmp(url, "https:", 6) == 0;
}

/* On the web, a backslash before the query is a slash (URL Standard, section 4.4). */
static char *html_resolve_href(const char *base, const char *href)
{
	g_autofree char *slashed = g_strdup(href);
	char *end = slashed + strcspn(slashed, "?#");
	for (char *p = slashed; is_web_address(base) && p < end; p++)
		*p = *p == '\\' ? '/' : *p;
	char *uri = g_uri_resolve_relative(base, slashed, G_URI_FLAGS_PARSE_RELAXED, NULL);
	return uri ? uri : g_strdup(href);
}

/* Resolves a target against the base. The caller frees it. */
static char *from_base(const Page *page, const char *href)
{
	if (!page->base || html_has_scheme(href))
		return g_strdup(href);
	if (html_has_scheme(page->base))
		return html_resolve_href(page->base, href);
	const char *slash = strrchr(page->base, '/');
	if (*href == '/' || !slash)
		return g_strdup(href);
	return g_strdup_printf("%.*s%s", (int)(slash + 1 - page->base), page->base, href);
}

/* The first <base> counts. */
static void set_base(Page *page, const Token *token)
{
	HtmlSpan href = token_attribute(token, "href");

	if (page->base_told || href.length == 0 || href.length > MAX_HREF_BYTES)
		return;
	g_autoptr(GString) base = g_string_new(NULL);
	entity_append(base, href, true);
	char *resolved = from_base(page, g_strstrip(base->str));
	g_free(page->base);
	page->base = resolved;
	page->base_told = true;
}

static void send_target(Page *page, const char *href, const char *text)
{
	g_autofree char *target = from_base(page, href);
	unsigned flags = page->nofollow ? DOC_LINK_NOFOLLOW : 0;
	if (!sink_link_kind(page->sink, LINK_ANCHOR, flags, target, text))
		page->writer.full = true;
	if (!page->bookmark)
		sink_address(page->sink, target, text);
}

static void send_bookmark(Page *page)
{
	if (!page->bookmark)
		return;
	writer_block(&page->writer);
	writer_text(&page->writer, TAG_NOISE, TAG_NOISE, page->bookmark, strlen(page->bookmark));
	writer_block(&page->writer);
	g_clear_pointer(&page->bookmark, g_free);
}

static void html_end_link(Page *page)
{
	if (!page->link)
		return;
	size_t digits = strspn(page->anchor->str, "0123456789");
	page->after_mark = page->mark && digits == page->anchor->len;
	page->link = page->mark = false;
	if (!is_followable_link(page, page->href->str)) {
		page->nofollow = false;
		return;
	}
	/* the cut may split a character */
	const char *end;
	g_utf8_validate(page->anchor->str, page->anchor->len, &end);
	g_string_truncate(page->anchor, end - page->anchor->str);
	g_strdelimit(page->anchor->str, "\t\r\n\f", ' ');
	send_target(page, page->href->str, g_strstrip(page->anchor->str));
	send_bookmark(page);
	page->nofollow = false;
}

/* Is the word one of those in the attribute rel? */
static bool has_relation(const Token *token, const char *word)
{
	HtmlSpan rel = token_attribute(token, "rel");
	size_t length = strlen(word);
	for (size_t i = 0; i + length <= rel.length; i++) {
		bool begins = i == 0 || g_ascii_isspace(rel.text[i - 1]);
		bool ends = i + length == rel.length || g_ascii_isspace(rel.text[i + length]);
		if (begins && ends && g_ascii_strncasecmp(rel.text + i, word, length) == 0)
			return true;
	}
	return false;
}

static bool is_feed_type(HtmlSpan type)
{
	return span_is(type, "application/rss+xml") || span_is(type, "application/atom+xml") ||
	       span_is(type, "application/feed+json") || span_is(type, "application/rdf+xml");
}

/* The kind of a <link> element of a page from a site: its preferred address, one of its feeds, the
 * next or the last part of the same text. N_LINK_KINDS: another. */
static DocLinkKind kind_of_relation(const Token *token)
{
	if (has_relation(token, "canonical"))
		return LINK_CANONICAL;
	if (has_relation(token, "alternate") && is_feed_type(token_attribute(token, "type")))
		return LINK_FEED;
	return has_relation(token, "next") || has_relation(token, "prev") ? LINK_ANCHOR
	                                                                  : N_LINK_KINDS;
}

static void send_relation(Page *page, const Token *token)
{
	HtmlSpan href = token_attribute(token, "href"), title = token_attribute(token, "title");
	DocLinkKind kind = kind_of_relation(token);
	if (kind == N_LINK_KINDS || href.length == 0 || href.length > MAX_HREF_BYTES)
		return;
	g_autofree char *name = g_strdup(
	        kind == LINK_FEED && title.text ? html_resolve(page, title, true)->str : "");
	g_autofree char *reference = g_strdup(html_resolve(page, href, true)->str);
	g_autofree char *target = from_base(page, g_strstrip(reference));
	if (!sink_link_kind(page->sink, kind, 0, target, name))
		page->writer.full = true;
}

static void read_meta(Page *page, const Token *token)
{
	g_autofree char *refresh = page->site ? meta_refresh_target(token) : NULL;
	if (refresh && strlen(refresh) <= MAX_HREF_BYTES && is_followable_link(page, refresh))
		send_target(page, refresh, "");
	meta_element(&page->meta, token);
}

static void keep_bookmark(Page *page, HtmlSpan tags)
{
	const char *text = tags.text ? html_resolve(page, tags, true)->str : "";
	g_free(page->bookmark);
	page->bookmark = g_strdup_printf("%s %s", page->href->str, text);
}

static void html_begin_link(Page *page, const Token *token)
{
	HtmlSpan href = token_attribute(token, "href");

	html_end_link(page);
	if (!href.text || href.length > MAX_HREF_BYTES)
		return;
	g_string_truncate(page->href, 0);
	entity_append(page->href, href, true);
	g_strstrip(page->href->str);
	g_string_truncate(page->anchor, 0);
	page->link = *page->href->str || is_followable_link(page, "");
	page->nofollow = page->site && has_relation(token, "nofollow");
	if (page->bookmarks)
		keep_bookmark(page, token_attribute(token, "tags"));
}

static void send_link(Page *page, HtmlSpan target, HtmlSpan text)
{
	if (!target.text || target.length > MAX_HREF_BYTES)
		return;
	g_autofree char *anchor = g_strdup(text.text ? html_resolve(page, text, true)->str : "");
	const GString *href = html_resolve(page, target, true);
	if (is_followable_link(page, href->str))
		send_target(page, href->str, anchor);
}

/* ---- noise */

static bool has_noisy_role(const Token *token)
{
	static const char *const roles[] = {"navigation", "banner", "contentinfo", "complementary",
	        "search", "menu", "menubar"};
	HtmlSpan role = token_attribute(token, "role");

	for (size_t i = 0; role.text && i < G_N_ELEMENTS(roles); i++) {
		if (span_is(role, roles[i]))
			return true;
	}
	return false;
}

static bool is_noise(const Page *page, const Token *token, const Element *element)
{
	if (element->kind == ELEMENT_NOISE)
		return !page->book || strcmp(token->name, "aside") != 0;
	if (element->kind == ELEMENT_HEADER || element->kind == ELEMENT_FOOTER)
		return page->article == 0 && !page->book;
	return has_noisy_role(token);
}

static void begin_noise(Page *page, const Token *token, const Element *element)
{
	if (page->noise_depth > 0) {
		page->noise_depth += strcmp(page->noise, token->name) == 0;
	} else if (!token->closed && *token->name && is_noise(page, token, element)) {
		g_strlcpy(page->noise, token->name, sizeof(page->noise));
		page->noise_depth = 1;
		page->noise_headings = element->kind == ELEMENT_HEADER;
		writer_block(&page->writer);
	}
}

static void end_noise(Page *page, const Token *token)
{
	if (page->noise_depth == 0 || strcmp(page->noise, token->name) != 0)
		return;
	if (--page->noise_depth == 0)
		writer_block(&page->writer);
}

/* ---- elements */

/* Adds the alternative text of a picture, or the label of a button. */
static void add_picture(Page *page, const Token *token)
{
	bool input = strcmp(token->name, "input") == 0;
	HtmlSpan text = token_attribute(token, input ? "value" : "alt");

	if (input && !span_is(token_attribute(token, "type"), "submit") &&
	        !span_is(token_attribute(token, "type"), "button"))
		return;
	if (strcmp(token->name, "area") == 0)
		send_link(page, token_attribute(token, "href"), text);
	if (text.length == 0)
		return;
	const GString *resolved = html_resolve(page, text, true);
	page->alternative = !input;
	html_add_text(page, " ", 1);
	html_add_text(page, resolved->str, resolved->len);
	html_add_text(page, " ", 1);
	page->alternative = false;
}

static void add_frame(Page *page, const Token *token)
{
	HtmlSpan inside = token_attribute(token, "srcdoc");

	if (inside.length == 0) {
		send_link(page, token_attribute(token, "src"), token_attribute(token, "title"));
		return;
	}
	if (page->frames >= MAX_FRAMES)
		return;
	g_autoptr(GString) text = g_string_new(NULL);
	entity_append(text, inside, true);
	page->frames++;
	html_begin_block(page);
	page_run(page, text->str, text->len);
	html_begin_block(page);
	page->frames--;
}

static void read_raw(Page *page, Tokenizer *tokenizer, const Token *token, ElementKind kind)
{
	if (token->closed && page->xml)
		return;
	page->raw = kind;
	token_raw(tokenizer, token->name);
}

static void set_language(Page *page, const Token *token)
{
	HtmlSpan language = token_attribute(token, "lang");

	if (!language.text)
		language = token_attribute(token, "xml:lang");
	if (language.text)
		meta_language(&page->meta, html_resolve(page, language, true)->str);
}

static void html_add_break(Page *page)
{
	if (page->pre > 0)
		html_add_text(page, "\n", 1);
	else
		html_add_text(page, " ", 1);
	if (++page->breaks == 2)
		html_begin_block(page);
}

static void open_heading(Page *page, unsigned level)
{
	html_begin_block(page);
	page->heading = level;
	page->emphasis = page->code = page->pre = 0;
}

/* Handles elements that begin a block. */
static void open_block(Page *page, const Element *element)
{
	if (element->kind == ELEMENT_HEADING) {
		open_heading(page, element->level);
		return;
	}
	html_begin_block(page);
	switch (element->kind) {
	case ELEMENT_PARAGRAPH:
		page->heading = 0;
		break;
	case ELEMENT_ARTICLE:
		page->article++;
		page->heading = 0;
		break;
	case ELEMENT_PRE:
		page->pre++;
		break;
	case ELEMENT_CELL:
		page->cell = true;
		page->emphasis = page->code = 0;
		break;
	case ELEMENT_CAPTION:
		page->caption++;
		break;
	default:
		break;
	}
}

static void open_frame(Page *page, Tokenizer *tokenizer, const Token *token)
{
	add_frame(page, token);
	if (strcmp(token->name, "iframe") == 0)
		read_raw(page, tokenizer, token, ELEMENT_SKIPPED);
}

/* Handles inline elements and elements without text. */
static void open_inline(Page *page, Tokenizer *tokenizer, const Token *token, ElementKind kind)
{
	switch (kind) {
	case ELEMENT_EMPHASIS:
		page->emphasis++;
		break;
	case ELEMENT_CODE:
		page->code++;
		break;
	case ELEMENT_LINK:
		html_begin_link(page, token);
		break;
	case ELEMENT_BREAK:
		html_add_break(page);
		break;
	case ELEMENT_IMAGE:
		add_picture(page, token);
		break;
	case ELEMENT_FRAME:
		open_frame(page, tokenizer, token);
		break;
	case ELEMENT_META:
		read_meta(page, token);
		break;
	case ELEMENT_BASE:
		set_base(page, token);
		break;
	case ELEMENT_ROOT:
		set_language(page, token);
		break;
	case ELEMENT_DRAWING:
		page->drawing += !token->closed;
		break;
	case ELEMENT_TEMPLATE:
		page->hidden += !token->closed;
		break;
	case ELEMENT_TITLE:
		if (page->drawing == 0)
			read_raw(page, tokenizer, token, ELEMENT_TITLE);
		break;
	case ELEMENT_SKIPPED:
	case ELEMENT_AREA:
		read_raw(page, tokenizer, token, tiddlers_follow(token) ? ELEMENT_TIDDLERS : kind);
		break;
	default:
		break;
	}
}

static void html_page_open_element(Page *page, Tokenizer *tokenizer, const Token *token)
{
	const Element *element = element_find(token->name);

	if (page->site && strcmp(token->name, "link") == 0)
		send_relation(page, token);
	if (element->kind != ELEMENT_INLINE || token->n_attributes > 0 || page->noise_depth > 0)
		begin_noise(page, token, element);
	switch (element->kind) {
	case ELEMENT_PARAGRAPH:
	case ELEMENT_BLOCK:
	case ELEMENT_HEADER:
	case ELEMENT_FOOTER:
	case ELEMENT_NOISE:
	case ELEMENT_ARTICLE:
	case ELEMENT_HEADING:
	case ELEMENT_PRE:
	case ELEMENT_CELL:
	case ELEMENT_CAPTION:
		open_block(page, element);
		break;
	default:
		open_inline(page, tokenizer, token, element->kind);
		break;
	}
}

static void decrease_count(unsigned *count)
{
	*count -= *count > 0;
}

/* A caption ends with its element at the latest. */
static bool ends_captions(const char *name)
{
	static const char *const captioned[] = {"figure", "table", "fieldset", NULL};
	return g_strv_contains(captioned, name);
}

static void html_page_close_element(Page *page, const Token *token)
{
	const Element *element = element_find(token->name);

	if (page->caption > 0 && ends_captions(token->name))
		page->caption = 0;
	switch (element->kind) {
	case ELEMENT_EMPHASIS:
		decrease_count(&page->emphasis);
		break;
	case ELEMENT_CODE:
		decrease_count(&page->code);
		break;
	case ELEMENT_LINK:
		html_end_link(page);
		break;
	case ELEMENT_TEMPLATE:
		decrease_count(&page->hidden);
		break;
	case ELEMENT_DRAWING:
		decrease_count(&page->drawing);
		break;
	case ELEMENT_HEADING:
		page->heading = 0;
		html_begin_block(page);
		break;
	case ELEMENT_PRE:
		decrease_count(&page->pre);
		html_begin_block(page);
		break;
	case ELEMENT_CAPTION:
		decrease_count(&page->caption);
		html_begin_block(page);
		break;
	case ELEMENT_ARTICLE:
		decrease_count(&page->article);
		html_begin_block(page);
		break;
	case ELEMENT_BLOCK:
	case ELEMENT_PARAGRAPH:
	case ELEMENT_CELL:
	case ELEMENT_HEADER:
	case ELEMENT_FOOTER:
	case ELEMENT_NOISE:
		html_begin_block(page);
		break;
	default:
		break;
	}
	end_noise(page, token);
}

static void add_raw(Page *page, HtmlSpan text)
{
	ElementKind kind = page->raw;

	page->raw = ELEMENT_INLINE;
	if (kind == ELEMENT_TITLE && text.length <= MAX_TITLE_BYTES)
		meta_title(&page->meta, html_resolve(page, text, false)->str);
	else if (kind == ELEMENT_AREA) {
		const GString *resolved = html_resolve(page, text, false);
		html_begin_block(page);
		html_add_text(page, resolved->str, resolved->len);
		html_begin_block(page);
	} else if (kind == ELEMENT_TIDDLERS) {
		tiddlers_write(&page->writer, text);
	} else if (kind == ELEMENT_INLINE) {
		html_add_text(page, text.text, text.length);
	}
}

static void add_token_text(Page *page, HtmlSpan text)
{
	if (!text_is_blank(text.text, text.length))
		page->breaks = 0;
	if (!memchr(text.text, '&', text.length)) {
		html_add_text(page, text.text, text.length);
		return;
	}
	const GString *resolved = html_resolve(page, text, false);
	html_add_text(page, resolved->str, resolved->len);
}

/* Containers may be left open, so the state changes only between blocks. */
static void html_note_outside(Page *page, const Token *token)
{
	if (!page->content || page->frames > 0 ||
	        (token->kind != TOKEN_TEXT && token->kind != TOKEN_RAW))
		return;
	bool outside = !content_has(page->content, token->text.text);
	if (outside != page->outside)
		writer_block(&page->writer);
	page->outside = outside;
	page->inside_seen |= !outside && page->heading == 0 &&
	                     !text_is_blank(token->text.text, token->text.length);
}

void page_run(Page *page, const char *text, size_t length)
{
	Tokenizer tokenizer;
	Token token;

	token_init(&tokenizer, text, length);
	while (!page->writer.full && token_next(&tokenizer, &token)) {
		html_note_outside(page, &token);
		switch (token.kind) {
		case TOKEN_TEXT:
			add_token_text(page, token.text);
			break;
		case TOKEN_RAW:
			add_raw(page, token.text);
			break;
		case TOKEN_OPEN:
			html_page_open_element(page, &tokenizer, &token);
			break;
		case TOKEN_CLOSE:
			html_page_close_element(page, &token);
			break;
		case TOKEN_END:
			break;
		}
	}
	page->raw = ELEMENT_INLINE;
}

void page_init(Page *page, Sink *sink, bool xml)
{
	*page = (Page){.sink = sink,
	        .meta = {.sink = sink},
	        .xml = xml,
	        .text = g_string_new(NULL),
	        .href = g_string_new(NULL),
	        .anchor = g_string_new(NULL)};
	writer_init(&page->writer, sink);
}

void page_reset(Page *page)
{
	html_end_link(page);
	html_begin_block(page);
	page->heading = page->emphasis = page->code = page->pre = page->caption = 0;
	page->drawing = page->hidden = page->article = page->noise_depth = 0;
}

bool page_finish(Page *page)
{
	bool any = page->writer.any || page->meta.sent[FIELD_TITLE];

	html_end_link(page);
	writer_flush(&page->writer);
	writer_clear(&page->writer);
	meta_clear(&page->meta);
	g_string_free(page->text, TRUE);
	g_string_free(page->href, TRUE);
	g_string_free(page->anchor, TRUE);
	g_free(page->base);
	g_free(page->bookmark);
	return any;
}
