/* SPDX-License-Identifier: GPL-3.0-or-later */
/* html-entity.h - character references of HTML */
#pragma once
#include "extractors/html/html-token.h"
#include <glib.h>

/* Appends the text with its references resolved: numbers (128 to 159 as windows-1252), names of
 * HTML 4 and the common names of HTML 5. Anything else stays as it is. in_attribute: a name without
 * ';' before '=' or a letter is not a reference. */
void entity_append(GString *out, HtmlSpan text, bool in_attribute);
