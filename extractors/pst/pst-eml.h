/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pst-eml.h - writes a message (RFC 5322, MIME) that the mail plugin can read */
#pragma once
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* Appends a header with UTF-8 text as encoded words (RFC 2047); nothing if value is NULL or "". */
void eml_text(GString *out, const char *name, const char *value);
/* Appends "Name <address>"; either may be NULL. An address without an at sign is left out. */
void eml_person(GString *out, const char *name, const char *address, const char *header);
/* filetime: in 100 ns since 1601; 0: no date. */
void eml_date(GString *out, uint64_t filetime);
void eml_id(GString *out, const char *id);
/* Appends a plain text that precedes the body; before eml_body(), which may be missing. */
void eml_text_part(GString *out, const char *text, size_t size);
/* Appends the last part, or the only one, and ends the message. */
void eml_body(GString *out, const char *type, const uint8_t *data, size_t size);
