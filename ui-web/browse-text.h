/* SPDX-License-Identifier: GPL-3.0-or-later */
/* browse-text.h - the text of a document as it is indexed, with the words of the query marked
 *
 * Fields: id (browse-target.h), q, in and typed as browse-search.h has them, page (of the
 * document), part. A long text is shown in parts, of which the first one is that with the page, or
 * else with the first match. */
#pragma once
#include "ui-web/browse-worker.h"

enum { TEXT_PART_BYTES = 64 << 10 };

/* Appends title, facts, buttons and text; *title_r is what the document is called, which the caller
 * frees. False: the answer says why there is none. */
bool browse_text_append(BrowseWorker *worker, GString *out, char **title_r);
