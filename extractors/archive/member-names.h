/* SPDX-License-Identifier: GPL-3.0-or-later */
/* member-names.h - names of members in a charset that the archive does not declare
 *
 * Windows writes names into zip in the code page of DOS, tar and lha have those of the system that
 * made them. One name is too short to tell its charset, therefore it is guessed from many. */
#pragma once
#include "extractors/charset/charset.h"
#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct {
	GString *sample; /* names that are not UTF-8, each with a newline; NULL: none yet */
	const Charset *charset; /* NULL: unknown */
	size_t guessed_at; /* length of the sample that it was guessed from */
	bool read_ahead; /* the sample has the names of the whole archive */
} MemberNames;

/* Adds a name to the sample if it is not UTF-8. False: the sample is full. */
bool member_names_add(MemberNames *names, const char *name);
/* Returns the name in UTF-8, or its bytes if its charset is unknown; the caller frees it. zip: the
 * code pages of DOS come first. The charset is guessed again whenever the sample has doubled, so
 * that a million names cost little. */
char *member_names_decode(MemberNames *names, const char *name, bool zip);
void member_names_clear(MemberNames *names);
