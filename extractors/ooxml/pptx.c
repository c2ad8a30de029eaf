/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pptx.c - presentations (PresentationML): slides in order, with notes and comments */
#include <config.h>
#include "extractors/ooxml/ooxml.h"

enum { MAX_SLIDES = 20000 };

typedef struct {
	Ooxml *ooxml;
	const Relations *relations;
	GPtrArray *slides; /* names of parts */
} OrderReader;

/* Sends the authors of comments once for all slides. */
static bool on_author(void *user, unsigned element, const XmlAttributes *attributes)
{
	Ooxml *ooxml = user;
	size_t length;
	const char *name =
	        element == P_AUTHOR ? xml_attribute(attributes, 0, "name", &length) : NULL;
	return !name || flow_line(&ooxml->flow, TAG_COMMENT, name, length);
}

static bool pptx_on_start(void *user, unsigned element, const XmlAttributes *attributes)
{
	OrderReader *reader = user;
	g_autofree char *id = element == P_SLIDE ? xml_attribute_dup(attributes, NS_R, "id") : NULL;
	const Relation *relation = id ? relations_with_id(reader->relations, id) : NULL;
	if (relation && !relation->external && ooxml_claim(reader->ooxml, relation->target))
		g_ptr_array_add(reader->slides, g_strdup(relation->target));
	return reader->slides->len < MAX_SLIDES;
}

/* If the presentation has no order, slides come in the order of the relations. */
static void slides_by_relations(OrderReader *reader)
{
	guint position = 0;
	const Relation *relation;
	while (reader->slides->len < MAX_SLIDES &&
	        (relation = relations_of_type(reader->relations, "slide", &position)) != NULL) {
		if (ooxml_claim(reader->ooxml, relation->target))
			g_ptr_array_add(reader->slides, g_strdup(relation->target));
	}
}

static void read_slide(Ooxml *ooxml, const char *part, unsigned number)
{
	g_autoptr(Relations) relations = package_relations(ooxml->zip, part);

	if (!flow_break(&ooxml->flow, BREAK_SLIDE, number, NULL))
		return;
	drawing_read(ooxml, part, relations, TAG_BODY);
	drawings_related(ooxml, relations);
	drawings_of_type(ooxml, relations, "notesSlide", TAG_COMMENT);
	masters_read(ooxml, relations);
	drawings_of_type(ooxml, relations, "comments", TAG_COMMENT);
	ooxml_embedded(ooxml, relations);
}

static void read_authors(Ooxml *ooxml, const Relations *relations)
{
	static const XmlEvents events = {.start = on_author};
	const Relation *authors = ooxml_related(relations, "commentAuthors");
	if (!authors)
		authors = ooxml_related(relations, "authors");
	if (authors && ooxml_claim(ooxml, authors->target))
		ooxml_read(ooxml, authors->target, &events, ooxml);
}

void slides_read(Ooxml *ooxml, const char *part)
{
	static const XmlEvents events = {.start = pptx_on_start};
	g_autoptr(Relations) relations = package_relations(ooxml->zip, part);
	g_autoptr(GPtrArray) slides = g_ptr_array_new_with_free_func(g_free);
	OrderReader reader = {ooxml, relations, slides};

	ooxml_read(ooxml, part, &events, &reader);
	if (slides->len == 0)
		slides_by_relations(&reader);
	for (guint i = 0; i < slides->len && !ooxml->flow.full; i++)
		read_slide(ooxml, slides->pdata[i], i + 1);
	if (!ooxml->flow.full)
		read_authors(ooxml, relations);
	ooxml_count(ooxml, slides->len);
}
