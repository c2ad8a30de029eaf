/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ole.h - what the readers of old Microsoft Office files share
 *
 * The container is a compound file (MS-CFB), which libgsf opens; each reader takes whole streams
 * and reads their records itself. All numbers in them are little-endian. */
#pragma once
#include "extractors/bytes.h"
#include "extractors/charset.h"
#include "extractors/extractor.h"
#include "extractors/flow.h"
#include <gsf/gsf-infile.h>

typedef struct {
	const Input *in;
	Sink *sink;
	GsfInfile *root;
	Flow flow;
} Ole;

/* A stream or storage in a storage, whatever the case of its name; NULL if there is none. Yours. */
GsfInput *ole_child(GsfInfile *storage, const char *name);
/* A whole stream of a storage, cut at 256 MiB; data NULL if it is not there. Yours. */
Bytes ole_stream(GsfInfile *storage, const char *name);
/* An inner storage, or NULL. Yours. */
GsfInfile *ole_storage(GsfInfile *storage, const char *name);

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

/* One for each kind of file. */
ExtractResult word_extract(Ole *ole);
ExtractResult book_extract(Ole *ole);
ExtractResult slides_extract(Ole *ole);
ExtractResult message_extract(Ole *ole);
ExtractResult hangul_extract(Ole *ole);

/* Files of before the container, as they are: root is NULL. */
ExtractResult book_extract_bare(Ole *ole);
ExtractResult word_extract_bare(Ole *ole);
