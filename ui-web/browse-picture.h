/* SPDX-License-Identifier: GPL-3.0-or-later */
/* browse-picture.h - thumbnails: small pictures of pictures and of the first pages of documents
 *
 * Fields: id (browse-target.h).
 *
 * They are drawn in the sandbox, which gives pixels and nothing else; this program makes a PNG of
 * them. A thread waits for the drawing and puts the request back (browse_server_put_back()). The
 * last PICTURES_KEPT are kept in memory, never on a disk, and are shown for the very file alone
 * that was drawn: its inode, size and times. */
#pragma once
#include "ui-web/browse-worker.h"

enum { PICTURES_KEPT = 256 };

typedef struct BrowsePictures BrowsePictures;

BrowsePictures *browse_pictures_new(void);
/* No request may wait for one. NULL is fine. */
void browse_pictures_free(BrowsePictures *pictures);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(BrowsePictures, browse_pictures_free)

/* Appends <img> for an entry whose type can be drawn, else nothing. If it cannot be drawn after
 * all, the answer is 404 with an empty picture, and a browser shows nothing. */
void browse_picture_append(GString *out, const Info *info);
/* Answers with the picture. Sets request->drawing if it is being drawn; else the request has been
 * answered. */
void browse_picture(BrowseWorker *worker);
/* Answers a request that was put back. */
void browse_picture_end(BrowseWorker *worker);
