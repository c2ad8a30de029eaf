/* SPDX-License-Identifier: GPL-3.0-or-later */
/* uuencoded.h - files that stand in a text as uuencode writes them (POSIX), the old way and by
 *Base64
 *
 *	begin 644 NAME
 *	M<V]M92!B>71E<P``
 *	`
 *	end
 *
 * A file ends at the first line that is none of it; of one that was cut what is there is taken. */
#pragma once
#include <glib.h>
#include <stdbool.h>

/* A file; name is yours, bytes are lent. False: no more. */
typedef bool UuFile(char *name, const GByteArray *bytes, void *data);

/* Takes them out of text, in order. */
void uu_take(GByteArray *text, UuFile *file, void *data);
