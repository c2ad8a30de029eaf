/* SPDX-License-Identifier: GPL-3.0-or-later */
/* media-type.h - the value of Content-Type */
#pragma once

/* The charset that it names, at most 39 bytes; NULL: none, or media_type is NULL. The caller frees
 * it. */
char *media_charset(const char *media_type);
