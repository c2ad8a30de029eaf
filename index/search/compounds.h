/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compounds.h - words of the index that begin or end with a word that is missing: Sommerfest for
 * Sommer, Apfelkuchen for Kuchen */
#pragma once
#include "index/read/reader-private.h"

/* Returns words that begin with this one of at least five letters and are two letters longer or
 * more, the most frequent first. There are none if a word is one letter longer: then the last
 * letter was left out. They come from texts and names, or from names alone. GPtrArray of char *
 * that the caller owns; NULL with error. Call it between reader_begin() and reader_end(). */
GPtrArray *compounds_of(Reader *r, const char *word, bool only_names, GError **error);
/* The same for words that end with this one, after three letters or more. Of a vocabulary of more
 * than a million words, the first ones are looked at. */
GPtrArray *compounds_ending(Reader *r, const char *word, bool only_names, GError **error);
