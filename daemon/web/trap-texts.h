/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trap-texts.h - pages of a branch that say what other pages of it have said
 *
 * The pages of a calendar, or of a list with facets, differ in few words, and the words are those
 * of other pages. An archive of similar pages, such as minutes or recipes, has pages that are near
 * copies of each other too, but each of them has words of its own. So a page is poor if it is a
 * near copy (index/text/near.h) of an earlier page of its branch (traps.h), and none of its words
 * is new to those that were near copies before. Words with digits, and those of its URL, are no
 * words here: dates, counters, and what a page repeats of its address.
 *
 * Only a few branches and pages are in memory, the last ones; what was counted is in rows. */
#pragma once
#include "common/base/document.h"
#include "index/text/near.h"

typedef struct TrapTexts TrapTexts;
TrapTexts *trap_texts_new(void);
void trap_texts_free(TrapTexts *texts);
/* Is the page poor? A page that comes again is not. print: of doc. */
bool trap_texts_add(TrapTexts *texts, const char *origin, const char *path, const NearPrint *print,
        const Document *doc);
