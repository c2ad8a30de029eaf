/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/legacy/doc-form.h"

enum {
	HEAD_BYTES = 0x44,
	NAME_AT = 10, /* in the data of the field */
	KIND_LIST = 2,
	NO_CHOICE = 25,
	TEXTS_BEFORE_LIST = 5, /* format, two helps, two macros */
	MAX_ENTRIES = 25,
};

/* Returns the position after a text with a length and a NUL. */
static size_t after_form_text(Bytes form, size_t at)
{
	return at + 2 + 2 * (size_t)le16(form, at) + 2;
}

/* The list follows: a mark, the number of entries, and each entry with its length. */
static char *form_entry(Bytes form, size_t at, unsigned wanted)
{
	unsigned count = MIN(le16(form, at + 2), MAX_ENTRIES);
	if (le16(form, at) != 0xffff || wanted >= count)
		return NULL;
	at += 6;
	for (unsigned i = 0; i < wanted; i++)
		at += 2 + 2 * (size_t)le16(form, at);
	GString *entry = g_string_new(NULL);
	put_utf16(entry, bytes_part(form, at + 2, 2 * (size_t)le16(form, at)));
	return g_string_free(entry, FALSE);
}

char *doc_form_choice(Bytes stream, size_t place)
{
	Bytes form =
	        bytes_part(bytes_part(stream, place, le32(stream, place)), HEAD_BYTES, SIZE_MAX);
	unsigned bits = le16(form, 4);
	if (le16(stream, place + 4) != HEAD_BYTES || le32(form, 0) != UINT32_MAX ||
	        (bits & 3) != KIND_LIST)
		return NULL;
	size_t at = after_form_text(form, NAME_AT);
	unsigned choice = bits >> 2 & 0x1f;
	if (choice == NO_CHOICE)
		choice = le16(form, at);
	at += 2;
	for (unsigned i = 0; i < TEXTS_BEFORE_LIST; i++)
		at = after_form_text(form, at);
	return form_entry(form, at, choice);
}
