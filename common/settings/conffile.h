/* SPDX-License-Identifier: GPL-3.0-or-later */
/* conffile.h - the lines of a configuration file
 *
 * Syntax of GKeyFile (Desktop Entry Specification): "[section]", "name = value", "# comment", blank
 * lines. Space around names and values does not count. In values and in section names \s \n \t \r
 * \\ stand for space, newline, tab, return and backslash, \; for a semicolon inside an item of a
 * list. Values are raw bytes without NUL (paths). Own code, not GKeyFile, because messages name
 * lines and edits keep comments. */
#pragma once
#include <glib.h>
#include <stdbool.h>

enum { CONFFILE_MAX_BYTES = 1 << 20 };

typedef enum { CONF_NOTHING, CONF_SECTION, CONF_ENTRY } ConfKind;

typedef struct {
	ConfKind kind; /* CONF_NOTHING: blank or comment */
	unsigned number; /* from 1 */
	gsize offset, length; /* bytes in the text, newline included */
	char *section; /* the one the line is in (or begins), unescaped */
	char *name, *value; /* CONF_ENTRY; value still escaped */
} ConfLine;

/* Reads a regular file of at most CONFFILE_MAX_BYTES. *text_r NULL: there is no such file. Fails
 * (SETTINGS_ERROR_FILE) if it belongs to another user but root or everybody may write to it. */
bool conffile_read(const char *path, GString **text_r, GError **error);
/* All lines as ConfLine, or NULL with SETTINGS_ERROR_SYNTAX. path is for messages. */
GArray *conffile_parse(const char *path, const char *text, gsize length, GError **error);

/* One value without its escapes; NULL with SETTINGS_ERROR_VALUE if an escape is unknown. */
char *conffile_unescape(const char *value, GError **error);
/* A list: items end with ";", the last one need not. Space around items does not count; empty items
 * are left out. */
char **conffile_unescape_list(const char *value, GError **error);
/* The other way. */
char *conffile_escape(const char *item);
