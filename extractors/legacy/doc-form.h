/* SPDX-License-Identifier: GPL-3.0-or-later */
/* doc-form.h - drop-down lists in forms of Word 97 to 2003 (MS-DOC 2.9.78 "FFData")
 *
 * The field has no result: the entries and the number of the chosen one are in the stream Data. */
#pragma once
#include "extractors/legacy/legacy.h"

/* Returns the chosen entry of the list at this place in the stream. NULL: there is no list. The
 * caller frees it. */
char *doc_form_choice(Bytes stream, size_t place);
