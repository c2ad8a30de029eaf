/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shared-strings.h - the strings that cells of a workbook share */
#pragma once
#include "extractors/ooxml/ooxml.h"

typedef struct {
	GString *bytes; /* all strings, without separators */
	GArray *ends; /* uint32_t: end offset of each string */
	bool cut; /* some strings were dropped */
} SharedStrings;

void shared_strings_init(SharedStrings *strings);
void shared_strings_clear(SharedStrings *strings);
void shared_strings_read(Ooxml *ooxml, SharedStrings *strings, const char *part);
/* Decodes characters that a string of a workbook escapes, as "_x000D_" (ST_Xstring; ISO/IEC
 * 29500-1, 22.9.2.19), from this offset on. */
void xstring_decode(GString *text, size_t from);
/* Adds a string; sets cut when the limit is reached. */
void shared_strings_add(SharedStrings *strings, const char *text);
/* Returns a string, borrowed and not NUL-terminated; NULL if there is none. */
const char *shared_string(const SharedStrings *strings, unsigned index, size_t *length_r);
