/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "common/url/url-origin.h"
#include "daemon/web/web-crawl-private.h"
#include "index/text/checksum.h"
#include "index/text/fingerprint.h"
#include <string.h>

/* Are these the bytes that were converted? *same_r is set. */
static bool page_is_content(
        WebCrawl *c, const WarcDraft *draft, const Entry *known, bool *same_r, GError **error)
{
	uint8_t sum[CHECKSUM_BYTES];
	int64_t content;
	checksum_of(writer_checksum_key(c->w), draft->body, draft->body_length, sum);
	int found = writer_find_content(c->w, sum, &content, error);
	*same_r = found > 0 && known->state == INODE_DONE && content == known->content;
	return found >= 0;
}

/* Are these the bytes of the last visit? */
static bool page_same_bytes(const WarcContent *old, const WarcDraft *draft)
{
	gsize size = 0;
	const void *bytes = old ? g_bytes_get_data(old->body, &size) : NULL;
	return bytes && size == draft->body_length && memcmp(bytes, draft->body, size) == 0;
}

/* A record that says that the bytes of an older one hold. */
static bool note_revisit(WebCrawl *c, WebSource *s, const WebPageRow *page, const WarcContent *old,
        const WarcDraft *draft, GError **error)
{
	uint8_t digest[WARC_DIGEST_BYTES];
	gsize size, length = sizeof digest;
	WarcPlace place;
	if (!old || s->keep != WEB_KEEP_PAGE || !draft->head || page->kind != WEB_PAGE_ANSWER)
		return true;
	const void *bytes = g_bytes_get_data(old->body, &size);
	g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
	g_checksum_update(sum, bytes, (gssize)size);
	g_checksum_get_digest(sum, digest, &length);
	WarcDraft revisit = {.type = WARC_REVISIT,
	        .uri = draft->uri,
	        .date = draft->date,
	        .head = draft->head,
	        .head_length = draft->head_length,
	        .digest = digest,
	        .former_date = old->date};
	return web_source_append(c, s, &revisit, &place, error);
}

/* Two documents of a source may have one URL: a feed whose items link to the same page. */
static bool choose_name(WebCrawl *c, WebSource *s, const WebDraft *draft, const Entry *known,
        char **name_r, GError **error)
{
	Entry other, own = {0};
	int64_t root;
	*name_r = g_strdup(draft->draft.uri);
	if (draft->kind != WEB_PAGE_ITEM)
		return true;
	if (!writer_web_name_source(c->w, s->id, s->url, s->is_feed, &root, error))
		return false;
	int found = writer_lookup(c->w, root, *name_r, &other, error);
	if (known)
		own = *known;
	if (found <= 0 || other.inode == own.inode)
		return found >= 0;
	g_autofree char *escaped = g_uri_escape_string(draft->identity, NULL, FALSE);
	g_free(*name_r);
	*name_r = g_strdup_printf("%s#%s", s->url, escaped);
	return true;
}

static bool page_put(WebCrawl *c, WebSource *s, const WebDraft *draft, const Entry *known,
        const WarcPlace *place, GError **error)
{
	g_autofree char *name = NULL;
	Entry entry;
	WebPageRow row = {.source = s->id,
	        .kind = draft->kind,
	        .flags = draft->flags,
	        .url = (char *)draft->draft.uri,
	        .place = *place};
	int64_t mtime_s = draft->mtime_s > 0 ? draft->mtime_s : draft->draft.date;
	c->added = true;
	return choose_name(c, s, draft, known, &name, error) &&
	       writer_web_put_page(c->w, &row, name, draft->identity,
	               (int64_t)draft->draft.body_length, mtime_s, true, &entry, error);
}

void web_page_note_kept(WebAnswer *answer, WebKept kept)
{
	answer->changed |= kept == WEB_KEPT_NEW;
	if (kept == WEB_KEPT_NOT) {
		answer->status = 0;
		answer->unkept = true;
	}
}

/* The text is known, and the record was lost: it is stored again, and nothing is converted. */
static bool store_again(WebCrawl *c, WebSource *s, const WebDraft *draft, const WebPageRow *page,
        WebKept *kept_r, GError **error)
{
	WebPageRow row = *page;
	if (!web_source_append(c, s, &draft->draft, &row.place, error))
		return false;
	row.kind = draft->kind;
	if (row.place.file == 0)
		*kept_r = WEB_KEPT_NOT;
	return row.place.file == 0 || writer_web_set_page(c->w, &row, error);
}

/* Only what is there can be confirmed. *confirmed_r: the bytes are those of the last visit. */
static bool confirm_page(WebCrawl *c, WebSource *s, const WebDraft *draft, WebPageRow *page,
        const Entry *known, WebKept *kept_r, bool *confirmed_r, GError **error)
{
	bool lost;
	g_autoptr(WarcContent) old = web_source_read(c, page, &lost);
	bool same = !lost && (!draft->draft.body || page_same_bytes(old, &draft->draft));
	if (lost && !web_page_lose(c, page, error))
		return false;
	if (lost)
		page->place = (WarcPlace){0};
	bool unkept = page->kind == WEB_PAGE_TEXT || page->place.file == 0;
	if (!same && unkept && draft->draft.body &&
	        !page_is_content(c, &draft->draft, known, &same, error))
		return false;
	if (page->place.file == 0 && s->keep == WEB_KEEP_TEXT)
		same &= !draft->draft.body; /* converting it again brings the text */
	*confirmed_r = same && !((page->flags ^ draft->flags) & WEB_PAGE_NO_INDEX);
	if (lost && !draft->draft.body)
		*kept_r = WEB_KEPT_NOT;
	if (!*confirmed_r)
		return true;
	bool again = page->place.file == 0 && s->keep == WEB_KEEP_PAGE && draft->draft.body;
	return again ? store_again(c, s, draft, page, kept_r, error)
	             : note_revisit(c, s, page, old, &draft->draft, error);
}

bool web_page_keep(
        WebCrawl *c, WebSource *s, const WebDraft *draft, WebKept *kept_r, GError **error)
{
	g_auto(WebPageRow) page = {0};
	Entry known;
	WarcPlace place;
	bool confirmed = false;
	*kept_r = WEB_KEPT_SAME;
	int found = writer_web_find_page(c->w, s->id, draft->identity, &known, error);
	if (found > 0)
		found = writer_web_get_page(c->w, known.inode, &page, error);
	if (found < 0)
		return false;
	if (found > 0 && !confirm_page(c, s, draft, &page, &known, kept_r, &confirmed, error))
		return false;
	if (confirmed || !draft->draft.body)
		return true;
	if (!web_source_append(c, s, &draft->draft, &place, error))
		return false;
	*kept_r = place.file == 0 ? WEB_KEPT_NOT : WEB_KEPT_NEW;
	return place.file == 0 || page_put(c, s, draft, found > 0 ? &known : NULL, &place, error);
}

bool web_page_remove(WebCrawl *c, WebSource *s, const char *identity, GError **error)
{
	Entry known;
	int found = writer_web_find_page(c->w, s->id, identity, &known, error);
	c->stored |= found > 0;
	return found > 0 ? writer_remove(c->w, known.node, error) : found == 0;
}

bool web_page_lose(WebCrawl *c, const WebPageRow *page, GError **error)
{
	const WebSource *s = web_source_by_id(c, page->source);
	const char *path, *url = page->kind == WEB_PAGE_ITEM && s ? s->url : page->url;
	g_autofree char *origin = url_origin(url, &path);
	WebPageRow row = *page;
	WebTime now = web_now();
	bool known;
	row.place = (WarcPlace){0};
	return writer_web_set_page(c->w, &row, error) &&
	       (!origin || !c->frontier ||
	               frontier_ask_whole(c->frontier, &now, origin, path, &known, error));
}

/* ---- what the pipeline tells */

bool web_page_has_directive(const Document *doc, const char *directive)
{
	const char *robots = document_fact(doc, FIELD_ROBOTS);
	g_auto(GStrv) words = robots ? g_strsplit_set(robots, ", \t", -1) : NULL;
	return words && (g_strv_contains((const char *const *)words, directive) ||
	                        g_strv_contains((const char *const *)words, "none"));
}

bool web_page_depth(
        WebCrawl *c, const char *origin, const char *path, unsigned *depth_r, GError **error)
{
	g_auto(WebUrlRow) url = {0};
	int64_t host;
	*depth_r = 0;
	if (!writer_web_host(c->w, origin, &host, error))
		return false;
	int found = writer_web_get_url(c->w, host, web_hash(path, strlen(path)), &url, error);
	*depth_r = url.depth;
	return found >= 0;
}

static bool follow_links(WebCrawl *c, const WebPageRow *page, const Document *doc, GError **error)
{
	g_autoptr(Url) base = url_parse(page->url, -1, NULL, NULL);
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
	const char *path;
	unsigned depth;
	g_autofree char *origin = url_origin(page->url, &path);
	const WebSource *s = web_source_by_id(c, page->source);
	const Topic *topic = s ? s->topic : NULL;
	double page_topic = topic ? topic_of_page(topic, doc) : 0;
	if (!base || !origin)
		return true;
	if (!web_page_depth(c, origin, path, &depth, error) ||
	        (topic && !frontier_note_topic(c->frontier, origin, path, page_topic, error)))
		return false;
	for (guint i = 0; i < doc->links->len; i++) {
		const DocLink *link = &g_array_index(doc->links, DocLink, i);
		const WebHref href = {.base = base,
		        .href = link->href,
		        .depth = depth + 1,
		        .text = link->text,
		        .source = s,
		        .page_topic = page_topic};
		if ((link->kind != LINK_ANCHOR && link->kind != LINK_CANONICAL) ||
		        link->flags & DOC_LINK_NOFOLLOW || !g_hash_table_add(seen, link->href))
			continue;
		if (!web_links_add(c, &href, error))
			return false;
	}
	return true;
}

/* Stores the text of a page of which nothing else is kept. */
static bool keep_text(WebCrawl *c, const WebPageRow *page, const Document *doc, GError **error)
{
	WebSource *s = web_source_by_id(c, page->source);
	if (!s || s->keep != WEB_KEEP_TEXT || doc->text->len == 0)
		return true;
	g_autoptr(GString) text = web_item_page(doc);
	const WarcDraft draft = {.type = WARC_RESOURCE,
	        .uri = page->url,
	        .date = g_get_real_time() / G_USEC_PER_SEC,
	        .media_type = "text/html; charset=utf-8",
	        .body = (const uint8_t *)text->str,
	        .body_length = text->len};
	g_autofree WarcPlace *place = g_new0(WarcPlace, 1);
	if (!web_source_append(c, s, &draft, place, error))
		return false;
	if (place->file != 0)
		g_hash_table_insert(c->texts, g_memdup2(&page->inode, sizeof page->inode),
		        g_steal_pointer(&place));
	return true;
}

/* The text of pages that do not exist, and texts of other pages of the branch, are evidence
 * of a trap. */
static bool note_poor(WebCrawl *c, const WebPageRow *page, const Document *doc,
        const Fingerprint *print, GError **error)
{
	const char *path;
	bool poor = false;
	Fingerprint own;
	g_autofree char *origin = url_origin(page->url, &path);
	if (!print) {
		fingerprint_document(doc, NULL, &own);
		print = &own;
	}
	if (!origin || !print->has_near)
		return true;
	if (!frontier_is_soft_404(c->frontier, origin, path, &print->near, &poor, error))
		return false;
	poor |= trap_texts_add(c->trap_texts, origin, path, &print->near, doc);
	return !poor || frontier_note_poor(c->frontier, origin, path, error);
}

static void note_read(WebCrawl *c, const WebPageRow *page)
{
	const char *path;
	g_autofree char *origin = url_origin(page->url, &path);
	WebTime now = web_now();
	if (!origin || page->kind == WEB_PAGE_ITEM)
		return;
	if (c->frontier)
		frontier_end_wait(c->frontier, &now, origin, path);
	if (c->partition)
		web_partition_note_answer(c, origin, path);
}

static bool is_judged(const WebPageRow *page, const Document *doc)
{
	return !doc->member && page->kind == WEB_PAGE_ANSWER;
}

bool web_crawl_wants(const WebPageRow *page, const Document *doc)
{
	if (web_page_is_feed(page, doc))
		return false;
	return !is_judged(page, doc) ||
	       (!(page->flags & WEB_PAGE_NO_INDEX) && !web_page_has_directive(doc, "noindex"));
}

bool web_crawl_document(const WebPageRow *row, const Document *doc, const Fingerprint *print,
        void *data, GError **error)
{
	WebCrawl *c = data;
	WebPageRow page = *row;
	Entry entry;
	if (web_page_is_feed(&page, doc) && doc->member)
		return web_feed_page_follow(c, &page, doc, error);
	if (!is_judged(&page, doc))
		return true;
	bool follow =
	        !(page.flags & WEB_PAGE_NO_FOLLOW) && !web_page_has_directive(doc, "nofollow");
	bool unread = c->frontier && !(page.flags & WEB_PAGE_READ);
	if (unread && ((follow && !follow_links(c, &page, doc, error)) ||
	                      !note_poor(c, &page, doc, print, error) ||
	                      !web_rules_note_page(c, page.url, error)))
		return false;
	if (unread)
		note_read(c, &page);
	if (!web_crawl_wants(&page, doc)) {
		int found = writer_web_find_page(c->w, page.source, page.url, &entry, error);
		c->stored = true;
		return found > 0 ? writer_remove(c->w, entry.node, error) : found == 0;
	}
	page.flags |= WEB_PAGE_READ;
	return keep_text(c, &page, doc, error) &&
	       (page.flags == row->flags || writer_web_set_page(c->w, &page, error));
}

/* The row may refer to a newer record by now. */
bool web_crawl_lost(int64_t inode, const WarcPlace *place, void *data, GError **error)
{
	WebCrawl *c = data;
	g_auto(WebPageRow) page = {0};
	int found = writer_web_get_page(c->w, inode, &page, error);
	if (found <= 0 || page.place.file != place->file || page.place.offset != place->offset)
		return found >= 0;
	return web_page_lose(c, &page, error);
}

/* The row refers to the text, or to nothing, only when the page is in the index: until then it may
 * have to be converted again. */
bool web_crawl_done(int64_t inode, void *data, GError **error)
{
	WebCrawl *c = data;
	g_auto(WebPageRow) page = {0};
	int found = writer_web_get_page(c->w, inode, &page, error);
	const WebSource *s = found > 0 ? web_source_by_id(c, page.source) : NULL;
	if (found > 0 && !(page.flags & WEB_PAGE_READ))
		note_read(c, &page); /* it could not be converted */
	const WarcPlace *text = g_hash_table_lookup(c->texts, &inode);
	bool drops = s && s->keep == WEB_KEEP_NOTHING && page.place.file != 0;
	if (!text && !drops)
		return found >= 0;
	page.place = text ? *text : (WarcPlace){0};
	page.kind = text ? WEB_PAGE_TEXT : page.kind;
	g_hash_table_remove(c->texts, &inode);
	return web_sources_sync(c, error) && writer_web_set_page(c->w, &page, error);
}
