/* SPDX-License-Identifier: GPL-3.0-or-later */
/* odf-styles.c - styles that say what a text is: titles, captions, emphasis
 *
 * Only styles of the current part are read. An automatic style names its parent, and the parents
 * that matter are built-in styles, whose names are fixed and not translated. */
#include <config.h>
#include "extractors/shared/symbolfont.h"
#include "extractors/odf/odf.h"
#include <string.h>

static const struct {
	const char *name;
	DocTag tag;
} builtin_paragraphs[] = {
        {"Title", TAG_HEADING1},
        {"Subtitle", TAG_HEADING2},
        {"Caption", TAG_CAPTION},
        {"caption", TAG_CAPTION},
        {"Illustration", TAG_CAPTION},
        {"Figure", TAG_CAPTION},
        {"Table", TAG_CAPTION},
        {"Drawing", TAG_CAPTION},
        {"Preformatted_20_Text", TAG_CODE},
};

static const char *const known_emphasis[] = {"Emphasis", "Strong_20_Emphasis", NULL};

static bool builtin_paragraph_tag(const char *name, DocTag *tag)
{
	for (size_t i = 0; i < G_N_ELEMENTS(builtin_paragraphs); i++) {
		if (strcmp(builtin_paragraphs[i].name, name) == 0) {
			*tag = builtin_paragraphs[i].tag;
			return true;
		}
	}
	return false;
}

static bool lookup_paragraph(const Odf *odf, const char *name, DocTag *tag)
{
	guint found = GPOINTER_TO_UINT(g_hash_table_lookup(odf->paragraph_styles, name));
	if (found == 0)
		return builtin_paragraph_tag(name, tag);
	*tag = found - 1;
	return true;
}

static void odf_styles_style_start(Odf *odf, const XmlAttributes *attributes)
{
	g_autofree char *name = xml_attribute_dup(attributes, NS_STYLE, "name");
	g_autofree char *parent = xml_attribute_dup(attributes, NS_STYLE, "parent-style-name");
	DocTag tag;

	g_clear_pointer(&odf->text_style, g_free);
	if (!name)
		return;
	if (xml_attribute_is(attributes, NS_STYLE, "family", "text"))
		odf->text_style = g_steal_pointer(&name);
	else if (xml_attribute_is(attributes, NS_STYLE, "family", "paragraph") && parent &&
	         lookup_paragraph(odf, parent, &tag))
		g_hash_table_insert(
		        odf->paragraph_styles, g_steal_pointer(&name), GUINT_TO_POINTER(tag + 1));
}

static bool is_bold_or_italic(const XmlAttributes *attributes)
{
	return xml_attribute_is(attributes, NS_FO, "font-weight", "bold") ||
	       xml_attribute_is(attributes, NS_FO, "font-style", "italic");
}

/* LibreOffice numbers declarations of one font: "Symbol1". */
static bool is_symbol_font_style(const XmlAttributes *attributes)
{
	g_autofree char *font = xml_attribute_dup(attributes, NS_STYLE, "font-name");
	return font && g_str_has_prefix(font, SYMBOL_FONT);
}

static void properties_start(Odf *odf, const XmlAttributes *attributes)
{
	if (odf->text_style && is_symbol_font_style(attributes))
		g_hash_table_add(odf->symbol_styles, g_strdup(odf->text_style));
	if (odf->text_style && is_bold_or_italic(attributes))
		g_hash_table_add(odf->emphasis_styles, g_steal_pointer(&odf->text_style));
	if (!odf->default_style || odf->embedded)
		return;
	g_autofree char *language = xml_attribute_dup(attributes, NS_FO, "language");
	g_autofree char *country = xml_attribute_dup(attributes, NS_FO, "country");
	odf_language(odf, language, country);
}

void odf_style_start(Odf *odf, unsigned element, const XmlAttributes *attributes)
{
	if (element == STYLE_STYLE)
		odf_styles_style_start(odf, attributes);
	else if (element == STYLE_DEFAULT)
		odf->default_style = xml_attribute_is(attributes, NS_STYLE, "family", "paragraph");
	else if (element == STYLE_TEXT_PROPERTIES)
		properties_start(odf, attributes);
}

void odf_style_end(Odf *odf, unsigned element)
{
	if (element == STYLE_STYLE)
		g_clear_pointer(&odf->text_style, g_free);
	else if (element == STYLE_DEFAULT)
		odf->default_style = false;
}

DocTag odf_paragraph_tag(Odf *odf, const XmlAttributes *attributes, DocTag fallback)
{
	g_autofree char *name = xml_attribute_dup(attributes, NS_TEXT, "style-name");
	DocTag tag;
	return name && lookup_paragraph(odf, name, &tag) ? tag : fallback;
}

bool odf_is_emphasis(Odf *odf, const XmlAttributes *attributes)
{
	g_autofree char *name = xml_attribute_dup(attributes, NS_TEXT, "style-name");
	return name && (g_hash_table_contains(odf->emphasis_styles, name) ||
	                       g_strv_contains(known_emphasis, name));
}

bool odf_is_symbol(Odf *odf, const XmlAttributes *attributes)
{
	g_autofree char *name = xml_attribute_dup(attributes, NS_TEXT, "style-name");
	return name && g_hash_table_contains(odf->symbol_styles, name);
}
