/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/ooxml/ooxml-package.h"
#include "extractors/ooxml/ooxml-names.h"
#include <string.h>

enum { MAX_RELATIONS = 100000 };

static void relation_clear(gpointer item)
{
	Relation *relation = item;
	g_free(relation->id);
	g_free(relation->type);
	g_free(relation->target);
}

static char *relations_part(const char *part)
{
	const char *slash = strrchr(part, '/');
	size_t folder = slash ? slash + 1 - part : 0;
	return g_strdup_printf("%.*s_rels/%s.rels", (int)folder, part, part + folder);
}

typedef struct {
	Relations *relations;
	const char *part;
} RelationsReader;

static void add_relation(Relations *relations, const Relation *relation)
{
	g_array_append_vals(relations->list, relation, 1);
	if (relation->id && !g_hash_table_contains(relations->by_id, relation->id))
		g_hash_table_insert(
		        relations->by_id, relation->id, GUINT_TO_POINTER(relations->list->len));
}

static bool on_relation(void *user, unsigned element, const XmlAttributes *attributes)
{
	RelationsReader *reader = user;
	if (element != RELATIONSHIP)
		return true;
	g_autofree char *type = xml_attribute_dup(attributes, 0, "Type");
	g_autofree char *target = xml_attribute_dup(attributes, 0, "Target");
	if (!type || !target)
		return true;
	const char *slash = strrchr(type, '/');
	bool external = xml_attribute_is(attributes, 0, "TargetMode", "External");
	Relation relation = {
	        .id = xml_attribute_dup(attributes, 0, "Id"),
	        .type = g_strdup(slash ? slash + 1 : type),
	        .target = external ? g_steal_pointer(&target)
	                           : zip_part_resolve(reader->part, target),
	        .external = external,
	};
	add_relation(reader->relations, &relation);
	return reader->relations->list->len < MAX_RELATIONS;
}

Relations *package_relations(ZipParts *zip, const char *part)
{
	static const XmlEvents events = {.start = on_relation};
	g_autofree char *name = relations_part(part);
	Relations *relations = g_new(Relations, 1);
	RelationsReader reader = {relations, part};

	relations->list = g_array_new(FALSE, FALSE, sizeof(Relation));
	relations->by_id = g_hash_table_new(g_str_hash, g_str_equal);
	g_array_set_clear_func(relations->list, relation_clear);
	if (zip_part_begin(zip, name))
		xml_read(&ooxml_vocabulary, &events, &reader, zip_part_read, zip);
	return relations;
}

void relations_free(Relations *relations)
{
	if (!relations)
		return;
	g_hash_table_unref(relations->by_id);
	g_array_unref(relations->list);
	g_free(relations);
}

const Relation *relations_with_id(const Relations *relations, const char *id)
{
	guint index = GPOINTER_TO_UINT(g_hash_table_lookup(relations->by_id, id));
	return index > 0 ? &g_array_index(relations->list, Relation, index - 1) : NULL;
}

const Relation *relations_of_type(const Relations *relations, const char *type, guint *position)
{
	while (*position < relations->list->len) {
		const Relation *relation = &g_array_index(relations->list, Relation, (*position)++);
		if (!relation->external && strcmp(relation->type, type) == 0)
			return relation;
	}
	return NULL;
}

typedef struct {
	const char *part;
	char *type;
} TypeReader;

static bool on_type(void *user, unsigned element, const XmlAttributes *attributes)
{
	TypeReader *reader = user;
	if (element != OVERRIDE_TYPE)
		return true;
	g_autofree char *name = xml_attribute_dup(attributes, 0, "PartName");
	if (!name || g_ascii_strcasecmp(name + (*name == '/'), reader->part) != 0)
		return true;
	reader->type = xml_attribute_dup(attributes, 0, "ContentType");
	return false;
}

char *package_content_type(ZipParts *zip, const char *part)
{
	static const XmlEvents events = {.start = on_type};
	TypeReader reader = {part, NULL};

	if (zip_part_begin(zip, "[Content_Types].xml"))
		xml_read(&ooxml_vocabulary, &events, &reader, zip_part_read, zip);
	return reader.type;
}
