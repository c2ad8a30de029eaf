/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/djvu/djvu-parts.h"
#include "common/base/compare.h"
#include "extractors/shared/linejoin.h"
#include <string.h>

/* Kinds of zones, from the outside inwards: page, column, region, paragraph, line, word, letter. */
enum { ZONE_PAGE = 1, ZONE_PARAGRAPH = 4, ZONE_LETTER = 7 };

enum {
	ZONE_BYTES = 17, /* kind, x, y, width, height, start, length, number of zones inside */
	START_AT = 9,
	LENGTH_AT = 11,
	INSIDE_AT = 14,
	START_BIAS = 0x8000,
	MAX_DEPTH = 8,
};

typedef struct {
	Bytes text, zones;
	size_t at; /* in zones */
	GArray *cuts; /* uint32_t: where in the text a paragraph, or more than one, begins or ends
	               */
} TextLayer;

typedef struct {
	unsigned kind;
	uint32_t start, length, inside;
} TextZone;

/* ---- paragraphs */

/* Joins lines, and words that are divided at line ends. The caller frees it. */
static char *djvu_join_lines(const char *text)
{
	GString *out = g_string_new(NULL);
	g_auto(GStrv) lines = g_strsplit_set(text, "\n\v\035\037", -1);
	for (char **line = lines; *line; line++) {
		const char *next = g_strstrip(*line);
		if (*next && out->len > 0 && !line_join_word(out, next))
			g_string_append_c(out, ' ');
		g_string_append(out, next);
	}
	return g_string_free(out, FALSE);
}

/* Control characters end columns, regions, paragraphs and lines. */
static Bytes djvu_strip_ends(Bytes text)
{
	while (text.size > 0 && text.data[text.size - 1] <= ' ')
		text.size--;
	return text;
}

static bool djvu_put_paragraph(Bytes text, Sink *sink)
{
	text = djvu_strip_ends(text);
	if (text.size == 0)
		return true;
	g_autofree char *valid = g_utf8_make_valid((const char *)text.data, text.size);
	g_autofree char *joined = djvu_join_lines(valid);
	return sink_block(sink, TAG_BODY) && sink_text(sink, TAG_BODY, joined, -1);
}

static void djvu_put_paragraphs(TextLayer *layer, Sink *sink)
{
	uint32_t from = 0, end = layer->text.size;
	bool more = true;
	g_array_append_val(layer->cuts, end);
	g_array_sort(layer->cuts, compare_uint32);
	for (guint i = 0; more && i < layer->cuts->len; i++) {
		uint32_t cut = g_array_index(layer->cuts, uint32_t, i);
		more = djvu_put_paragraph(bytes_part(layer->text, from, cut - from), sink);
		from = cut;
	}
}

/* ---- zones */

/* The start of a zone is relative to the end of the one before it, or to the start of the one
 * around it. */
static bool djvu_read_zone(TextLayer *layer, uint32_t relative_to, TextZone *zone)
{
	Bytes bytes = bytes_part(layer->zones, layer->at, ZONE_BYTES);
	if (bytes.size < ZONE_BYTES)
		return false;
	layer->at += ZONE_BYTES;
	*zone = (TextZone){.kind = bytes.data[0],
	        .start = relative_to + be16(bytes, START_AT) - START_BIAS,
	        .length = be24(bytes, LENGTH_AT),
	        .inside = be24(bytes, INSIDE_AT)};
	return zone->kind >= ZONE_PAGE && zone->kind <= ZONE_LETTER &&
	       zone->start <= layer->text.size && zone->length <= layer->text.size - zone->start;
}

/* Reads a zone and those inside of it. False if the layer is damaged. */
static bool djvu_walk_zone(TextLayer *layer, uint32_t relative_to, unsigned depth, uint32_t *end_r)
{
	TextZone zone;
	if (depth >= MAX_DEPTH || !djvu_read_zone(layer, relative_to, &zone))
		return false;
	uint32_t inner = zone.start;
	*end_r = zone.start + zone.length;
	if (zone.kind <= ZONE_PARAGRAPH) {
		g_array_append_val(layer->cuts, zone.start);
		g_array_append_val(layer->cuts, *end_r);
	}
	for (uint32_t i = 0; i < zone.inside; i++)
		if (!djvu_walk_zone(layer, inner, depth + 1, &inner))
			return false;
	return true;
}

bool djvu_put_text(Bytes bytes, Sink *sink)
{
	enum { TEXT_AT = 3 };
	uint32_t end, length = be24(bytes, 0);
	g_autoptr(GArray) cuts = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	TextLayer layer = {.text = bytes_part(bytes, TEXT_AT, length), .cuts = cuts};
	/* a byte with the version of the format comes before the zones */
	layer.zones = bytes_part(bytes, TEXT_AT + (size_t)length + 1, SIZE_MAX);
	bool whole = layer.text.size == length &&
	             (layer.zones.size == 0 || djvu_walk_zone(&layer, 0, 0, &end));
	djvu_put_paragraphs(&layer, sink);
	return whole;
}
