/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pst-eml.h - writes a message (RFC 5322, MIME) for the mail plugin to read */
#pragma once
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* A header of UTF-8 text as encoded words (RFC 2047); nothing for NULL or "". */
void eml_text(GString *out, const char *name, const char *value);
/* "Name <address>"; either may be NULL. Without a place for an at sign the address is left out. */
void eml_person(GString *out, const char *name, const char *address, const char *header);
/* From 100 ns since 1601, 0: none. */
void eml_date(GString *out, uint64_t filetime);
void eml_id(GString *out, const char *id);
/* The only part and the end. */
void eml_body(GString *out, const char *type, const uint8_t *data, size_t size);
