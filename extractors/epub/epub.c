/* SPDX-License-Identifier: GPL-3.0-or-later */
/* epub.c - electronic books: the chapters in the order of the spine, read by the HTML plugin
 *
 * The container names the package document, which lists the parts (manifest), their order (spine)
 * and facts (EPUB Open Container Format 3.3, EPUB 3.3, OPF 2.0.1). */
#include <config.h>
#include "extractors/epub/epub-names.h"
#include "extractors/shared/extractor.h"
#include "extractors/shared/isodate.h"
#include "extractors/shared/zipparts.h"
#include <archive.h>
#include <libxml/parser.h>
#include <string.h>

enum { CHAPTER_BYTES = 64 << 20, MAX_ITEMS = 65535 };

typedef struct {
	char *part;
	char *mime;
} ManifestItem;

typedef struct {
	Sink *sink;
	ZipParts *zip;
	char *package; /* name of the package document, or NULL */
	GHashTable *encrypted; /* set of part names, in lower case */
	GHashTable *items; /* id -> ManifestItem */
	GPtrArray *spine; /* ids in reading order */
	char *cover; /* id of the picture of the cover, or NULL */
	unsigned element; /* element of the open fact */
	GString *value;
	bool damaged, any;
} EpubBook;

static void item_free(gpointer data)
{
	g_free(((ManifestItem *)data)->part);
	g_free(((ManifestItem *)data)->mime);
	g_free(data);
}

static bool epub_is_wanted(const char *name)
{
	static const char *const suffixes[] = {".xhtml", ".html", ".htm", ".xml", ".opf"};
	for (size_t i = 0; i < G_N_ELEMENTS(suffixes); i++) {
		if (g_str_has_suffix(name, suffixes[i]))
			return true;
	}
	return false;
}

static char *epub_decoded(const char *reference)
{
	g_autofree char *bare = g_strndup(reference, strcspn(reference, "#"));
	char *plain = g_uri_unescape_string(bare, NULL);
	return plain ? plain : g_steal_pointer(&bare);
}

/* EPUB 3 says so of the item, EPUB 2 of the book: the last one counts. Takes ownership. */
static void epub_set_cover(EpubBook *book, char *id)
{
	g_free(book->cover);
	book->cover = id;
}

static bool epub_is_cover(const XmlAttributes *attributes)
{
	g_autofree char *properties = xml_attribute_dup(attributes, 0, "properties");
	g_auto(GStrv) words = properties ? g_strsplit(properties, " ", -1) : NULL;
	return words && g_strv_contains((const char *const *)words, "cover-image");
}

static void item_start(EpubBook *book, const XmlAttributes *attributes)
{
	char *id = xml_attribute_dup(attributes, 0, "id");
	g_autofree char *reference = xml_attribute_dup(attributes, 0, "href");
	if (!id || !reference || g_hash_table_size(book->items) >= MAX_ITEMS) {
		g_free(id);
		return;
	}
	g_autofree char *target = epub_decoded(reference);
	ManifestItem *item = g_new(ManifestItem, 1);
	item->part = zip_part_resolve(book->package, target);
	item->mime = xml_attribute_dup(attributes, 0, "media-type");
	if (epub_is_cover(attributes))
		epub_set_cover(book, g_strdup(id));
	g_hash_table_replace(book->items, id, item);
}

static void encrypted_start(EpubBook *book, const XmlAttributes *attributes)
{
	g_autofree char *reference = xml_attribute_dup(attributes, 0, "URI");
	if (!reference)
		return;
	g_autofree char *target = epub_decoded(reference);
	g_hash_table_add(book->encrypted, g_ascii_strdown(target, -1));
}

static void epub_put_series(EpubBook *book, const XmlAttributes *attributes)
{
	size_t length;
	const char *name = xml_attribute(attributes, 0, "content", &length);
	if (name)
		sink_field(book->sink, FIELD_COMMENT, name, length);
}

static bool epub_on_start(void *user, unsigned element, const XmlAttributes *attributes)
{
	EpubBook *book = user;
	char *id;

	switch (element) {
	case CONTAINER_ROOTFILE:
		if (!book->package)
			book->package = xml_attribute_dup(attributes, 0, "full-path");
		break;
	case ENC_REFERENCE:
		encrypted_start(book, attributes);
		break;
	case OPF_ITEM:
		if (book->package)
			item_start(book, attributes);
		break;
	case OPF_ITEMREF:
		id = xml_attribute_dup(attributes, 0, "idref");
		if (id && book->spine->len < MAX_ITEMS)
			g_ptr_array_add(book->spine, id);
		else
			g_free(id);
		break;
	case OPF_META:
		if (xml_attribute_is(attributes, 0, "property", "dcterms:modified"))
			element = DC_DATE;
		if (xml_attribute_is(attributes, 0, "name", "cover"))
			epub_set_cover(book, xml_attribute_dup(attributes, 0, "content"));
		if (xml_attribute_is(attributes, 0, "name", "calibre:series"))
			epub_put_series(book, attributes);
		break;
	default:
		break;
	}
	book->element = element;
	g_string_truncate(book->value, 0);
	return true;
}

static void epub_put_fact(EpubBook *book, const char *value)
{
	static const struct {
		EpubElement element;
		DocField field;
	} facts[] = {
	        {DC_TITLE, FIELD_TITLE},
	        {DC_CREATOR, FIELD_AUTHOR},
	        {DC_SUBJECT, FIELD_KEYWORD},
	        {DC_DESCRIPTION, FIELD_COMMENT},
	        {DC_DATE, FIELD_DATE},
	        {DC_LANGUAGE, FIELD_LANGUAGE},
	        {DC_PUBLISHER, FIELD_COMMENT},
	};
	g_autofree char *date = book->element == DC_DATE ? iso_date(value, -1) : NULL;
	g_autofree char *lower = g_ascii_strdown(value, -1);

	if (book->element == DC_DATE)
		value = date;
	else if (book->element == DC_LANGUAGE)
		value = lower;
	for (size_t i = 0; value && i < G_N_ELEMENTS(facts); i++) {
		if (facts[i].element != book->element)
			continue;
		book->any = true;
		sink_field(book->sink, facts[i].field, value, -1);
	}
}

static bool epub_on_end(void *user, unsigned element)
{
	EpubBook *book = user;
	const char *value = g_strstrip(book->value->str);
	if (*value)
		epub_put_fact(book, value);
	book->element = OTHER_ELEMENT;
	g_string_truncate(book->value, 0);
	return true;
}

static bool epub_on_text(void *user, const char *text, size_t length)
{
	EpubBook *book = user;
	if (book->element >= DC_TITLE && book->value->len + length <= DOC_MAX_FACT_BYTES)
		g_string_append_len(book->value, text, length);
	return true;
}

static bool epub_read_part(EpubBook *book, const char *part)
{
	static const XmlEvents events = {epub_on_start, epub_on_end, epub_on_text};
	if (!zip_part_begin(book->zip, part))
		return false;
	XmlResult result = xml_read(&epub_vocabulary, &events, book, zip_part_read, book->zip);
	book->damaged = book->damaged || result == XML_READ_DAMAGED;
	return true;
}

/* If there is no usable container, the first package document is taken. */
static void find_package(EpubBook *book)
{
	const char *name;
	for (guint i = 0; !book->package && (name = zip_parts_name(book->zip, i)) != NULL; i++) {
		if (g_str_has_suffix(name, ".opf"))
			book->package = g_strdup(name);
	}
}

static bool epub_is_chapter(const ManifestItem *item)
{
	static const char *const types[] = {"application/xhtml+xml", "text/html",
	        "text/x-oeb1-document", "application/x-dtbook+xml"};
	for (size_t i = 0; i < G_N_ELEMENTS(types); i++) {
		if (g_strcmp0(item->mime, types[i]) == 0)
			return true;
	}
	return false;
}

/* False: the sink is full. */
static bool read_chapter(EpubBook *book, const ManifestItem *item)
{
	g_autofree char *key = g_ascii_strdown(item->part, -1);
	size_t size;

	if (g_hash_table_contains(book->encrypted, key)) {
		sink_truncated(book->sink, REASON_ENCRYPTED, item->part);
		return true;
	}
	g_autofree char *bytes = zip_part_load(book->zip, item->part, CHAPTER_BYTES, &size);
	if (!bytes) {
		book->damaged = true;
		return true;
	}
	book->any = true;
	const char *mime =
	        strcmp(item->mime, "text/html") == 0 ? "text/html" : "application/xhtml+xml";
	return sink_inline(book->sink, mime, NULL, (const uint8_t *)bytes, size);
}

/* Reads each part once, however often the spine lists it. */
static void read_spine(EpubBook *book)
{
	for (guint i = 0; i < book->spine->len; i++) {
		const ManifestItem *item = g_hash_table_lookup(book->items, book->spine->pdata[i]);
		if (item && epub_is_chapter(item) && !read_chapter(book, item))
			return;
		g_hash_table_remove(book->items, book->spine->pdata[i]);
	}
}

static ExtractResult epub_finish(EpubBook *book)
{
	DocReason fault = zip_parts_fault(book->zip);
	if (fault || book->damaged)
		sink_truncated(book->sink, fault ? fault : REASON_DAMAGED, NULL);
	return book->any ? EXTRACT_DONE : EXTRACT_NOTHING;
}

static DocReason epub_fault(const EpubBook *book)
{
	DocReason fault = zip_parts_fault(book->zip);
	if (zip_parts_encrypted(book->zip))
		return REASON_ENCRYPTED;
	return fault ? fault : REASON_DAMAGED;
}

/* Reads the package document. EXTRACT_FAILED: there is none. */
static ExtractResult epub_read_package(EpubBook *book)
{
	epub_read_part(book, "META-INF/encryption.xml");
	epub_read_part(book, "META-INF/container.xml");
	if (!book->package || !zip_parts_has(book->zip, book->package)) {
		g_clear_pointer(&book->package, g_free);
		find_package(book);
	}
	if (!book->package || !epub_read_part(book, book->package))
		return sink_fail(book->sink, epub_fault(book), NULL);
	return EXTRACT_DONE;
}

static ExtractResult epub_read_text(EpubBook *book)
{
	read_spine(book);
	return epub_finish(book);
}

static ExtractResult epub_draw_cover(EpubBook *book)
{
	const ManifestItem *item =
	        book->cover ? g_hash_table_lookup(book->items, book->cover) : NULL;
	return zip_part_draw(book->zip, item ? item->part : NULL);
}

/* wanted: the parts that are kept; read: what is done with the package that was read. */
static ExtractResult epub_read(
        const Input *in, Sink *sink, ZipWanted wanted, ExtractResult (*read)(EpubBook *))
{
	g_autoptr(ZipParts) zip = zip_parts_open(in->data, in->size, sink, wanted);
	g_autoptr(GHashTable) encrypted =
	        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	g_autoptr(GHashTable) items =
	        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, item_free);
	g_autoptr(GPtrArray) spine = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GString) value = g_string_new(NULL);
	EpubBook book = {.sink = sink,
	        .zip = zip,
	        .encrypted = encrypted,
	        .items = items,
	        .spine = spine,
	        .value = value};

	ExtractResult result = epub_read_package(&book);
	if (result == EXTRACT_DONE)
		result = read(&book);
	g_free(book.package);
	g_free(book.cover);
	return result;
}

static ExtractResult epub_extract(const Input *in, Sink *sink)
{
	return epub_read(in, sink, epub_is_wanted, epub_read_text);
}

static ExtractResult epub_draw(const Input *in, Sink *sink)
{
	return epub_read(in, sink, NULL, epub_draw_cover);
}

static const char *epub_preload(void)
{
	xmlInitParser();
	return NULL;
}

static const char *const mime_types[] = {"application/epub+zip", NULL};

const Extractor tarsier_extractor = {
        .abi = EXTRACTOR_ABI,
        .name = "epub",
        .version = 5,
        .library = "libxml2 " LIBXML_DOTTED_VERSION ", " ARCHIVE_VERSION_STRING,
        .lane = LANE_OWN,
        .mime_types = mime_types,
        .preload = epub_preload,
        .extract = epub_extract,
        .draw = epub_draw,
};
