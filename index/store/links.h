/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links.h - the links of a document to files beside it and to pages, for "anchor:"
 *
 * A link is stored as its target, relative to the directory of the document, and its text. The file
 * it leads to is determined at query time, so nothing has to be done when the document or the
 * target is moved, created or removed. The target of a link to a page is its URL in canonical form.
 * The address that a document names as its own (rel=canonical) is a link with an empty text.
 *
 * Format: a zstd frame with pairs of NUL-terminated strings, target (raw bytes, percent signs
 * decoded, without fragment) and text (UTF-8); each pair once, in the order of targets, a repeated
 * target as an empty string. */
#pragma once
#include "common/base/document.h"

enum { LINKS_MAX_BYTES = 4 << 20 /* of the unpacked form */ };

/* Packs the links. Those without text, with a scheme other than file:, http: and https:, to a local
 * file with a query, or with a target in the document itself are left out, and so are absolute
 * paths and URLs that allowed() refuses. NULL: no link is left. The caller owns the result. */
typedef bool (*LinksAllowed)(void *data, const char *path);
GByteArray *links_pack(const Document *doc, LinksAllowed allowed, void *data);
/* An absolute path begins with a slash; path_is_web() tells a URL. Returns false if the bytes are
 * not packed links; f may have been called for some of them by then. */
typedef void (*LinksFunc)(void *data, const char *target, const char *text);
bool links_unpack(const void *bytes, size_t length, LinksFunc function, void *data);
/* Resolves a target against a directory. NULL: it climbs above "/". The caller owns the path. */
char *links_resolve(const char *dir, const char *target);
