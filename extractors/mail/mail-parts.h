/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mail-parts.h - walks the MIME tree of a message: texts go into the document, other parts become
 * members */
#pragma once
#include "extractors/shared/extractor.h"
#include <gmime/gmime.h>

typedef struct {
	Sink *sink;
	const ExtractLimits *limits;
	GHashTable *names; /* names of the members sent -> how often each was requested */
	GPtrArray *attachments; /* char *: the names of the files sent */
	int64_t mtime_ns; /* of the message: its attachments have no time of their own; 0: unknown
	                   */
	unsigned parts; /* number of leaf parts so far */
	size_t weighed; /* bytes of text compared, to choose between forms of a text */
	bool any; /* something was sent */
	bool full; /* the sink is full */
} Parts;

void parts_init(Parts *parts, Sink *sink, const ExtractLimits *limits);
void parts_clear(Parts *parts);
void parts_send(Parts *parts, GMimeObject *root);
/* Sends the names of the attached files as text of the message: people remember who sent a file,
 * and its name. */
void parts_send_attachments(Parts *parts);

typedef struct {
	bool flowed, delsp; /* RFC 3676 */
} BodyForm;
/* Sends a plain text, and the uuencoded files in it as members. Changes bytes. */
void parts_send_plain(Parts *parts, GByteArray *bytes, const char *charset, BodyForm form);
