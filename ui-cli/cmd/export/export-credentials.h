/* SPDX-License-Identifier: GPL-3.0-or-later */
/* export-credentials.h - the file that tells a target who we are
 *
 * One "name = value" a line: user and password, or api-key. White space around names and values
 * does not count, and lines that begin with "#" are comments. It has at most 64 KiB. */
#pragma once
#include "ui-cli/cmd/export/export-target.h"

/* Reads the file. EXPORT_ERROR_REFUSED if it is missing, belongs to another user than us and root,
 * others may read or change it, or it is not as described; the message never has what is in it. */
bool export_credentials_read(const char *path, ExportCredentials *out, GError **error);
/* The same of the text of a file, which is changed, and ends with NUL after length bytes. path:
 * for the message. */
bool export_credentials_parse(
        const char *path, char *text, size_t length, ExportCredentials *out, GError **error);
/* Overwrites and frees what was read. */
void export_credentials_clear(ExportCredentials *credentials);
