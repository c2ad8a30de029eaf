/* SPDX-License-Identifier: GPL-3.0-or-later */
/* djvu.c - the plugin for scanned books with a text layer
 *
 * DjVuLibre opens a document in a second thread, so this plugin is in the lane that allows threads.
 * Pictures are never decoded. */
#include <config.h>
#include "extractors/shared/extractor.h"
#include "extractors/shared/isodate.h"
#include <string.h>

#ifdef HAVE_DJVU
#include <libdjvu/ddjvuapi.h>
#include <libdjvu/miniexp.h>

/* (page x0 y0 x1 y1 "text"), or zones instead of the text */
enum { FIRST_STRING = 5, MAX_DEPTH = 8 };

typedef struct {
	const Input *in;
	Sink *sink;
	ddjvu_context_t *context;
	ddjvu_document_t *document;
	bool damaged;
} DjvuBook;

/* ---- the library's messages */

/* The file itself is stream 0. A book in several files cannot get its other files. */
static void djvu_feed(DjvuBook *book, int stream)
{
	if (stream == 0)
		ddjvu_stream_write(book->document, 0, (const char *)book->in->data, book->in->size);
	ddjvu_stream_close(book->document, stream, stream != 0);
}

static void djvu_take_messages(DjvuBook *book, bool wait)
{
	const ddjvu_message_t *message;
	if (wait)
		ddjvu_message_wait(book->context);
	while ((message = ddjvu_message_peek(book->context))) {
		if (message->m_any.tag == DDJVU_NEWSTREAM)
			djvu_feed(book, message->m_newstream.streamid);
		else if (message->m_any.tag == DDJVU_ERROR)
			book->damaged = true;
		ddjvu_message_pop(book->context);
	}
}

/* ---- facts */

static void djvu_put_fact(DjvuBook *book, miniexp_t key, const char *value)
{
	static const struct {
		const char *key;
		DocField field;
	} fields[] = {{"title", FIELD_TITLE}, {"author", FIELD_AUTHOR}, {"subject", FIELD_COMMENT},
	        {"keywords", FIELD_KEYWORD}, {"note", FIELD_COMMENT}, {"year", FIELD_CREATED},
	        {"creationdate", FIELD_CREATED}};
	const char *name = miniexp_to_name(key);
	for (size_t i = 0; name && value && i < G_N_ELEMENTS(fields); i++) {
		if (g_ascii_strcasecmp(fields[i].key, name) != 0)
			continue;
		bool is_date = fields[i].field == FIELD_CREATED;
		g_autofree char *date = is_date ? iso_date_utc(value, -1) : NULL;
		if (!is_date || date)
			sink_field(book->sink, fields[i].field, is_date ? date : value, -1);
	}
}

/* Annotations of the book, or of its first page. */
static miniexp_t find_notes(DjvuBook *book)
{
	miniexp_t notes;
	while ((notes = ddjvu_document_get_anno(book->document, TRUE)) == miniexp_dummy)
		djvu_take_messages(book, true);
	if (miniexp_consp(notes))
		return notes;
	while ((notes = ddjvu_document_get_pageanno(book->document, 0)) == miniexp_dummy)
		djvu_take_messages(book, true);
	return notes;
}

static void djvu_put_facts(DjvuBook *book)
{
	miniexp_t notes = find_notes(book);
	if (!miniexp_consp(notes))
		return;
	miniexp_t *keys = ddjvu_anno_get_metadata_keys(notes);
	for (miniexp_t *key = keys; key && *key; key++)
		djvu_put_fact(book, *key, ddjvu_anno_get_metadata(notes, *key));
	free(keys);
}

/* ---- text */

/* Joins a word that is divided at a line end; other line ends become spaces. The caller frees
 * it. */
static char *djvu_join_lines(const char *text)
{
	GString *out = g_string_new(NULL);
	for (const char *p = text; *p; p = g_utf8_next_char(p)) {
		const char *next = g_utf8_next_char(p);
		gunichar follows = *next == '\n' ? g_utf8_get_char(next + 1) : 0;
		if (*p == '-' && *next == '\n' && g_unichar_islower(follows))
			p = next;
		else if (*p == '\n')
			g_string_append_c(out, ' ');
		else
			g_string_append_len(out, p, next - p);
	}
	return g_string_free(out, FALSE);
}

static bool djvu_put_paragraph(DjvuBook *book, const char *text)
{
	g_autofree char *valid = g_utf8_make_valid(text, -1);
	g_autofree char *joined = djvu_join_lines(valid);
	return sink_block(book->sink, TAG_BODY) && sink_text(book->sink, TAG_BODY, joined, -1);
}

/* Sends the paragraphs of a zone, or its whole text if it has none. */
static bool put_zone(DjvuBook *book, miniexp_t zone, unsigned depth)
{
	bool more = depth < MAX_DEPTH;
	for (unsigned i = 0; i < FIRST_STRING && miniexp_consp(zone); i++)
		zone = miniexp_cdr(zone);
	for (; more && miniexp_consp(zone); zone = miniexp_cdr(zone)) {
		miniexp_t item = miniexp_car(zone);
		if (miniexp_stringp(item))
			more = djvu_put_paragraph(book, miniexp_to_str(item));
		else if (miniexp_consp(item))
			more = put_zone(book, item, depth + 1);
	}
	return more;
}

static bool djvu_put_page(DjvuBook *book, int page)
{
	miniexp_t text;
	while ((text = ddjvu_document_get_pagetext(book->document, page, "para")) == miniexp_dummy)
		djvu_take_messages(book, true);
	if (!miniexp_consp(text))
		return true;
	bool more = sink_break(book->sink, BREAK_PAGE, page + 1, NULL) && put_zone(book, text, 0);
	ddjvu_miniexp_release(book->document, text);
	return more;
}

/* ---- */

static ExtractResult djvu_read_book(DjvuBook *book)
{
	while (!ddjvu_document_decoding_done(book->document))
		djvu_take_messages(book, true);
	if (ddjvu_document_decoding_error(book->document))
		return sink_fail(book->sink, REASON_DAMAGED, NULL);
	int pages = ddjvu_document_get_pagenum(book->document);
	g_autofree char *count = g_strdup_printf("%d", pages);
	sink_field(book->sink, FIELD_PAGES, count, -1);
	djvu_put_facts(book);
	for (int page = 0; page < pages && djvu_put_page(book, page); page++)
		djvu_take_messages(book, false);
	if (book->damaged)
		sink_truncated(book->sink, REASON_DAMAGED, NULL);
	return EXTRACT_DONE;
}

static ExtractResult djvu_extract(const Input *in, Sink *sink)
{
	DjvuBook book = {
	        .in = in, .sink = sink, .context = ddjvu_context_create("tarsier-extract")};
	if (book.context)
		book.document = ddjvu_document_create(book.context, NULL, FALSE);
	ExtractResult result =
	        book.document ? djvu_read_book(&book) : sink_fail(sink, REASON_LIMIT_MEMORY, NULL);
	if (book.document)
		ddjvu_document_release(book.document);
	if (book.context)
		ddjvu_context_release(book.context);
	return result;
}

static const char *djvu_preload(void)
{
	return NULL;
}
#else
EXTRACTOR_BUILT_WITHOUT(djvu, "DjVuLibre", false)
#endif

static const char *const mime_types[] = {
        "image/vnd.djvu", "image/x-djvu", "image/vnd.djvu+multipage", NULL};

const Extractor tarsier_extractor = {
        .abi = EXTRACTOR_ABI,
        .name = "djvu",
        .version = 1,
#ifdef HAVE_DJVU
        .library = "DjVuLibre " DJVU_VERSION_TEXT,
#endif
        .lane = LANE_THREADS,
        .mime_types = mime_types,
        .preload = djvu_preload,
        .extract = djvu_extract,
};
