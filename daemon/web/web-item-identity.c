/* SPDX-License-Identifier: GPL-3.0-or-later */
/* web-item-identity.c - by what an item of a feed is known
 *
 * Some programs give each item another guid whenever they write the feed. Such a feed is told by
 * its guids, none of which is known, and by an item that is: with this link, title and text, by a
 * guid that has left. Its guids say nothing, then: an item is known by its link if it is the only
 * one of several that has it, else by link, title and text. */
#include <config.h>
#include "common/url/url-canonical.h"
#include "daemon/web/web-crawl-private.h"
#include <string.h>

char *web_item_link(const Document *doc, const Url *base)
{
	const char *link = document_fact(doc, FIELD_URL);
	char *url = link ? url_canonical(link, -1, base, NULL) : NULL;
	if (url && strlen(url) <= WEB_PATH_MOST &&
	        (g_str_has_prefix(url, "http://") || g_str_has_prefix(url, "https://")))
		return url;
	g_free(url);
	return NULL;
}

/* ---- identities */

static char *identity_of_id(const Document *doc)
{
	const char *id = document_fact(doc, FIELD_IDENTIFIER);
	return id && *id ? g_strdup_printf("id %s", id) : NULL;
}

static char *identity_of_text(const char *text, size_t length)
{
	return g_strdup_printf("text %016" G_GINT64_MODIFIER "x", (guint64)web_hash(text, length));
}

/* Title and text of the page of an item, without author, keywords and date, which are renewed like
 * a guid. NULL: it is no such page. */
static char *item_wording(const char *page, gsize length)
{
	static const char mark[] = "</title>\n";
	const char *title = g_strstr_len(page, (gssize)length, mark), *end = page + length;
	if (!title)
		return NULL;
	const char *text = title + strlen(mark);
	while (text && (size_t)(end - text) > strlen("<meta ") &&
	        memcmp(text, "<meta ", strlen("<meta ")) == 0) {
		text = g_strstr_len(text, end - text, ">\n");
		text = text ? text + 2 : NULL;
	}
	if (!text)
		return NULL;
	GString *wording = g_string_new_len(page, title - page);
	g_string_append_len(wording, text, end - text);
	return g_string_free(wording, FALSE);
}

/* By its guid or id, by its link, or by its text. The caller frees it. */
static char *item_identity(const Document *doc, const GString *page)
{
	char *identity = identity_of_id(doc);
	const char *url = document_fact(doc, FIELD_URL);
	if (identity)
		return identity;
	if (url && *url)
		return g_strdup_printf("url %s", url);
	return identity_of_text(page->str, page->len);
}

static char *item_lasting_identity(const GHashTable *links, const char *link, const GString *page)
{
	GHashTable *table = (GHashTable *)links;
	bool only = link && g_hash_table_size(table) > 1 &&
	            GPOINTER_TO_UINT(g_hash_table_lookup(table, link)) == 1;
	if (only)
		return g_strdup_printf("url %s", link);
	g_autofree char *wording = item_wording(page->str, page->len);
	g_autofree char *text = g_strconcat(link ? link : "", "\n", wording, NULL);
	return identity_of_text(text, strlen(text));
}

/* ---- feeds that renew their guids */

/* The document of an item that has this URL. *found_r: there is one. */
static bool find_item(WebCrawl *c, const WebSource *s, const char *url, Entry *entry,
        WebPageRow *row, bool *found_r, GError **error)
{
	int64_t root;
	if (!writer_web_name_source(c->w, s->id, s->url, true, &root, error))
		return false;
	int found = writer_lookup(c->w, root, url, entry, error);
	if (found > 0)
		found = writer_web_get_page(c->w, entry->inode, row, error);
	*found_r = found > 0 && row->kind == WEB_PAGE_ITEM;
	return found >= 0;
}

/* Where whole pages are wanted, the text is that of the page, and a hash tells the item. */
static bool is_item_page(const char *old, gsize length, const GString *page)
{
	g_autofree char *mark = g_strdup_printf(WEB_ITEM_MARK "%016" G_GINT64_MODIFIER "x",
	        (guint64)web_hash(page->str, page->len));
	g_autofree char *old_wording = item_wording(old, length);
	g_autofree char *wording = item_wording(page->str, page->len);
	return g_strstr_len(old, (gssize)length, mark) || g_strcmp0(old_wording, wording) == 0;
}

/* Has the document of this URL the title and text of the item? */
static bool item_is_there(WebCrawl *c, const WebSource *s, const char *url, const GString *page,
        bool *there_r, GError **error)
{
	Entry entry;
	g_auto(WebPageRow) row = {0};
	bool lost, found;
	gsize size = 0;
	*there_r = false;
	if (!find_item(c, s, url, &entry, &row, &found, error))
		return false;
	g_autoptr(WarcContent) content = found ? web_source_read(c, &row, &lost) : NULL;
	const char *bytes = content ? g_bytes_get_data(content->body, &size) : NULL;
	*there_r = bytes && is_item_page(bytes, size, page);
	return true;
}

/* Is one of the guids known, which so are not renewed? */
static bool knows_guid(
        WebCrawl *c, const WebSource *s, const WebList *list, bool *knows_r, GError **error)
{
	const GPtrArray *documents = list->reply->documents;
	*knows_r = false;
	for (guint i = 0; i < documents->len && !*knows_r; i++) {
		const Document *doc = documents->pdata[i];
		g_autofree char *identity = doc->member ? identity_of_id(doc) : NULL;
		Entry entry;
		int found =
		        identity ? writer_web_find_page(c->w, s->id, identity, &entry, error) : 0;
		if (found < 0)
			return false;
		*knows_r = found > 0;
	}
	return true;
}

static bool knows_item(WebCrawl *c, const WebSource *s, const WebList *list, const Url *base,
        bool *knows_r, GError **error)
{
	const GPtrArray *documents = list->reply->documents;
	*knows_r = false;
	for (guint i = 0; i < documents->len && !*knows_r; i++) {
		const Document *doc = documents->pdata[i];
		g_autofree char *identity = doc->member ? identity_of_id(doc) : NULL;
		g_autofree char *link = identity ? web_item_link(doc, base) : NULL;
		if (!link)
			continue;
		g_autoptr(GString) page = web_item_page(doc);
		if (!item_is_there(c, s, link, page, knows_r, error))
			return false;
	}
	return true;
}

/* How many items have a link. */
static GHashTable *links_of_list(const WebList *list, const Url *base)
{
	const GPtrArray *documents = list->reply->documents;
	GHashTable *links = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	for (guint i = 0; i < documents->len; i++) {
		const Document *doc = documents->pdata[i];
		char *link = doc->member ? web_item_link(doc, base) : NULL;
		guint n = link ? GPOINTER_TO_UINT(g_hash_table_lookup(links, link)) : 0;
		if (link)
			g_hash_table_replace(links, link, GUINT_TO_POINTER(n + 1));
	}
	return links;
}

bool web_items_judge_guids(WebCrawl *c, const WebSource *s, WebList *list, GError **error)
{
	g_autoptr(Url) base = url_parse(list->reply->url, -1, NULL, NULL);
	bool kept, known;
	if (!knows_guid(c, s, list, &kept, error))
		return false;
	if (kept)
		return true;
	if (!knows_item(c, s, list, base, &known, error))
		return false;
	if (known)
		list->links = links_of_list(list, base);
	return true;
}

/* The document that was known by a guid is known by its lasting identity from now on. An item with
 * a link of its own may have been edited; others are the same if they say the same. */
static bool take_document(WebCrawl *c, const WebSource *s, const char *identity, const char *link,
        const GString *page, GError **error)
{
	Entry entry;
	g_auto(WebPageRow) row = {0};
	bool same = g_str_has_prefix(identity, "url "), found;
	int known = writer_web_find_page(c->w, s->id, identity, &entry, error);
	if (known != 0 || !link)
		return known >= 0;
	if (!same && !item_is_there(c, s, link, page, &same, error))
		return false;
	if (!same)
		return true;
	if (!find_item(c, s, link, &entry, &row, &found, error))
		return false;
	return !found || writer_web_rename_page(c->w, &row, identity, error);
}

/* ---- the identity within the feed */

/* Of several items with one identity, the first keeps that, and others have their link beside it,
 * so that each is the same one at the next visit. NULL: the item is there already. */
static char *identity_in_list(const WebList *list, const Document *doc, char *identity)
{
	const char *fact = document_fact(doc, FIELD_URL), *url = fact ? fact : "";
	const char *other = g_hash_table_lookup(list->seen, identity);
	if (other && strcmp(other, url) != 0) {
		char *longer = g_strdup_printf("%s url %s", identity, url);
		g_free(identity);
		identity = longer;
		other = g_hash_table_lookup(list->seen, identity);
	}
	if (!other)
		g_hash_table_insert(list->seen, g_strdup(identity), g_strdup(url));
	else
		g_clear_pointer(&identity, g_free);
	return identity;
}

bool web_item_identify(WebCrawl *c, const WebSource *s, const WebList *list, const Document *doc,
        const GString *page, char **identity_r, GError **error)
{
	if (!list->links) {
		*identity_r = identity_in_list(list, doc, item_identity(doc, page));
		return true;
	}
	g_autoptr(Url) base = url_parse(list->reply->url, -1, NULL, NULL);
	g_autofree char *link = web_item_link(doc, base);
	*identity_r = identity_in_list(list, doc, item_lasting_identity(list->links, link, page));
	return !*identity_r || take_document(c, s, *identity_r, link, page, error);
}
