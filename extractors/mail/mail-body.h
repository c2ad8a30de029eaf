/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mail-body.h - the plain text of a message */
#pragma once
#include "extractors/shared/extractor.h"

/* Sends paragraphs; flowed: format=flowed (RFC 3676), whose soft line breaks are taken out; delsp:
 * with the space before them. False: the sink has enough. */
bool body_send(Sink *sink, const char *text, size_t length, bool flowed, bool delsp);
/* An ASCII-armoured PGP message instead of a text? */
bool body_is_encrypted(const char *text);
