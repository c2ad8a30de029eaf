/* SPDX-License-Identifier: GPL-3.0-or-later */
/* html-entity.h - character references of HTML */
#pragma once
#include "extractors/html/html-token.h"
#include <glib.h>

/* Appends the text with its references resolved: numbers (those of windows-1252 as browsers take
 * them), the names of HTML 4 and the common ones of HTML 5. Anything else stays as it is.
 * in_attribute: a name without ';' before '=' or a letter is none. */
void entity_append(GString *out, Span text, bool in_attribute);
