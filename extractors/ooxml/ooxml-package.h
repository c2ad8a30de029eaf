/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ooxml-package.h - parts of an Office Open XML package and how they refer to each other
 * (Open Packaging Conventions, ECMA-376 part 2) */
#pragma once
#include "extractors/shared/zipparts.h"

typedef struct {
	char *id;
	char *type; /* last component of the type's URI: "header", "slide" */
	char *target; /* name of a part without leading '/', or a URL if external */
	bool external;
} Relation;

typedef struct {
	GArray *list; /* Relation, in the order of the file */
	GHashTable *by_id; /* id -> index + 1 */
} Relations;

/* Of a part, or of the package itself when part is "". Never NULL. */
Relations *package_relations(ZipParts *zip, const char *part);
void relations_free(Relations *relations);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Relations, relations_free)

/* The first relation with this id; NULL if there is none. */
const Relation *relations_with_id(const Relations *relations, const char *id);
/* The next internal relation of a type, from *position on, which is moved past it. */
const Relation *relations_of_type(const Relations *relations, const char *type, guint *position);

/* Content type of a part as [Content_Types].xml overrides it, or NULL. Yours. */
char *package_content_type(ZipParts *zip, const char *part);
