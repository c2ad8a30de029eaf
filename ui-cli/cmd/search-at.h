/* SPDX-License-Identifier: GPL-3.0-or-later */
/* search-at.h - "tarsier search --at NAME": a search of what a target of exports has */
#pragma once
#include "ui-cli/app/cli.h"
#include "ui-cli/print/printer.h"

/* Searches the target of the section [export NAME]. Returns the exit code. */
int search_at(Cli *cli);

/* ---- of cmd-search.c */
/* The output format; NULL if no hits are printed. */
const Printer *cmd_search_choose_printer(const Cli *cli);
/* The options of the search. */
SearchOptions cmd_search_options(Cli *cli);
/* Tells what of the query was left out or read otherwise, and which hits are shown. */
void cmd_search_note_reading(const Cli *cli, const Query *query);
void cmd_search_note_page(const Cli *cli, const SearchResult *result, unsigned offset);
