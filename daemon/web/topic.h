/* SPDX-License-Identifier: GPL-3.0-or-later */
/* topic.h - what a page and a link have to do with the topic of a focused crawl
 *
 * The topic is the words of a query and their English forms. Scores are from 0 to 1. (S.
 * Chakrabarti, M. van den Berg, B. Dom, "Focused crawling: a new approach to topic-specific web
 * resource discovery", Computer Networks 31, 1999; the link's own words as evidence: J. Cho, H.
 * Garcia-Molina, L. Page, "Efficient crawling through URL ordering", WWW 1998.) */
#pragma once
#include "common/base/document.h"

typedef struct Topic Topic;

#define TOPIC_RELEVANT 0.75 /* a page with this score is about the topic */

/* Reads the words of a query; its operators and negated words do not count. At most 16 words. */
Topic *topic_new(const char *query);
void topic_free(Topic *topic); /* NULL is allowed */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Topic, topic_free)

/* The score of a page: how many of the words it has, each counting the more the more often it
 * occurs, in title and headings above all. */
double topic_of_page(const Topic *topic, const Document *doc);
/* The share of the words that a link has, in its anchor text (NULL: none) or its path. */
double topic_of_link(const Topic *topic, const char *anchor, const char *path);
