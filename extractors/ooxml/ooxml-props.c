/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ooxml-props.c - facts about the document */
#include <config.h>
#include "extractors/shared/isodate.h"
#include "extractors/shared/keywords.h"
#include "extractors/ooxml/ooxml.h"
#include <stdlib.h>
#include <string.h>

typedef struct {
	Ooxml *ooxml;
	unsigned element;
	GString *value;
	char *author;
	bool custom; /* in the custom properties */
} PropsReader;

static void ooxml_put_keywords(Ooxml *ooxml, const char *value)
{
	ooxml->any_fact |= *value != 0;
	send_keywords(ooxml->sink, value);
}

static void ooxml_put_author(PropsReader *reader, const char *value)
{
	if (g_strcmp0(reader->author, value) == 0)
		return;
	g_free(reader->author);
	reader->author = g_strdup(value);
	ooxml_field(reader->ooxml, FIELD_AUTHOR, value);
}

static void ooxml_put_date(Ooxml *ooxml, DocField field, const char *value)
{
	g_autofree char *date = iso_date(value, -1);
	if (date)
		ooxml_field(ooxml, field, date);
}

static void ooxml_put_pages(Ooxml *ooxml, const char *value)
{
	guint64 pages;
	if (g_ascii_string_to_unsigned(value, 10, 1, G_MAXINT32, &pages, NULL))
		ooxml_count(ooxml, pages);
}

static void ooxml_put_value(PropsReader *reader, const char *value)
{
	Ooxml *ooxml = reader->ooxml;
	switch (reader->element) {
	case CORE_TITLE:
		ooxml_field(ooxml, FIELD_TITLE, value);
		break;
	case CORE_CREATOR:
	case CORE_LAST_AUTHOR:
		ooxml_put_author(reader, value);
		break;
	case CORE_COMMENT:
		ooxml_field(ooxml, FIELD_COMMENT, value);
		break;
	case CORE_KEYWORDS:
		ooxml_put_keywords(ooxml, value);
		break;
	case CORE_CREATED:
		ooxml_put_date(ooxml, FIELD_CREATED, value);
		break;
	case CORE_MODIFIED:
		ooxml_put_date(ooxml, FIELD_DATE, value);
		break;
	case CORE_LANGUAGE: {
		g_autofree char *lower = g_ascii_strdown(value, -1);
		ooxml_field(ooxml, FIELD_LANGUAGE, lower);
		break;
	}
	case APP_PAGES:
		ooxml_put_pages(ooxml, value);
		break;
	case APP_COMPANY:
		ooxml_field(ooxml, FIELD_COMMENT, value);
		break;
	case CUSTOM_TEXT:
		if (reader->custom)
			ooxml_field(ooxml, FIELD_COMMENT, value);
		break;
	case APP_PROGRAM:
		ooxml_field(ooxml, FIELD_GENERATOR, value);
		break;
	default:
		break;
	}
}

static bool ooxml_props_on_start(void *user, unsigned element, const XmlAttributes *attributes)
{
	PropsReader *reader = user;
	reader->element = element;
	g_string_truncate(reader->value, 0);
	return true;
}

static bool ooxml_on_end(void *user, unsigned element)
{
	PropsReader *reader = user;
	const char *value = g_strstrip(reader->value->str);
	if (*value)
		ooxml_put_value(reader, value);
	reader->element = OTHER_ELEMENT;
	g_string_truncate(reader->value, 0);
	return true;
}

static bool ooxml_on_text(void *user, const char *text, size_t length)
{
	PropsReader *reader = user;
	if (reader->value->len + length <= DOC_MAX_FACT_BYTES)
		g_string_append_len(reader->value, text, length);
	return true;
}

static const XmlEvents events = {ooxml_props_on_start, ooxml_on_end, ooxml_on_text};

static void ooxml_read_part(PropsReader *reader, const Relations *relations, const char *type)
{
	const Relation *relation;
	guint position = 0;
	reader->custom = g_str_has_prefix(type, "custom");
	while ((relation = relations_of_type(relations, type, &position)) != NULL)
		if (ooxml_claim(reader->ooxml, relation->target))
			ooxml_read(reader->ooxml, relation->target, &events, reader);
}

void props_read(Ooxml *ooxml, const Relations *package_relations)
{
	static const char *const types[] = {"core-properties", "coreProperties",
	        "extended-properties", "extendedProperties", "custom-properties",
	        "customProperties"};
	g_autoptr(GString) value = g_string_new(NULL);
	PropsReader reader = {.ooxml = ooxml, .value = value};

	for (size_t i = 0; i < G_N_ELEMENTS(types); i++)
		ooxml_read_part(&reader, package_relations, types[i]);
	g_free(reader.author);
}

void props_read_flat(Ooxml *ooxml)
{
	g_autoptr(GString) value = g_string_new(NULL);
	PropsReader reader = {.ooxml = ooxml, .value = value};

	ooxml_read_flat(ooxml, &events, &reader);
	g_free(reader.author);
}
