/* SPDX-License-Identifier: GPL-3.0-or-later */
/* html-phrases.h - tells lines that serve a page from lines of its text
 *
 * Pages say in a few fixed phrases who wrote a text and when, where else to go, and that comments
 * and newsletters exist. Phrases of the most common languages of the web are known. A line is UTF-8
 * with single spaces, possibly cut; it is judged by its beginning, its length and its signs, so a
 * sentence that begins with such a phrase is not one of them. */
#pragma once
#include <stdbool.h>

/* A byline, a date, a credit, a list of tags, a prompt to read, share, subscribe or comment. */
bool phrase_is_service(const char *line);
/* A notice of copyright, of rules for comments or of cookies, or data of a script; of any length.
 */
bool phrase_is_notice(const char *line);
/* The heading of a part that is not of the text: other articles, comments, newsletters. */
bool phrase_ends_text(const char *line);
/* "14 comments": readers write below this heading. */
bool phrase_begins_comments(const char *line);
