/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ldif.h - entries of a directory in LDIF (RFC 2849), as address books export them */
#pragma once
#include "extractors/shared/extractor.h"

/* Sends the entries of a text in UTF-8: the name of each is a heading, other values for people are
 * blocks below it. A value that is not ASCII is in Base64 in such files; one that is no text
 * (pictures, keys) is left out, as are passwords. */
void ldif_send(Sink *sink, const char *text, size_t length);
