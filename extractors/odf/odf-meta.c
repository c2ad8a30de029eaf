/* SPDX-License-Identifier: GPL-3.0-or-later */
/* odf-meta.c - office:meta: facts about the document */
#include <config.h>
#include "extractors/shared/isodate.h"
#include "extractors/odf/odf.h"
#include <string.h>

static void odf_put(Odf *odf, DocField field, const char *value)
{
	odf->any_fact = true;
	sink_field(odf->sink, field, value, -1);
}

static void odf_put_date(Odf *odf, DocField field, const char *value)
{
	g_autofree char *date = iso_date(value, -1);
	if (date)
		odf_put(odf, field, date);
}

/* The author and the person who saved the document last are often the same. */
static void odf_put_author(Odf *odf, const char *value)
{
	if (strcmp(odf->author->str, value) == 0)
		return;
	g_string_assign(odf->author, value);
	odf_put(odf, FIELD_AUTHOR, value);
}

void odf_language(Odf *odf, const char *language, const char *country)
{
	if (odf->has_language || !language || !*language || strcmp(language, "none") == 0 ||
	        strcmp(language, "zxx") == 0)
		return;
	bool has_country = country && *country && strcmp(country, "none") != 0;
	g_autofree char *tag = g_strconcat(language, has_country ? "-" : NULL, country, NULL);
	g_autofree char *lower = g_ascii_strdown(tag, -1);
	odf->has_language = true;
	odf_put(odf, FIELD_LANGUAGE, lower);
}

void odf_fact_end(Odf *odf, unsigned element)
{
	const char *value = g_strstrip(odf->fact->str);

	switch (*value ? element : OTHER_ELEMENT) {
	case META_TITLE:
		odf_put(odf, FIELD_TITLE, value);
		break;
	case META_INITIAL_CREATOR:
	case META_CREATOR:
		odf_put_author(odf, value);
		break;
	case META_COMMENT:
		odf_put(odf, FIELD_COMMENT, value);
		break;
	case META_KEYWORD:
		odf_put(odf, FIELD_KEYWORD, value);
		break;
	case META_DATE:
		odf_put_date(odf, FIELD_DATE, value);
		break;
	case META_CREATED:
		odf_put_date(odf, FIELD_CREATED, value);
		break;
	case META_LANGUAGE:
		odf_language(odf, value, NULL);
		break;
	case META_GENERATOR:
		odf_put(odf, FIELD_GENERATOR, value);
		break;
	default:
		break;
	}
	g_string_truncate(odf->fact, 0);
}

void odf_statistic(Odf *odf, const XmlAttributes *attributes)
{
	unsigned pages = xml_attribute_number(attributes, NS_META, "page-count", G_MAXINT32, 0);
	if (pages == 0)
		return;
	g_autofree char *decimal = g_strdup_printf("%u", pages);
	odf->has_pages = true;
	odf_put(odf, FIELD_PAGES, decimal);
}
