/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ooxml-package.h - parts of an Office Open XML package and their relationships (Open Packaging
 * Conventions, ECMA-376 part 2) */
#pragma once
#include "extractors/shared/zipparts.h"

typedef struct {
	char *id;
	char *type; /* last component of the type URI: "header", "slide" */
	char *target; /* part name without leading '/', or a URL if external */
	bool external;
} Relation;

typedef struct {
	GArray *list; /* Relation, in file order */
	GHashTable *by_id; /* id -> index + 1 */
} Relations;

/* Reads the relations of a part, or of the package if part is "". Never NULL. */
Relations *package_relations(ZipParts *zip, const char *part);
void relations_free(Relations *relations);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Relations, relations_free)

/* Returns the first relation with this id; NULL if there is none. */
const Relation *relations_with_id(const Relations *relations, const char *id);
/* Returns the next internal relation of a type at or after *position, and moves *position past
 * it. */
const Relation *relations_of_type(const Relations *relations, const char *type, guint *position);

/* Returns the content type that [Content_Types].xml assigns to this part, or NULL. The caller frees
 * it. */
char *package_content_type(ZipParts *zip, const char *part);
