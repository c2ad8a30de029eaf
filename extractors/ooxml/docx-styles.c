/* SPDX-License-Identifier: GPL-3.0-or-later */
/* docx-styles.c - the paragraph styles of a text document
 *
 * Built-in styles have fixed English names, whatever their ids are. Other styles are classified by
 * the style they are based on, or by their outline level. */
#include <config.h>
#include "extractors/ooxml/ooxml.h"
#include <string.h>

enum { MAX_CHAIN = 16, NO_TAG = N_TAGS };

typedef struct {
	char *based_on;
	unsigned tag; /* DocTag or NO_TAG */
} ParagraphStyle;

struct WordStyles {
	GHashTable *by_id;
	ParagraphStyle *open; /* the style being defined, or NULL */
};

static void style_free(gpointer item)
{
	g_free(((ParagraphStyle *)item)->based_on);
	g_free(item);
}

static unsigned tag_of_name(const char *name)
{
	if (g_ascii_strcasecmp(name, "title") == 0)
		return TAG_HEADING1;
	if (g_ascii_strcasecmp(name, "subtitle") == 0)
		return TAG_HEADING2;
	if (g_ascii_strcasecmp(name, "caption") == 0)
		return TAG_CAPTION;
	if (g_ascii_strncasecmp(name, "toc ", 4) == 0 ||
	        g_ascii_strcasecmp(name, "table of figures") == 0)
		return TAG_NOISE;
	if (g_ascii_strncasecmp(name, "heading ", 8) == 0 && g_ascii_isdigit(name[8]) && !name[9])
		return TAG_HEADING1 + CLAMP(name[8] - '1', 0, 5);
	return NO_TAG;
}

static void docx_styles_style_start(WordStyles *styles, const XmlAttributes *attributes)
{
	char *id = xml_attribute_dup(attributes, NS_W, "styleId");
	styles->open = NULL;
	if (!id)
		return;
	styles->open = g_new0(ParagraphStyle, 1);
	styles->open->tag = NO_TAG;
	g_hash_table_replace(styles->by_id, id, styles->open);
}

static void docx_styles_outline_start(ParagraphStyle *style, const XmlAttributes *attributes)
{
	unsigned level = xml_attribute_number(attributes, NS_W, "val", 9, 9);
	if (style->tag == NO_TAG && level < 9)
		style->tag = TAG_HEADING1 + MIN(level, 5);
}

static bool docx_styles_on_start(void *user, unsigned element, const XmlAttributes *attributes)
{
	WordStyles *styles = user;
	ParagraphStyle *open = styles->open;

	if (element == W_STYLE) {
		docx_styles_style_start(styles, attributes);
	} else if (element == W_STYLE_NAME && open) {
		g_autofree char *name = xml_attribute_dup(attributes, NS_W, "val");
		open->tag = name ? tag_of_name(name) : NO_TAG;
	} else if (element == W_BASED_ON && open) {
		g_free(open->based_on);
		open->based_on = xml_attribute_dup(attributes, NS_W, "val");
	} else if (element == W_OUTLINE_LEVEL && open) {
		docx_styles_outline_start(open, attributes);
	}
	return true;
}

static bool docx_styles_on_end(void *user, unsigned element)
{
	WordStyles *styles = user;
	if (element == W_STYLE)
		styles->open = NULL;
	return true;
}

WordStyles *word_styles_read(Ooxml *ooxml, const char *part)
{
	static const XmlEvents events = {.start = docx_styles_on_start, .end = docx_styles_on_end};
	WordStyles *styles = g_new0(WordStyles, 1);

	styles->by_id = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, style_free);
	if (!ooxml->zip)
		ooxml_read_flat(ooxml, &events, styles);
	else if (part)
		ooxml_read(ooxml, part, &events, styles);
	return styles;
}

void word_styles_free(WordStyles *styles)
{
	if (!styles)
		return;
	g_hash_table_unref(styles->by_id);
	g_free(styles);
}

bool word_styles_tag(const WordStyles *styles, const char *id, DocTag *tag)
{
	for (unsigned step = 0; id && step < MAX_CHAIN; step++) {
		const ParagraphStyle *style = g_hash_table_lookup(styles->by_id, id);
		if (!style)
			return false;
		if (style->tag != NO_TAG) {
			*tag = style->tag;
			return true;
		}
		id = style->based_on;
	}
	return false;
}
