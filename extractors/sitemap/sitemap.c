/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sitemap.c - the plugin for sitemaps of sites: XML, lists of addresses, RSS and Atom, with gzip or
 * without
 *
 * Source: the protocol of sitemaps.org, version 0.9. Namespaces are not looked at, because many
 * sitemaps have none or a wrong one; an element counts by its name and the element around it. */
#include <config.h>
#include "common/base/text.h"
#include "extractors/shared/extractor.h"
#include "extractors/shared/inflate.h"
#include "extractors/shared/webdate.h"
#include "extractors/shared/xmlclean.h"
#include "extractors/shared/xmlread.h"
#include <libxml/xmlversion.h>
#include <libxml/parser.h>
#include <string.h>

enum {
	MAX_SITEMAP_BYTES = 50 << 20, /* unpacked, as the protocol has it */
	MAX_SENT_BYTES = 24 << 20, /* the reply of a document may be 32 MiB */
	MAX_VALUE_BYTES = 4096,
	MAX_PACKINGS = 2, /* a packed sitemap that the server packed once more */
};

typedef enum {
	SITEMAP_OTHER,
	SITEMAP_URL, /* <url> */
	SITEMAP_MAP, /* <sitemap> of an index */
	SITEMAP_ITEM, /* <item>, <entry> of a feed */
	SITEMAP_IMAGE, /* <image> of RSS */
	SITEMAP_LOC,
	SITEMAP_LINK, /* of an item: its address as text or in href */
	SITEMAP_GUID,
	SITEMAP_LASTMOD,
	SITEMAP_DATE, /* of an item, if it has nothing better */
	SITEMAP_CHANGEFREQ,
	SITEMAP_PRIORITY,
	N_SITEMAP_ELEMENTS
} SitemapElement;

static const XmlElement sitemap_elements[] = {
        {"url", 0, SITEMAP_URL},
        {"sitemap", 0, SITEMAP_MAP},
        {"item", 0, SITEMAP_ITEM},
        {"entry", 0, SITEMAP_ITEM},
        {"image", 0, SITEMAP_IMAGE},
        {"loc", 0, SITEMAP_LOC},
        {"link", 0, SITEMAP_LINK},
        {"guid", 0, SITEMAP_GUID},
        {"lastmod", 0, SITEMAP_LASTMOD},
        {"updated", 0, SITEMAP_LASTMOD},
        {"modified", 0, SITEMAP_LASTMOD},
        {"pubDate", 0, SITEMAP_DATE},
        {"published", 0, SITEMAP_DATE},
        {"issued", 0, SITEMAP_DATE},
        {"date", 0, SITEMAP_DATE},
        {"changefreq", 0, SITEMAP_CHANGEFREQ},
        {"priority", 0, SITEMAP_PRIORITY},
        {NULL, 0, 0},
};

static const XmlNamespace no_namespaces[] = {{NULL, 0}};
static const XmlVocabulary sitemap_vocabulary = {no_namespaces, sitemap_elements, true};

typedef struct {
	Sink *sink;
	GByteArray *open; /* SitemapElement of each open element */
	GString *text; /* of the open field, or directly in the open entry */
	GString *values[N_SITEMAP_ELEMENTS]; /* of the entry; NULL: absent */
	SitemapElement entry; /* SITEMAP_OTHER: none */
	guint entry_depth, field_depth; /* number of open elements at its start; 0: none */
	SitemapElement field;
	size_t sent_bytes;
	unsigned entries;
	bool too_long; /* what was in text: nothing of it counts */
	bool full;
} SitemapReader;

/* ---- values */

/* Cuts white space at both ends, that of Unicode too. */
static const char *sitemap_trim(GString *text)
{
	const char *begin = text->str, *end = text->str + text->len;
	while (begin < end && g_unichar_isspace(g_utf8_get_char(begin)))
		begin = g_utf8_next_char(begin);
	while (end > begin) {
		const char *before = g_utf8_prev_char(end);
		if (!g_unichar_isspace(g_utf8_get_char(before)))
			break;
		end = before;
	}
	g_string_truncate(text, end - text->str);
	return begin;
}

/* Takes the value of the entry as its own string. NULL: absent or empty. The caller frees it. */
static char *sitemap_take_value(SitemapReader *r, SitemapElement element)
{
	GString *value = g_steal_pointer(&r->values[element]);
	if (!value)
		return NULL;
	char *text = g_strdup(sitemap_trim(value));
	g_string_free(value, TRUE);
	if (!*text)
		g_clear_pointer(&text, g_free);
	return text;
}

static void sitemap_append_date(GString *out, const char *date, bool zone_needed)
{
	bool zoned;
	g_autofree char *utc = date ? web_date_utc(date, &zoned) : NULL;
	bool timed = utc && strlen(utc) > strlen("2026-03-01");
	if (utc && (!timed || zoned || !zone_needed))
		g_string_append(out, utc);
}

static void append_frequency(GString *out, const char *frequency)
{
	static const char *const known[] = {
	        "always", "hourly", "daily", "weekly", "monthly", "yearly", "never"};
	for (size_t i = 0; frequency && i < G_N_ELEMENTS(known); i++)
		if (g_ascii_strcasecmp(frequency, known[i]) == 0)
			g_string_append(out, known[i]);
}

/* A decimal number from 0 to 1, in its shortest form. */
static void append_priority(GString *out, const char *priority)
{
	char *end, shortest[G_ASCII_DTOSTR_BUF_SIZE];
	if (!priority || strspn(priority, "0123456789.") != strlen(priority))
		return;
	double number = g_ascii_strtod(priority, &end);
	if (*end == '\0' && end > priority && number >= 0 && number <= 1)
		g_string_append(out, g_ascii_formatd(shortest, sizeof shortest, "%.3g", number));
}

/* ---- entries */

static void send_entry(SitemapReader *r, DocLinkKind kind, const char *loc, const char *text)
{
	r->sent_bytes += strlen(loc) + strlen(text) + sizeof(DocLink);
	if (r->entries >= DOC_MAX_LINKS || r->sent_bytes > MAX_SENT_BYTES) {
		sink_truncated(r->sink, REASON_LIMIT_MEMBERS, NULL);
		r->full = true;
		return;
	}
	r->entries++;
	r->full = !sink_link_kind(r->sink, kind, 0, loc, text);
}

static char *take_address(SitemapReader *r)
{
	g_autofree char *loc = sitemap_take_value(r, SITEMAP_LOC);
	g_autofree char *link = sitemap_take_value(r, SITEMAP_LINK);
	g_autofree char *guid = sitemap_take_value(r, SITEMAP_GUID);
	if (r->entry != SITEMAP_ITEM)
		return g_steal_pointer(&loc);
	/* even one that is said to be no address is one, if it looks like it */
	if (!link && guid && g_str_has_prefix(guid, "http") && strstr(guid, "://"))
		return g_steal_pointer(&guid);
	return g_steal_pointer(&link);
}

/* Sends the entry, if it has an address, and forgets its values. */
static void flush_entry(SitemapReader *r)
{
	g_autoptr(GString) text = g_string_new(NULL);
	g_autofree char *loc = take_address(r);
	g_autofree char *lastmod = sitemap_take_value(r, SITEMAP_LASTMOD);
	g_autofree char *date = sitemap_take_value(r, SITEMAP_DATE);
	g_autofree char *frequency = sitemap_take_value(r, SITEMAP_CHANGEFREQ);
	g_autofree char *priority = sitemap_take_value(r, SITEMAP_PRIORITY);

	if (!loc)
		return;
	sitemap_append_date(text, lastmod ? lastmod : date, !lastmod);
	g_string_append_c(text, '\t');
	append_frequency(text, frequency);
	g_string_append_c(text, '\t');
	append_priority(text, priority);
	send_entry(r, r->entry == SITEMAP_MAP ? LINK_SITEMAP : LINK_PAGE, loc, text->str);
}

/* ---- XML */

/* In RSS, <url> is the address of a picture. */
static bool opens_entry(const SitemapReader *r, SitemapElement element)
{
	bool in_image = r->open->len > 1 && r->open->data[r->open->len - 2] == SITEMAP_IMAGE;
	return (element == SITEMAP_URL && !in_image) || element == SITEMAP_MAP ||
	       element == SITEMAP_ITEM;
}

static void keep_value(SitemapReader *r, SitemapElement element, const char *value)
{
	if (!r->values[element])
		r->values[element] = g_string_new(value);
}

/* Atom: the first link that is no other form of the page and nothing beside it. */
static void take_link(SitemapReader *r, const XmlAttributes *attributes)
{
	g_autofree char *href = xml_attribute_dup(attributes, 0, "href");
	g_autofree char *rel = xml_attribute_dup(attributes, 0, "rel");
	if (href && *href && (!rel || strcmp(rel, "alternate") == 0))
		keep_value(r, SITEMAP_LINK, href);
}

static void begin_text(SitemapReader *r)
{
	g_string_truncate(r->text, 0);
	r->too_long = false;
}

static void begin_entry(SitemapReader *r, SitemapElement element)
{
	if (r->entry)
		flush_entry(r); /* the entry before was not closed */
	r->entry = element;
	r->entry_depth = r->open->len;
	begin_text(r);
}

static void begin_field(SitemapReader *r, SitemapElement element, const XmlAttributes *attributes)
{
	/* a second address begins another entry, whose tags are missing */
	if (element == SITEMAP_LOC && r->values[SITEMAP_LOC])
		flush_entry(r);
	if (element == SITEMAP_LINK)
		take_link(r, attributes);
	r->field = element;
	r->field_depth = r->open->len;
	begin_text(r);
}

static bool sitemap_on_start(void *user, unsigned kind, const XmlAttributes *attributes)
{
	SitemapReader *r = user;
	SitemapElement element = kind;
	uint8_t byte = element;
	g_byte_array_append(r->open, &byte, 1);
	if (r->field_depth > 0)
		return true; /* markup in a value */
	if (opens_entry(r, element))
		begin_entry(r, element);
	else if (element >= SITEMAP_LOC && r->entry && r->open->len == r->entry_depth + 1)
		begin_field(r, element, attributes);
	return !r->full;
}

/* The text is the value of the open field. */
static void end_field_of_entry(SitemapReader *r)
{
	if (*sitemap_trim(r->text))
		keep_value(r, r->field, r->text->str);
	r->field_depth = 0;
	begin_text(r);
}

/* Some indexes have the address directly in the element of the entry. */
static void end_entry(SitemapReader *r)
{
	const char *text = sitemap_trim(r->text);
	if (r->entry != SITEMAP_ITEM && !r->values[SITEMAP_LOC] && strstr(text, "://"))
		keep_value(r, SITEMAP_LOC, text);
	flush_entry(r);
	r->entry = SITEMAP_OTHER;
	r->entry_depth = 0;
	begin_text(r);
}

static bool sitemap_on_end(void *user, unsigned kind)
{
	SitemapReader *r = user;
	guint depth = r->open->len;
	if (depth == 0)
		return true;
	if (r->field_depth == depth)
		end_field_of_entry(r);
	else if (r->entry && r->entry_depth == depth)
		end_entry(r);
	g_byte_array_set_size(r->open, depth - 1);
	return !r->full;
}

static bool sitemap_on_text(void *user, const char *text, size_t length)
{
	SitemapReader *r = user;
	bool direct = r->entry && r->open->len == r->entry_depth;
	if (r->field_depth == 0 && !direct)
		return true;
	r->too_long = r->too_long || r->text->len + length > MAX_VALUE_BYTES;
	if (r->too_long)
		g_string_truncate(r->text, 0);
	else
		g_string_append_len(r->text, text, length);
	return true;
}

/* A sitemap that was cut ends within an entry. Its last value counts if a tag follows it. */
static void finish_cut(SitemapReader *r, const char *data, size_t size)
{
	const char *less = memrchr(data, '<', size), *greater = memrchr(data, '>', size);
	if (r->field_depth > 0 && less && less > greater)
		end_field_of_entry(r);
	if (r->entry)
		flush_entry(r);
}

static void sitemap_read_xml(SitemapReader *r, const char *data, size_t size)
{
	static const XmlEvents events = {sitemap_on_start, sitemap_on_end, sitemap_on_text};
	bool wide = memchr(data, '\0', MIN(size, 4)) != NULL; /* UTF-16 */
	g_autofree char *clean =
	        !wide && memchr(data, '&', size) ? xml_clean(data, size, &size) : NULL;
	if (clean)
		data = clean;
	XmlResult result = xml_read_memory(&sitemap_vocabulary, &events, r, data, size);
	if (result != XML_READ_STOPPED)
		finish_cut(r, data, size);
	if (result == XML_READ_DAMAGED && r->entries > 0)
		sink_truncated(r->sink, REASON_DAMAGED, NULL);
}

/* ---- lists */

/* An address in a list has a scheme, or a host with a dot, and no white space. */
static bool is_address(const char *line)
{
	size_t host = strcspn(line, "/?#");
	if (strpbrk(line, " \t<>\"") || strlen(line) > MAX_VALUE_BYTES)
		return false;
	return g_ascii_strncasecmp(line, "http://", 7) == 0 ||
	       g_ascii_strncasecmp(line, "https://", 8) == 0 ||
	       (memchr(line, '.', host) && *line != '.' && !memchr(line, ':', host));
}

static void sitemap_read_list(SitemapReader *r, const char *data, size_t size)
{
	g_autofree char *text = decode_text((const uint8_t *)data, size, NULL, NULL, NULL);
	g_autoptr(GString) copy = g_string_new(NULL);
	for (char *line = text; *line && !r->full;) {
		size_t length = strcspn(line, "\r\n");
		g_string_truncate(copy, 0);
		g_string_append_len(copy, line, text_clip(line, length, 2 * MAX_VALUE_BYTES));
		const char *address = sitemap_trim(copy);
		if (is_address(address))
			send_entry(r, LINK_PAGE, address, "\t\t");
		line += length;
		line += strspn(line, "\r\n");
	}
}

/* ---- the plugin */

static bool sitemap_is_packed(const char *data, size_t size)
{
	return size > 2 && memcmp(data, "\x1f\x8b", 2) == 0;
}

/* XML in ASCII, UTF-8, or one of the forms of UTF-16. */
static bool is_markup(const char *data, size_t size)
{
	const char *wide =
	        size > 2 && (memcmp(data, "\xff\xfe", 2) == 0 || memcmp(data, "\xfe\xff", 2) == 0)
	                ? data + 2
	                : data;
	return size > 4 && (*data == '<' || memchr(wide, '<', 2));
}

static ExtractResult sitemap_extract(const Input *in, Sink *sink)
{
	SitemapReader r = {.sink = sink, .open = g_byte_array_new(), .text = g_string_new(NULL)};
	g_autoptr(GByteArray) unpacked = NULL;
	const char *data = (const char *)in->data;
	size_t size = in->size;

	for (unsigned i = 0; i < MAX_PACKINGS && sitemap_is_packed(data, size); i++) {
		GByteArray *out = g_byte_array_new();
		Bytes packed = {(const uint8_t *)data, size};
		if (!inflate_append(
		            G_ZLIB_COMPRESSOR_FORMAT_GZIP, packed, MAX_SITEMAP_BYTES, sink, out))
			sink_truncated(sink,
			        out->len >= MAX_SITEMAP_BYTES ? REASON_LIMIT_UNPACKED
			                                      : REASON_DAMAGED,
			        NULL);
		g_clear_pointer(&unpacked, g_byte_array_unref);
		unpacked = out;
		data = (const char *)out->data;
		size = out->len;
	}
	if (size > MAX_SITEMAP_BYTES) {
		size = MAX_SITEMAP_BYTES;
		sink_truncated(sink, REASON_LIMIT_FILE, NULL);
	}
	xml_skip_blank(&data, &size);
	if (is_markup(data, size))
		sitemap_read_xml(&r, data, size);
	else
		sitemap_read_list(&r, data, size);
	for (size_t i = 0; i < N_SITEMAP_ELEMENTS; i++)
		if (r.values[i])
			g_string_free(r.values[i], TRUE);
	g_byte_array_unref(r.open);
	g_string_free(r.text, TRUE);
	return EXTRACT_DONE;
}

static const char *sitemap_preload(void)
{
	xmlInitParser();
	return NULL;
}

static const char *const mime_types[] = {SITEMAP_TYPE, NULL};

const Extractor tarsier_extractor = {
        .abi = EXTRACTOR_ABI,
        .name = "sitemap",
        .version = 2,
        .library = "libxml2 " LIBXML_DOTTED_VERSION,
        .lane = LANE_CHEAP,
        .mime_types = mime_types,
        .preload = sitemap_preload,
        .extract = sitemap_extract,
};
