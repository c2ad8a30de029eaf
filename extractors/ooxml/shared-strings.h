/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shared-strings.h - the texts that the cells of a workbook share */
#pragma once
#include "extractors/ooxml/ooxml.h"

typedef struct {
	GString *bytes; /* one after the other, without separators */
	GArray *ends; /* uint32_t: end of each in bytes */
	bool cut; /* there were too many */
} SharedStrings;

void shared_strings_init(SharedStrings *strings);
void shared_strings_clear(SharedStrings *strings);
void shared_strings_read(Ooxml *ooxml, SharedStrings *strings, const char *part);
/* One more; sets cut when there are enough. */
void shared_strings_add(SharedStrings *strings, const char *text);
/* Borrowed, not NUL-terminated; NULL if there is none. */
const char *shared_string(const SharedStrings *strings, unsigned index, size_t *length_r);
