/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vintage.c - the plugin for documents of old programs, and of iWork, Visio and Publisher */
#include <config.h>
#include "extractors/shared/extractor.h"
#include "extractors/shared/isodate.h"
#include "extractors/shared/olefile.h"
#include "extractors/vintage/quill.h"
#include "extractors/vintage/vintage-reader.h"
#include <string.h>

#ifdef HAVE_REVENGE
static void vintage_put_field(Sink *sink, DocField field, const char *value)
{
	bool is_date = field == FIELD_DATE || field == FIELD_CREATED;
	g_autofree char *date = is_date ? iso_date(value, -1) : NULL;
	if (!is_date || date)
		sink_field(sink, field, is_date ? date : value, -1);
}

static void vintage_put_fact(void *user, const char *key, const char *value)
{
	static const struct {
		const char *key;
		DocField field;
	} fields[] = {{"dc:title", FIELD_TITLE}, {"dc:creator", FIELD_AUTHOR},
	        {"meta:initial-creator", FIELD_AUTHOR}, {"dc:subject", FIELD_COMMENT},
	        {"meta:keyword", FIELD_KEYWORD}, {"dc:description", FIELD_COMMENT},
	        {"dc:language", FIELD_LANGUAGE}, {"meta:creation-date", FIELD_CREATED},
	        {"dc:date", FIELD_DATE}};
	for (size_t i = 0; i < G_N_ELEMENTS(fields); i++)
		if (strcmp(fields[i].key, key) == 0)
			vintage_put_field(user, fields[i].field, value);
}

static void put_part(void *user, VintageKind kind, unsigned number, const char *text)
{
	static const DocBreakKind breaks[] = {[VINTAGE_PAGE] = BREAK_PAGE,
	        [VINTAGE_SLIDE] = BREAK_SLIDE,
	        [VINTAGE_SHEET] = BREAK_SHEET};
	if (kind != VINTAGE_TEXT && !sink_break(user, breaks[kind], number, NULL))
		return;
	sink_inline(user, "text/plain", "utf-8", (const uint8_t *)text, strlen(text));
}

static ExtractResult vintage_extract(const Input *in, Sink *sink)
{
	const VintageOut out = {vintage_put_fact, put_part, sink};
	if (in->size > G_MAXUINT)
		return sink_fail(sink, REASON_LIMIT_FILE, NULL);
	switch (vintage_read(in->mime, in->data, in->size, &out)) {
	case VINTAGE_ENCRYPTED:
		return sink_fail(sink, REASON_ENCRYPTED, NULL);
	case VINTAGE_MEMORY:
		return sink_fail(sink, REASON_LIMIT_MEMORY, NULL);
	case VINTAGE_DAMAGED:
		if (!sink_has_text(sink) && quill_read(in, sink))
			return EXTRACT_DONE;
		return sink_fail(sink, REASON_DAMAGED, NULL);
	case VINTAGE_OK:
		break;
	}
	if (ole_is(in) && ole_is_cut(in))
		sink_truncated(sink, REASON_DAMAGED, "the end of the file is missing");
	return EXTRACT_DONE;
}

static const char *vintage_preload(void)
{
	ole_preload();
	return NULL;
}
#else
EXTRACTOR_BUILT_WITHOUT(vintage, "the libraries around librevenge", false)
#endif

static const char *const mime_types[] = {
        "application/vnd.wordperfect",
        "application/x-wordperfect",
        "application/vnd.ms-works",
        "application/x-mswrite",
        "application/vnd.lotus-1-2-3",
        "application/x-123",
        "application/x-quattro-pro",
        "application/clarisworks",
        "application/x-macword",
        "application/x-macwrite",
        "application/vnd.ms-powerpoint.95",
        "application/vnd.visio",
        "application/vnd.ms-visio.drawing.main+xml",
        "application/vnd.ms-visio.drawing.macroenabled.main+xml",
        "application/vnd.ms-visio.template.main+xml",
        "application/vnd.ms-visio.stencil.main+xml",
        "application/x-mspublisher",
        "application/vnd.ms-publisher",
        "application/x-abiword",
        "application/vnd.stardivision.writer",
        "application/vnd.stardivision.calc",
        "application/vnd.stardivision.draw",
        "application/vnd.stardivision.impress",
        "application/vnd.stardivision.math",
        "application/vnd.stardivision.chart",
        "application/vnd.apple.pages",
        "application/vnd.apple.numbers",
        "application/vnd.apple.keynote",
        NULL,
};

const Extractor tarsier_extractor = {
        .abi = EXTRACTOR_ABI,
        .name = "vintage",
        .version = 4,
#ifdef HAVE_REVENGE
        .library = "librevenge " REVENGE_VERSION_TEXT,
#endif
        .lane = LANE_VINTAGE,
        .mime_types = mime_types,
        .preload = vintage_preload,
        .extract = vintage_extract,
};
