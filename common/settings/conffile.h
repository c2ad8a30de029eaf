/* SPDX-License-Identifier: GPL-3.0-or-later */
/* conffile.h - reads and writes the lines of a configuration file
 *
 * The syntax is that of GKeyFile (Desktop Entry Specification): "[section]", "name = value", "#
 * comment", and blank lines. White space around names and values is ignored. In values and in
 * section names, \s \n \t \r \\ stand for space, newline, tab, carriage return and backslash; \; is
 * a semicolon inside an item of a list. Values are raw bytes without NUL (paths). GKeyFile itself
 * is not used because messages name lines and edits keep comments. */
#pragma once
#include <glib.h>
#include <stdbool.h>

enum { CONFFILE_MAX_BYTES = 1 << 20 };

typedef enum { CONF_NOTHING, CONF_SECTION, CONF_ENTRY } ConfKind;

typedef struct {
	ConfKind kind; /* CONF_NOTHING: a blank line or a comment */
	unsigned number; /* from 1 */
	gsize offset, length; /* in bytes of the text; length includes the newline */
	char *section; /* the section that the line begins or belongs to, unescaped */
	char *name, *value; /* of CONF_ENTRY; value is still escaped */
} ConfLine;

/* Opens a file or directory of the configuration as open(2) does; O_CLOEXEC is added. Where that is
 * refused with EACCES, the function that was set for this process is asked for the descriptor. It
 * must be set while there is a single thread. */
int conffile_open(const char *path, int flags);
void conffile_open_by(int (*function)(const char *path, int flags));

/* Reads a regular file of at most CONFFILE_MAX_BYTES, without a byte order mark. *text_r is NULL if
 * the file does not exist; otherwise the caller frees it. Fails with SETTINGS_ERROR_FILE if the
 * file belongs to another user than us and root, or if everybody may write to it. */
bool conffile_read(const char *path, GString **text_r, GError **error);
/* Returns all lines as ConfLine, or NULL with SETTINGS_ERROR_SYNTAX. path is used in messages
 * only. */
GArray *conffile_parse(const char *path, const char *text, gsize length, GError **error);

/* The same, but goes on after faults. faults: receives char * messages. A line with a fault is
 * CONF_NOTHING, and so are all lines of a section whose header is a fault. */
GArray *conffile_parse_all(const char *path, const char *text, gsize length, GPtrArray *faults);

/* Removes the escapes from one value; NULL with SETTINGS_ERROR_VALUE if an escape is unknown. The
 * caller frees the result. */
char *conffile_unescape(const char *value, GError **error);
/* Splits a list and removes the escapes: each item ends with ";", which the last one may omit.
 * White space around items is ignored, and so are empty items. NULL-terminated; the caller frees
 * it. NULL with SETTINGS_ERROR_VALUE if an escape is unknown. */
char **conffile_unescape_list(const char *value, GError **error);
/* Escapes one value or list item. The caller frees the result. */
char *conffile_escape(const char *item);
