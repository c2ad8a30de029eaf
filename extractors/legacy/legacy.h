/* SPDX-License-Identifier: GPL-3.0-or-later */
/* legacy.h - shared by the readers of old Microsoft Office files
 *
 * Each reader takes whole streams of the container and parses their records itself. All numbers are
 * little-endian. */
#pragma once
#include "extractors/charset/charset.h"
#include "extractors/shared/flow.h"
#include "extractors/shared/olefile.h"

typedef struct {
	const Input *in;
	Sink *sink;
	GsfInfile *root;
	Flow flow;
} Ole;

/* Charset of a Windows code page number; windows-1252 if it is unknown. */
const Charset *code_page(unsigned number);
/* The default code page of a Windows language identifier. */
unsigned language_code_page(unsigned language);
/* Append text as UTF-8. */
void put_utf16(GString *out, Bytes text);
void put_encoded(GString *out, Bytes text, const Charset *charset);

/* Converts a FILETIME to "2026-03-01T10:00:00Z"; NULL if it is out of range. The caller frees
 * it. */
char *filetime_text(uint64_t filetime);

/* Sends the facts of the summary stream (MS-OLEPS), if there is one. */
void summary_read(Ole *ole);

/* Send texts in drawings as captions: in a list of records with `between` bytes between them; in
 * the pictures of a document, each after its header; in the property table of one shape. */
void drawings_read(Ole *ole, Bytes art, size_t between);
void pictures_read(Ole *ole, Bytes pictures);
void drawing_properties(Ole *ole, unsigned count, Bytes table);

/* Sends embedded documents as members: all storages whose names begin with prefix, in a storage
 * (NULL: the root). */
void objects_read(Ole *ole, const char *storage, const char *prefix);
/* Unpacks zlib data into out. False: the data is damaged or exceeds a limit; out has the bytes
 * before that. */
bool unpack_zlib(Ole *ole, Bytes in, bool raw, GByteArray *out);

/* One reader for each kind of file. */
ExtractResult word_extract(Ole *ole);
ExtractResult book_extract(Ole *ole);
ExtractResult slides_extract(Ole *ole);
ExtractResult slides_extract_dual(Ole *ole);
ExtractResult message_extract(Ole *ole);
ExtractResult hangul_extract(Ole *ole);

/* Files from before the container format: root is NULL. */
ExtractResult book_extract_bare(Ole *ole);
ExtractResult word_extract_bare(Ole *ole);
