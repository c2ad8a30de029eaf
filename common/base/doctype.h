/* SPDX-License-Identifier: GPL-3.0-or-later */
/* doctype.h - the broad kind of a document: "type:" in a query, "kind" in the output */
#pragma once
#include <stddef.h>

typedef struct {
	const char *pattern; /* a MIME type, or a prefix that ends with "*" */
	const char *type;
} DocType;

/* The first matching row wins; the last row ("*", "other") matches everything. Folders have no MIME
 * type; their type is "folder". */
extern const DocType doctypes[];
extern const size_t n_doctypes;

/* The type that a MIME type belongs to. mime may be NULL and may carry parameters. The result is
 * static. */
const char *doctype_of(const char *mime);
