/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hyperlink.h - hyperlinks in binary Office files (MS-OSHARED 2.3.7) */
#pragma once
#include "extractors/shared/bytes.h"

typedef struct {
	char *target; /* "address#place"; NULL: within the document, or of an unknown kind */
	char *shown; /* its display text, or NULL */
} Hyperlink;

/* object: the Hyperlink Object. The caller frees the strings. */
Hyperlink hyperlink_read(Bytes object);
