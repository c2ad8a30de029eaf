/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mail-body.h - sends the plain text of a message */
#pragma once
#include "extractors/shared/extractor.h"

/* Sends paragraphs. flowed: format=flowed (RFC 3676), soft line breaks are removed; delsp: together
 * with the space before them. False: the sink is full. */
bool body_send(Sink *sink, const char *text, size_t length, bool flowed, bool delsp);
/* True if the text is an ASCII-armoured PGP message. */
bool body_is_encrypted(const char *text);
