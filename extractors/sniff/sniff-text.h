/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sniff-text.h - which kind of text it is */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Does it look like text in some charset: no control characters but white space and escapes. */
bool sniff_is_text(const uint8_t *data, size_t size);

/* The type of something that is text: mark-up, mail and scripts by their beginnings, then by the
 * name. Static; "text/plain" when nothing more can be told. */
const char *sniff_text_type(const uint8_t *data, size_t size, const char *name);

/* A message or a mailbox by its headers, whatever bytes the body has; NULL if it is none. In a file
 * with the name of a mail one header is enough. Static. */
const char *sniff_mail_type(const uint8_t *data, size_t size, const char *name);
