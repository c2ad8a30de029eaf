/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mobi.c - the plugin for e-books of Mobipocket, Kindle and PalmDOC */
#include <config.h>
#include "extractors/shared/extractor.h"
#include "extractors/shared/isodate.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_LIBMOBI
#include <mobi.h>

static void mobi_put_facts(const MOBIData *book, Sink *sink)
{
	static const struct {
		char *(*get)(const MOBIData *book);
		DocField field;
	} facts[] = {{mobi_meta_get_title, FIELD_TITLE}, {mobi_meta_get_author, FIELD_AUTHOR},
	        {mobi_meta_get_subject, FIELD_KEYWORD}, {mobi_meta_get_description, FIELD_COMMENT},
	        {mobi_meta_get_language, FIELD_LANGUAGE},
	        {mobi_meta_get_publishdate, FIELD_CREATED}};
	for (size_t i = 0; i < G_N_ELEMENTS(facts); i++) {
		bool is_date = facts[i].field == FIELD_CREATED;
		char *value = facts[i].get(book);
		g_autofree char *date = value && is_date ? iso_date(value, -1) : NULL;
		const char *shown = is_date ? date : value;
		if (shown)
			sink_field(sink, facts[i].field, shown, -1);
		free(value);
	}
}

/* The text of a book is HTML in one or more parts. */
static ExtractResult mobi_put_text(const MOBIData *book, Sink *sink)
{
	MOBIRawml *rawml = mobi_init_rawml(book);
	if (!rawml)
		return sink_fail(sink, REASON_LIMIT_MEMORY, NULL);
	MOBI_RET status = mobi_parse_rawml_opt(rawml, book, false, false, true);
	bool more = true;
	/* a part that could not be unpacked has a size but no data */
	for (const MOBIPart *part = rawml->markup; part && more; part = part->next)
		more = !part->data ||
		       (sink_unpacked(sink, part->size) &&
		               sink_inline(sink, "text/html", "utf-8", part->data, part->size));
	if (status != MOBI_SUCCESS)
		sink_truncated(sink, REASON_DAMAGED, NULL);
	mobi_free_rawml(rawml);
	return EXTRACT_DONE;
}

static ExtractResult mobi_read_book(MOBIData *book, FILE *file, Sink *sink)
{
	if (mobi_load_file(book, file) != MOBI_SUCCESS)
		return sink_fail(sink, REASON_DAMAGED, NULL);
	mobi_put_facts(book, sink);
	if (mobi_is_encrypted(book))
		return sink_fail(sink, REASON_ENCRYPTED, NULL);
	return mobi_put_text(book, sink);
}

static ExtractResult mobi_extract(const Input *in, Sink *sink)
{
	FILE *file = fmemopen((void *)in->data, in->size, "rb");
	MOBIData *book = mobi_init();
	ExtractResult result = file && book ? mobi_read_book(book, file, sink)
	                                    : sink_fail(sink, REASON_LIMIT_MEMORY, NULL);
	if (book)
		mobi_free(book);
	if (file)
		fclose(file);
	return result;
}

static const char *mobi_preload(void)
{
	return NULL;
}
#else
EXTRACTOR_BUILT_WITHOUT(mobi, "libmobi", false)
#endif

static const char *const mime_types[] = {"application/x-mobipocket-ebook",
        "application/vnd.amazon.mobi8-ebook", "application/vnd.palm", NULL};

const Extractor tarsier_extractor = {
        .abi = EXTRACTOR_ABI,
        .name = "mobi",
        .version = 4,
#ifdef HAVE_LIBMOBI
        .library = "libmobi " LIBMOBI_VERSION_TEXT,
#endif
        .lane = LANE_OWN,
        .mime_types = mime_types,
        .preload = mobi_preload,
        .extract = mobi_extract,
};
