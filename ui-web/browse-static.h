/* SPDX-License-Identifier: GPL-3.0-or-later */
/* browse-static.h - the files of the page that never change: they are a part of the program */
#pragma once

typedef struct {
	const char *path; /* "/page.css" */
	const char *type; /* of HTTP */
	const char *text;
} BrowseStatic;

/* NULL: there is no such file. Static. */
const BrowseStatic *browse_static_find(const char *path);
