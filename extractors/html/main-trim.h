/* SPDX-License-Identifier: GPL-3.0-or-later */
/* main-trim.h - takes out of the main content what serves the page and not its reader
 *
 * Bylines, dates, credits, buttons, tags, prompts and the lists of other articles stand inside the
 * best container. They are told by their names, by fixed phrases (html-phrases.h) and by their
 * place: short lines before the first and after the last paragraph. */
#pragma once
#include "extractors/html/main-tree.h"

/* Clears chosen of such nodes. Call it after the content has been chosen. */
void content_trim(ContentTree *tree);
