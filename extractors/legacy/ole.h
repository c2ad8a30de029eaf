/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ole.h - what the readers of old Microsoft Office files share
 *
 * The container is a compound file (MS-CFB), which libgsf opens; each reader takes whole streams
 * and reads their records itself. All numbers in them are little-endian. */
#pragma once
#include "extractors/charset.h"
#include "extractors/extractor.h"
#include "extractors/flow.h"
#include <gsf/gsf-infile.h>
#include <string.h>

/* Bytes of a stream or a part of it; nothing outside is ever read. */
typedef struct {
	const uint8_t *data;
	size_t size;
} Bytes;

typedef struct {
	const Input *in;
	Sink *sink;
	GsfInfile *root;
	Flow flow;
} Ole;

/* 0 where it would be outside. */
static inline uint32_t le16(Bytes b, size_t at)
{
	return at < b.size && b.size - at >= 2 ? b.data[at] | b.data[at + 1] << 8 : 0;
}

static inline uint32_t le32(Bytes b, size_t at)
{
	return le16(b, at) | (at < b.size && b.size - at >= 4 ? le16(b, at + 2) << 16 : 0);
}

static inline uint64_t le64(Bytes b, size_t at)
{
	return le32(b, at) | (uint64_t)le32(b, at + 4) << 32;
}

/* The part from at on, of at most so many bytes; cut to what is there. */
static inline Bytes bytes_part(Bytes b, size_t at, size_t size)
{
	if (at >= b.size)
		return (Bytes){NULL, 0};
	return (Bytes){b.data + at, MIN(size, b.size - at)};
}

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
