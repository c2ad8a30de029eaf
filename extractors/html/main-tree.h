/* SPDX-License-Identifier: GPL-3.0-or-later */
/* main-tree.h - a light tree of the containers of a page, in which its main content is looked for
 *
 * A node is an element that starts a block. Its counts are its own until content_sum_subtrees() has
 * added those of its descendants. Time is linear in the size of the page; memory is bounded by the
 * number of nodes. */
#pragma once
#include "extractors/html/html-element.h"
#include "extractors/html/html-token.h"
#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

enum { MAX_DEPTH = 256, LINE_BYTES = 120 };

typedef struct {
	char name[TOKEN_MAX_NAME];
	const char *from, *to;
	const char *own_end; /* where its last own text of some length ends; NULL: it has none */
	int parent; /* -1: none */
	ElementKind kind;
	unsigned text,
	        /* bytes of all text and of link text; first the node's own, then those of its
	         * subtree */
	        link;
	unsigned prose; /* bytes of long lines that are not links, in its subtree */
	unsigned own; /* bytes of text directly in it */
	unsigned commas, paragraphs, items, pictures;
	unsigned titles, linked_titles; /* headings of level 1; those that are links */
	unsigned inputs; /* those of a form count for the form alone */
	unsigned fields; /* inputs to write into, wherever they are */
	guint names; /* hash of its classes; 0: it has none */
	int weight;
	unsigned beneath; /* the same before containers with unlikely names are removed */
	bool unlikely, comments, consent, removed, chosen;
	bool hidden; /* by an attribute, until a script shows it */
	bool service; /* its names say that it serves the page: byline, share, related */
	bool declared; /* the page says that it is the body of its article */
	char line[LINE_BYTES]; /* the beginning of its own text */
	unsigned line_used; /* bytes of it */
	unsigned line_size, line_link; /* bytes of its own text and links, never summed */
	double score;
} Node;

typedef struct {
	GArray *nodes;
	int stack[MAX_DEPTH];
	unsigned depth;
	unsigned links;
	HtmlSpan declared; /* the script that declares the text of the article; NULL: none */
	bool script; /* the next raw text is a script of structured data */
	bool article; /* the page says that it is an article */
	bool strict; /* containers with unlikely names are removed */
	const char *end;
} ContentTree;

static inline Node *node_at(const ContentTree *tree, int i)
{
	return &g_array_index(tree->nodes, Node, i);
}

static inline double link_density(const Node *node)
{
	return node->text > 0 ? (double)node->link / node->text : 0;
}

bool node_is_named(const Node *node, const char *const *names);
/* A long line that is mostly not links. */
bool node_is_prose(const Node *node);
/* More fields than a third of its paragraphs: a form rather than a text. */
bool node_is_form(const Node *node);
/* Adds the containers of a page to an empty tree. */
void content_build(ContentTree *tree, const char *text, size_t length);
/* Adds the counts of each node to its ancestors. A removed node is removed with its subtree and
 * counts for no ancestor. */
void content_sum_subtrees(ContentTree *tree);
/* Removes a node with its subtree, and takes its counts from its ancestors. */
void tree_remove(ContentTree *tree, guint at);
