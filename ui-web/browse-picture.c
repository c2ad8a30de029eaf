/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "ui-web/browse-picture.h"
#include "common/base/autofd.h"
#include "common/base/paths.h"
#include "ui-cli/app/convert-file.h"
#include "ui-cli/app/drawer.h"
#include "ui-web/browse-png.h"
#include "ui-web/browse-target.h"
#include <microhttpd.h>
#include <sys/stat.h>

enum { SHOWN_SIDE = 64 }; /* pixels of a page; screens may have two dots for each */

struct BrowsePictures {
	GHashTable *kept; /* key -> GBytes *, a PNG; NULL: it cannot be drawn */
	GQueue keys; /* borrowed, the oldest first */
	Drawer *drawer; /* NULL: not started */
};

/* A request whose picture is being drawn. */
struct BrowseDrawing {
	BrowseServer *server; /* borrowed, as is the next one */
	BrowseRequest *request;
	char *key;
	DrawerState state;
	GBytes *png; /* NULL: there is none */
};

/* ---- what is kept */

static void pictures_unref(gpointer png)
{
	if (png)
		g_bytes_unref(png);
}

BrowsePictures *browse_pictures_new(void)
{
	BrowsePictures *pictures = g_new0(BrowsePictures, 1);
	pictures->kept = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, pictures_unref);
	g_queue_init(&pictures->keys);
	return pictures;
}

void browse_pictures_free(BrowsePictures *pictures)
{
	if (!pictures)
		return;
	drawer_free(pictures->drawer);
	g_queue_clear(&pictures->keys);
	g_hash_table_unref(pictures->kept);
	g_free(pictures);
}

/* Takes ownership of both. */
static void pictures_keep(BrowsePictures *pictures, char *key, GBytes *png)
{
	if (g_hash_table_contains(pictures->kept, key)) {
		g_free(key);
		pictures_unref(png);
		return;
	}
	if (pictures->keys.length >= PICTURES_KEPT)
		g_hash_table_remove(pictures->kept, g_queue_pop_head(&pictures->keys));
	g_queue_push_tail(&pictures->keys, key);
	g_hash_table_insert(pictures->kept, key, png);
}

/* Names the file as it is; NULL: the kernel tells nothing of it. */
static char *pictures_key(int fd)
{
	struct stat st;
	if (fstat(fd, &st) < 0)
		return NULL;
	return g_strdup_printf("%lx %lx %lx %lx.%lx %lx.%lx", (unsigned long)st.st_dev,
	        (unsigned long)st.st_ino, (unsigned long)st.st_size,
	        (unsigned long)st.st_mtim.tv_sec, (unsigned long)st.st_mtim.tv_nsec,
	        (unsigned long)st.st_ctim.tv_sec, (unsigned long)st.st_ctim.tv_nsec);
}

/* ---- answers */

/* A single transparent pixel. Browsers show a picture whatever the status is, and a sign of damage
 * if there is none. */
static const uint8_t blank_png[] = {0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00,
        0x00, 0x0d, 0x49, 0x48, 0x44, 0x52, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x08,
        0x04, 0x00, 0x00, 0x00, 0xb5, 0x1c, 0x0c, 0x02, 0x00, 0x00, 0x00, 0x0b, 0x49, 0x44, 0x41,
        0x54, 0x78, 0xda, 0x63, 0x60, 0x60, 0x00, 0x00, 0x00, 0x03, 0x00, 0x01, 0x2b, 0x09, 0x4d,
        0x84, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82};

/* NULL: there is no picture. */
static void picture_answer(BrowseRequest *request, GBytes *png)
{
	gsize length = sizeof blank_png;
	const void *bytes = png ? g_bytes_get_data(png, &length) : blank_png;
	g_string_truncate(request->body, 0);
	g_string_append_len(request->body, bytes, length);
	request->type = "image/png";
	request->status = png ? MHD_HTTP_OK : MHD_HTTP_NOT_FOUND;
}

static bool picture_is_wanted(void *data)
{
	const struct BrowseDrawing *drawing = data;
	return browse_server_is_waiting(drawing->request);
}

static void picture_on_done(const DrawerPicture *picture, void *data)
{
	struct BrowseDrawing *drawing = data;
	drawing->state = picture->state;
	if (picture->state == DRAWER_DRAWN)
		drawing->png = browse_png(picture->width, picture->height, picture->pixels);
	browse_server_put_back(drawing->server, drawing->request);
}

/* Takes ownership of fd and key. */
static bool picture_begin(BrowseWorker *worker, const ConvertSource *source, int fd, char *key)
{
	static const DrawerCallbacks callbacks = {picture_is_wanted, picture_on_done};
	BrowsePictures *pictures = worker->pictures;
	if (!pictures->drawer)
		pictures->drawer = drawer_new(NULL);
	if (!pictures->drawer) {
		close(fd);
		g_free(key);
		return false;
	}
	struct BrowseDrawing *drawing = g_new0(struct BrowseDrawing, 1);
	drawing->server = worker->server;
	drawing->request = worker->request;
	drawing->key = key;
	worker->request->drawing = drawing;
	worker->n_away++;
	drawer_draw(pictures->drawer, fd, source->size, source->name, &callbacks, drawing);
	return true;
}

void browse_picture_end(BrowseWorker *worker)
{
	struct BrowseDrawing *drawing = g_steal_pointer(&worker->request->drawing);
	worker->n_away--;
	picture_answer(worker->request, drawing->png);
	if (drawing->state != DRAWER_LEFT_OUT)
		pictures_keep(worker->pictures, drawing->key, drawing->png);
	else
		g_free(drawing->key);
	g_free(drawing);
}

/* ---- the request */

/* Beginnings of types. */
static bool picture_is_of_type(const char *mime)
{
	static const char *const types[] = {
	        "application/pdf",
	        "application/x-pdf",
#ifdef HAVE_EXIV2
#ifdef HAVE_LIBJPEG
	        "image/jpeg",
	        "application/epub+zip",
	        "application/vnd.openxmlformats-officedocument.",
#endif
#ifdef HAVE_LIBPNG
	        "image/png",
	        "application/vnd.oasis.opendocument.",
#endif
#ifdef HAVE_LIBWEBP
	        "image/webp",
#endif
#ifdef HAVE_GIFLIB
	        "image/gif",
#endif
#endif
	};
	for (size_t i = 0; i < G_N_ELEMENTS(types); i++)
		if (g_str_has_prefix(mime, types[i]))
			return true;
	return false;
}

static bool picture_is_possible(const Info *info)
{
	return info->document != 0 && !info->member && info->stat.kind == ENTRY_FILE &&
	       !path_is_web(info->path) && info->mime && picture_is_of_type(info->mime);
}

void browse_picture_append(GString *out, const Info *info)
{
	if (!picture_is_possible(info))
		return;
	g_string_append(out, "<img class=\"thumbnail\" src=\"/picture?id=");
	browse_target_append(out, info);
	g_string_append_printf(out,
	        "\" alt=\"\" width=\"%d\" height=\"%d\" loading=\"lazy\" decoding=\"async\">",
	        SHOWN_SIDE, SHOWN_SIDE);
}

/* The entry has been checked like a hit; now its file is opened like one. */
static void picture_of(BrowseWorker *worker, const Info *info)
{
	gpointer png;
	g_auto(ConvertSource) source = {.fd = -1};
	bool opened =
	        picture_is_possible(info) && convert_source_open(worker->cli, info, &source, NULL);
	g_autofree char *key = opened ? pictures_key(source.fd) : NULL;
	if (!key)
		picture_answer(worker->request, NULL);
	else if (g_hash_table_lookup_extended(worker->pictures->kept, key, NULL, &png))
		picture_answer(worker->request, png);
	else if (!picture_begin(worker, &source, autofd_steal(&source.fd), g_steal_pointer(&key)))
		picture_answer(worker->request, NULL);
}

void browse_picture(BrowseWorker *worker)
{
	g_autoptr(Info) info = browse_target(worker);
	if (info)
		picture_of(worker, info);
	else
		picture_answer(worker->request, NULL);
}
