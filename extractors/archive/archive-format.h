/* SPDX-License-Identifier: GPL-3.0-or-later */
/* archive-format.h - which archive formats and filters are read, and what is peculiar to them */
#pragma once
#include <archive.h>
#include <stdbool.h>
#include <stdint.h>

/* A reader of all formats that need nothing but the bytes: no external programs, no mtree (which
 * opens the files it names). zip_directory: a zip is read by the directory at its end; without, one
 * that lies at the end of another archive is not mistaken for the whole. */
struct archive *format_reader(bool zip_directory);
/* A reader of the filters alone: one member. */
struct archive *format_raw_reader(void);
/* What the library reads from the system once: time zone and character tables. */
const char *format_preload(void);

/* After a header was read, or failed to be: */
bool format_is_zip(struct archive *archive);
bool format_is_lha(struct archive *archive);
/* No format and no filter matched: these bytes are no archive. */
bool format_is_none(struct archive *archive);
/* Members behind one that broke it off can be read by beginning again. */
bool format_can_resume(struct archive *archive);
/* A member can be passed without unpacking it. */
bool format_skips_freely(struct archive *archive);

/* The library takes names of LHA, which may have any charset, for ISO 8859-1, and tells them in
 * UTF-8. The bytes again; yours. */
char *format_raw_name(const char *name);
/* Name of the content of a single compressed file: "notes.txt.gz" -> "notes.txt". Yours. */
char *format_inner_name(const char *name);
/* Time of MS-DOS, its date in the upper half, in nanoseconds since 1970; 0: none. */
int64_t format_dos_time(uint32_t dos);
