/* SPDX-License-Identifier: GPL-3.0-or-later */
/* main-content.h - where the main content of a web page lies
 *
 * A light tree of the page's containers is scored by the text of its paragraphs: length and commas
 * count for a container, links and names of classes such as "sidebar" against it. The best
 * container, with what belongs to it beside it, is the content, less the parts inside that are
 * mostly links (the method that Readability made known). Linear in the size of the page; memory
 * bounded by the number of containers. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

typedef struct Content Content;

/* text: the whole page. NULL: no part stands out, all is content. The text must outlive it. */
Content *content_find(const char *text, size_t length);
void content_free(Content *content);
/* at: a place in the text, never before the one that was asked for last. */
bool content_has(Content *content, const char *at);
