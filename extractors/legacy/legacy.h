/* SPDX-License-Identifier: GPL-3.0-or-later */
/* legacy.h - what the readers of old Microsoft Office files share
 *
 * Each reader takes whole streams of the container and reads their records itself. All numbers in
 * them are little-endian. */
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

/* Number of a Windows code page to its charset; windows-1252 where it is unknown. */
const Charset *code_page(unsigned number);
/* The usual code page of a Windows language identifier. */
unsigned language_code_page(unsigned language);
/* Append their UTF-8. */
void put_utf16(GString *out, Bytes text);
void put_encoded(GString *out, Bytes text, const Charset *charset);

/* "2026-03-01T10:00:00Z" of a FILETIME; NULL if it is none of ours. Yours. */
char *filetime_text(uint64_t filetime);

/* Facts of the summary stream (MS-OLEPS), if there is one. */
void summary_read(Ole *ole);

/* Words in drawings, as captions: in records one after the other with so many bytes between them;
 * in the pictures of a text, each behind its head; in a table of properties of one shape. */
void drawings_read(Ole *ole, Bytes art, size_t between);
void pictures_read(Ole *ole, Bytes pictures);
void drawing_properties(Ole *ole, unsigned count, Bytes table);

/* Documents in this document, as members of it: the storages in a storage (NULL: the outermost)
 * whose names begin so. */
void objects_read(Ole *ole, const char *storage, const char *prefix);
/* Unpacks zlib; false: it is damaged or too much, out has what came before. */
bool unpack_zlib(Ole *ole, Bytes in, bool raw, GByteArray *out);

/* One for each kind of file. */
ExtractResult word_extract(Ole *ole);
ExtractResult book_extract(Ole *ole);
ExtractResult slides_extract(Ole *ole);
ExtractResult message_extract(Ole *ole);
ExtractResult hangul_extract(Ole *ole);

/* Files of before the container, as they are: root is NULL. */
ExtractResult book_extract_bare(Ole *ole);
ExtractResult word_extract_bare(Ole *ole);
