/* SPDX-License-Identifier: GPL-3.0-or-later */
/* export-document.h - the lines of the stream of documents (docs/EXPORT.md) */
#pragma once
#include "common/base/document.h"
#include "index/read/access-tokens.h"
#include "index/read/reader.h"

/* Appends one element of "places": a path of the document, and who may read it there. words: with
 * the words of its name. */
void export_append_place(GString *out, const Info *info, const AccessList *access, bool words);

typedef struct {
	const char *instance; /* reader_identity() */
	int64_t content; /* that it belongs to */
	const char *places; /* the elements, as they were appended */
	bool text; /* the text is wanted */
	bool words; /* the words are wanted (export-words.h) */
} ExportLine;
/* Appends the line of a document. doc: its text; NULL: there is none. */
void export_append_document(
        GString *out, const ExportLine *line, const Info *info, const Document *doc);
