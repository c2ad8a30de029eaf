/* SPDX-License-Identifier: GPL-3.0-or-later */
/* djvu.c - the plugin for scanned books with a text layer
 *
 * A book is a page (FORM:DJVU) or a bundle of pages and shared parts (FORM:DJVM); both are chunks
 * with a name and a length. Pictures are never decoded. Source: DjVu3 specification (LizardTech,
 * 2005), chapters 8 and 9. */
#include <config.h>
#include "extractors/djvu/bzz.h"
#include "extractors/djvu/djvu-parts.h"
#include <string.h>

enum {
	FORM_AT = 4, /* after "AT&T" */
	HEAD_BYTES = 8, /* the name and the length of a chunk */
	KIND_BYTES = 4, /* "DJVU", "DJVM" or "DJVI" */
	BUNDLED = 0x80, /* in the first byte of the directory of a book */
};

typedef struct {
	Sink *sink;
	unsigned pages, page; /* their number; the current one */
	const char *kind; /* of the parts that facts are taken from */
	bool damaged, has_facts, elsewhere; /* elsewhere: its pages are in other files */
} DjvuBook;

/* ---- chunks */

static bool djvu_is(Bytes bytes, const char *name)
{
	return bytes.size >= KIND_BYTES && memcmp(bytes.data, name, KIND_BYTES) == 0;
}

/* The bytes of the chunk at a place, cut at the end of `in`. */
static Bytes djvu_body(DjvuBook *book, Bytes in, size_t at)
{
	uint32_t size = be32(in, at + 4);
	Bytes body = bytes_part(in, at + HEAD_BYTES, size);
	if (body.size < size)
		book->damaged = true;
	return body;
}

/* Finds a chunk by the first three letters of its name; the last says whether it is packed. The
 * caller frees the bytes; NULL: there is none. */
static GByteArray *djvu_find(DjvuBook *book, Bytes form, const char *name)
{
	g_autoptr(GByteArray) found = g_byte_array_new();
	for (size_t at = KIND_BYTES; at + HEAD_BYTES <= form.size;) {
		Bytes body = djvu_body(book, form, at);
		char kind = form.data[at + 3];
		if (memcmp(form.data + at, name, 3) == 0 && (kind == 'a' || kind == 'z')) {
			if (kind == 'a')
				g_byte_array_append(found, body.data, body.size);
			else if (!bzz_unpack(body, found, book->sink))
				book->damaged = true;
			return g_steal_pointer(&found);
		}
		at += HEAD_BYTES + body.size + body.size % 2;
	}
	return NULL;
}

/* ---- parts of a book */

typedef bool (*DjvuTake)(DjvuBook *book, Bytes form);

static bool djvu_count(DjvuBook *book, Bytes form)
{
	book->pages += djvu_is(form, "DJVU");
	return true;
}

static bool djvu_take_facts(DjvuBook *book, Bytes form)
{
	if (!djvu_is(form, book->kind))
		return true;
	g_autoptr(GByteArray) notes = djvu_find(book, form, "ANT");
	book->has_facts = notes && djvu_put_facts((Bytes){notes->data, notes->len}, book->sink);
	return !book->has_facts && !djvu_is(form, "DJVU");
}

static bool djvu_put_page(DjvuBook *book, Bytes form)
{
	if (!djvu_is(form, "DJVU"))
		return true;
	book->page++;
	g_autoptr(GByteArray) layer = djvu_find(book, form, "TXT");
	if (!layer || layer->len == 0)
		return true;
	if (!sink_break(book->sink, BREAK_PAGE, book->page, NULL))
		return false;
	if (!djvu_put_text((Bytes){layer->data, layer->len}, book->sink))
		book->damaged = true;
	return true;
}

/* Calls take() for the parts of a bundle in their order, or for the only page, until it returns
 * false. */
static void djvu_each_part(DjvuBook *book, Bytes form, DjvuTake take)
{
	bool more = djvu_is(form, "DJVM") || (take(book, form), false);
	for (size_t at = KIND_BYTES; more && at + HEAD_BYTES <= form.size;) {
		Bytes body = djvu_body(book, form, at), head = bytes_part(form, at, KIND_BYTES);
		if (djvu_is(head, "FORM"))
			more = take(book, body);
		else if (djvu_is(head, "DIRM") && body.size > 0)
			book->elsewhere = (body.data[0] & BUNDLED) == 0;
		at += HEAD_BYTES + body.size + body.size % 2;
	}
}

/* Puts the facts of a part that all pages share, wherever it stands, or else of the first page. */
static void djvu_put_all_facts(DjvuBook *book, Bytes form)
{
	book->kind = "DJVI";
	djvu_each_part(book, form, djvu_take_facts);
	book->kind = "DJVU";
	if (!book->has_facts)
		djvu_each_part(book, form, djvu_take_facts);
}

static ExtractResult djvu_extract(const Input *in, Sink *sink)
{
	DjvuBook book = {.sink = sink};
	Bytes form = djvu_body(&book, (Bytes){in->data, in->size}, FORM_AT);
	djvu_each_part(&book, form, djvu_count);
	if (book.pages == 0)
		return sink_fail(sink, book.elsewhere ? REASON_PART : REASON_DAMAGED, NULL);
	g_autofree char *pages = g_strdup_printf("%u", book.pages);
	sink_field(sink, FIELD_PAGES, pages, -1);
	djvu_put_all_facts(&book, form);
	djvu_each_part(&book, form, djvu_put_page);
	if (book.damaged && !sink_has_text(sink))
		return sink_fail(sink, REASON_DAMAGED, NULL);
	if (book.damaged)
		sink_truncated(sink, REASON_DAMAGED, NULL);
	return EXTRACT_DONE;
}

static const char *const mime_types[] = {
        "image/vnd.djvu", "image/x-djvu", "image/vnd.djvu+multipage", NULL};

const Extractor tarsier_extractor = {
        .abi = EXTRACTOR_ABI,
        .name = "djvu",
        .version = 4,
        .lane = LANE_OWN,
        .mime_types = mime_types,
        .extract = djvu_extract,
};
