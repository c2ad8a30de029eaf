/* SPDX-License-Identifier: GPL-3.0-or-later */
/* meaning-notes.h - tells what latent semantics (index/search/meaning-share.h) did in an answer */
#pragma once
#include "index/search/search.h"
#include "ui-cli/app/cli.h"

/* For --explain: the share in the score of each hit, or why there is none. offset: of the page. */
void meaning_notes_explain(const Cli *cli, const SearchResult *result, unsigned offset);
