/* SPDX-License-Identifier: GPL-3.0-or-later */
/* open-file.h - opens a file for conversion: regular files only, without blocking, and without
 * following a link in the last component */
#pragma once
#include <glib.h>
#include <stdint.h>

/* Opens read-only and close-on-exec. *size_r in bytes. -1 with G_FILE_ERROR. */
int open_regular(const char *path, uint64_t *size_r, GError **error);
