/* SPDX-License-Identifier: GPL-3.0-or-later */
/* doc-body.h - the running text of a web page, apart from its headline and its pictures
 *
 * The headline of a page is its title, and captions and alternative texts speak of pictures: both
 * are searched, and neither is part of the running text. */
#pragma once
#include "common/base/document.h"
#include <stdbool.h>

/* One value for each run of the document: is it running text? NULL: the document is not a web page.
 * The caller frees it. */
bool *doc_body_find(const Document *doc);
