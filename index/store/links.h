/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links.h - the links of a document to files beside it, for "anchor:"
 *
 * What is kept of a link is its target as it stands there, relative to the directory of the
 * document, and its text. Where it leads is found when it is asked for, so nothing is to be done
 * when the document or the target moves, comes or goes. Packed: pairs of strings that end in NUL,
 * target (raw bytes, percent signs decoded, without fragment) and text (UTF-8), each pair once, in
 * the order of targets, a repeated target as an empty string; a frame of zstd. */
#pragma once
#include "common/base/document.h"

enum { LINKS_MAX_BYTES = 4 << 20 /* unpacked */ };

/* Links without a text, with a scheme (but file:), a query or a target in the document itself are
 * left out, and absolute ones that allowed() refuses. NULL: none is left. Yours. */
typedef bool (*LinksAllowed)(void *data, const char *path);
GByteArray *links_pack(const Document *doc, LinksAllowed allowed, void *data);
/* target begins with a slash if it is absolute. False if the bytes are no packed links; some may
 * have been handed out then. */
typedef void (*LinksFunc)(void *data, const char *target, const char *text);
bool links_unpack(const void *bytes, size_t length, LinksFunc function, void *data);
/* Path of a target seen from a directory; NULL: none, it climbs above the top. Yours. */
char *links_resolve(const char *dir, const char *target);
