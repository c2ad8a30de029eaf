/* SPDX-License-Identifier: GPL-3.0-or-later */
/* browse-link.h - addresses of searches that differ from the one on the page */
#pragma once
#include "ui-web/browse-search.h"

/* Appends "?q=...&in=..." for the search with another text (NULL: its own), which goes on with
 * "&". */
void browse_link_append(GString *out, const BrowseSearch *search, const char *text);
/* Appends the address of the search within the hits whose field has a value. */
void browse_link_append_within(
        GString *out, const BrowseSearch *search, const char *field, const char *value);
