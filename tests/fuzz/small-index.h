/* SPDX-License-Identifier: GPL-3.0-or-later */
/* small-index.h - a small index to fuzz: five files in the root "/nowhere", in some languages,
 * four that exist below another root, and two pages of a site */
#pragma once
#include "common/base/document.h"

/* Makes the index and returns its directory, which is removed when the program ends. Only once. */
const char *small_index_make(void);

/* A document with this text in its body. language: NULL: unknown. */
Document *small_index_document(const char *text, const char *language);
