/* SPDX-License-Identifier: GPL-3.0-or-later */
/* browse-request.h - a request that has been let in, and its answer
 *
 * The thread that speaks HTTP fills in the question and the main thread the answer; never both at
 * once. Fields come from outside: all that is known of them is that they are UTF-8 without NUL and
 * of a bounded length. */
#pragma once
#include <glib.h>
#include <stdbool.h>

typedef struct {
	char *path; /* as asked: "/", "/hits" */
	GHashTable *fields; /* char * -> char *: of the query and the body, decoded */
	bool action; /* it was posted */
	unsigned load; /* browse_life_page() of the page that it asks for; 0: it asks for none */
	struct BrowseOpening *opening; /* a viewer is being started for it (browse-open.h) */
	struct BrowseDrawing *drawing; /* its picture is being drawn (browse-picture.h) */
	gint superseded; /* atomic: the page has asked anew, and nobody waits for the answer */
	/* the answer */
	unsigned status; /* of HTTP */
	GString *body;
	const char *type; /* MIME type with parameters; NULL: HTML */
} BrowseRequest;

/* The value of a field; "" if there is none. Borrowed. */
const char *browse_field(const BrowseRequest *request, const char *name);
bool browse_has_field(const BrowseRequest *request, const char *name);
/* A decimal number of at most max; preset if it is none. */
unsigned browse_number(
        const BrowseRequest *request, const char *name, unsigned preset, unsigned max);
