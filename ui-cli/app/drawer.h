/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drawer.h - draws small pictures of files in the sandbox, in a thread of its own
 *
 * A client may have gone by the time that its file is to be drawn, and then it is not. A file
 * that waits for more than DRAWER_WAIT_MS is not drawn either: a page that shows twenty pictures
 * waits for all of them. After DRAWER_PATIENCE_MS an answer comes in any case. Nothing is drawn
 * without a sandbox, whatever the configuration says. */
#pragma once
#include "common/sandbox/converter.h"

/* Large files have twice the time of DRAWER_WALL_MS. */
enum { DRAWER_WAIT_MS = 3000, DRAWER_WALL_MS = 3000, DRAWER_PATIENCE_MS = 10000 };

typedef enum {
	DRAWER_DRAWN,
	DRAWER_NOTHING, /* it cannot be drawn, or takes too long */
	DRAWER_LEFT_OUT, /* another time it might be drawn */
} DrawerState;

/* Size in pixels, 1 to WIRE_PICTURE_SIDE; red, green and blue of each pixel, by rows from the top;
 * NULL unless it was drawn. */
typedef struct {
	DrawerState state;
	unsigned width, height;
	uint8_t *pixels;
} DrawerPicture;

/* All are called in the thread of the drawer. */
typedef struct {
	/* False: nobody waits for the picture any more. */
	bool (*is_wanted)(void *data);
	/* Called once. The picture is borrowed. */
	void (*done)(const DrawerPicture *picture, void *data);
} DrawerCallbacks;

typedef struct Drawer Drawer;

/* NULL with error: there is no thread to be had. */
Drawer *drawer_new(GError **error);
/* Call it when all is done. NULL is fine. */
void drawer_free(Drawer *drawer);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Drawer, drawer_free)

/* Draws the open regular file fd, which is closed; size in bytes. name: the last component of its
 * path, as a hint. The callbacks are copied. May be called from any thread. */
void drawer_draw(Drawer *drawer, int fd, uint64_t size, const char *name,
        const DrawerCallbacks *callbacks, void *data);
