/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mail-parts.h - the MIME tree of a message: texts into the document, the rest as members */
#pragma once
#include "extractors/shared/extractor.h"
#include <gmime/gmime.h>

typedef struct {
	Sink *sink;
	const ExtractLimits *limits;
	GHashTable *names; /* of the members sent, and how often each was wanted */
	unsigned parts; /* leaves met so far */
	bool any; /* something was sent */
	bool full; /* the sink has enough */
} Parts;

void parts_init(Parts *parts, Sink *sink, const ExtractLimits *limits);
void parts_clear(Parts *parts);
void parts_send(Parts *parts, GMimeObject *root);

typedef struct {
	bool flowed, delsp; /* RFC 3676 */
} BodyForm;
/* A plain text, and the files that stand in it; changes bytes. */
void parts_send_plain(Parts *parts, GByteArray *bytes, const char *charset, BodyForm form);
