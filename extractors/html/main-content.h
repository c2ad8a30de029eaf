/* SPDX-License-Identifier: GPL-3.0-or-later */
/* main-content.h - finds the main content of a web page
 *
 * A light tree of the page's containers is scored by the text of their paragraphs: length and
 * commas count for a container, links and class names such as "sidebar" against it. The best
 * container and related siblings are the content, without inner parts that are mostly links. This
 * is the method of Mozilla's Readability. Time is linear in the size of the page; memory is bounded
 * by the number of containers. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

typedef struct Content Content;

/* text: the whole page, which must outlive the result. NULL: no part is clearly the main content,
 * so everything is content. */
Content *content_find(const char *text, size_t length);
void content_free(Content *content);
/* at: a position in the text, never before that of the previous call. */
bool content_has(Content *content, const char *at);
