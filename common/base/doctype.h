/* SPDX-License-Identifier: GPL-3.0-or-later */
/* doctype.h - the broad kind of a document: "type:" of a query, "kind" of the output */
#pragma once
#include <stddef.h>

typedef struct {
	const char *pattern; /* MIME type, or a prefix of one ended by a star */
	const char *type;
} DocType;

/* First match wins; the last row is a catch-all ("*", "other"). Folders have no MIME type:
 * "folder". */
extern const DocType doctypes[];
extern const size_t n_doctypes;

/* mime may be NULL or carry parameters. Static. */
const char *doctype_of(const char *mime);
