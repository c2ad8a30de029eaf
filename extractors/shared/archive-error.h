/* SPDX-License-Identifier: GPL-3.0-or-later */
/* archive-error.h - what an error of libarchive means */
#pragma once
#include <stdbool.h>

/* True if the text of an error, which may be NULL, says that libarchive lacks the way in which
 * something is packed. It has no code for this; all its texts use one of a few phrases. */
bool archive_error_is_unsupported(const char *error);
