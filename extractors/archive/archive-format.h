/* SPDX-License-Identifier: GPL-3.0-or-later */
/* archive-format.h - the archive formats and filters that are read, and their peculiarities */
#pragma once
#include <archive.h>
#include <stdbool.h>
#include <stdint.h>

/* Returns a reader of all formats that need only the bytes: no external programs, and no mtree
 * (which opens the files that it names). With zip_directory a zip is read by the directory at its
 * end. Without it, a zip at the end of another archive is not mistaken for the whole. */
struct archive *format_reader(bool zip_directory);
/* Returns a reader that applies filters only: the archive has one member. */
struct archive *format_raw_reader(void);
/* Loads what the library reads from the system once: the time zone and character tables. */
const char *format_preload(void);

/* These can be called after a header was read or could not be read. */
bool format_is_zip(struct archive *archive);
bool format_is_lha(struct archive *archive);
/* True if no format and no filter matched: the bytes are not an archive. */
bool format_is_none(struct archive *archive);
/* True if the members after a member that stopped the reader can be read by a new reader. */
bool format_can_resume(struct archive *archive);
/* True if a member can be skipped without unpacking it. */
bool format_skips_freely(struct archive *archive);

/* Names in LHA may have any charset. The library takes them for ISO 8859-1 and returns UTF-8; this
 * function returns the original bytes. The caller owns them. */
char *format_raw_name(const char *name);
/* Returns the name of the content of a single compressed file: "notes.txt.gz" -> "notes.txt". The
 * caller owns it. */
char *format_inner_name(const char *name);
/* Converts a time of MS-DOS, with the date in the upper half, to nanoseconds since 1970; 0:
 * none. */
int64_t format_dos_time(uint32_t dos);
