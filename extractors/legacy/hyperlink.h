/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hyperlink.h - hyperlinks as Office keeps them in its binary files (MS-OSHARED 2.3.7) */
#pragma once
#include "extractors/shared/bytes.h"

typedef struct {
	char *target; /* "address#place"; or NULL: within the document, or not understood */
	char *shown; /* the text that it has, or NULL */
} Hyperlink;

/* object: the Hyperlink Object. The strings are yours. */
Hyperlink hyperlink_read(Bytes object);
