/* SPDX-License-Identifier: GPL-3.0-or-later */
/* uuencoded.h - takes files that uuencode wrote out of a text (POSIX; the historical form and
 * Base64)
 *
 *	begin 644 NAME
 *	M<V]M92!B>71E<P``
 *	`
 *	end
 *
 * A file ends at the first line that is not part of it; of a truncated file the existing bytes are
 * taken. */
#pragma once
#include <glib.h>
#include <stdbool.h>

/* Receives a file; it owns name, and bytes is borrowed. False: stop. */
typedef bool UuFile(char *name, const GByteArray *bytes, void *data);

/* Removes the files from text, in order, and passes them to file. */
void uu_take(GByteArray *text, UuFile *file, void *data);
