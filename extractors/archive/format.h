/* SPDX-License-Identifier: GPL-3.0-or-later */
/* format.h - which archive formats and filters are read, and what is peculiar to them */
#pragma once
#include <archive.h>
#include <stdbool.h>

/* A reader of all formats that need nothing but the bytes: no external programs, no mtree (which
 * opens the files it names). by_headers: zip from its local headers only. */
struct archive *format_reader(bool by_headers);
/* What the library reads from the system once: time zone and character tables. */
const char *format_preload(void);

/* After a header was read, or failed to be: */
bool format_is_zip(struct archive *archive);
bool format_is_warc(struct archive *archive);
/* No format and no filter matched: these bytes are no archive. */
bool format_is_none(struct archive *archive);
/* A member can be passed without unpacking it. */
bool format_skips_freely(struct archive *archive);

/* Name of the content of a single compressed file: "notes.txt.gz" -> "notes.txt". Yours. */
char *format_inner_name(const char *name);
