/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pst.c - the plugin for Outlook's personal folders (MS-PST): items as messages, attachments as
 * their members */
#include <config.h>
#include "extractors/shared/extractor.h"
#ifdef HAVE_PFF
#include "extractors/pst/pst-bytes.h"
#include "extractors/pst/pst-item.h"
#include <string.h>

enum {
	MAX_DEPTH = 32,
	MAX_ITEMS_DEEP = 5,
	MAX_ATTACHMENT = 64 << 20,
	P_LONG_NAME = 0x3707,
	P_SHORT_NAME = 0x3704
};

typedef struct {
	Sink *sink;
	unsigned items;
	bool full; /* the sink is full */
} Folders;

static void put_item(Folders *folders, libpff_item_t *item, const char *path, unsigned depth);

static void pst_put_bytes(Folders *folders, const char *name, const uint8_t *data, size_t size,
        const char *mime, DocReason reason)
{
	SinkMember member = {
	        .name = name, .data = data, .size = size, .mime = mime, .reason = reason};
	if (!sink_member(folders->sink, &member))
		folders->full = true;
}

/* ---- attachments: the member name continues the item's name, like members of members */

static char *attachment_name(libpff_item_t *attachment, int number)
{
	char *name = item_text(attachment, P_LONG_NAME);
	if (!name)
		name = item_text(attachment, P_SHORT_NAME);
	return name ? name : g_strdup_printf("%d", number + 1);
}

static void put_data(Folders *folders, libpff_item_t *attachment, const char *path)
{
	size64_t size = 0;
	if (libpff_attachment_get_data_size(attachment, &size, NULL) != 1 || size == 0)
		return;
	if (size > MAX_ATTACHMENT || !sink_unpacked(folders->sink, size)) {
		pst_put_bytes(folders, path, NULL, size, NULL, REASON_LIMIT_UNPACKED);
		return;
	}
	g_autofree uint8_t *data = g_malloc(size);
	ssize_t got = libpff_attachment_data_read_buffer(attachment, data, size, NULL);
	if (got > 0)
		pst_put_bytes(folders, path, data, got, NULL, REASON_NONE);
	else
		pst_put_bytes(folders, path, NULL, size, NULL, REASON_DAMAGED);
}

static void pst_put_attachment(
        Folders *folders, libpff_item_t *item, int number, const char *path, unsigned depth)
{
	libpff_item_t *attachment = NULL, *inner = NULL;
	int type = 0;
	if (libpff_message_get_attachment(item, number, &attachment, NULL) != 1)
		return;
	g_autofree char *name = attachment_name(attachment, number);
	if (libpff_attachment_get_type(attachment, &type, NULL) == 1) {
		if (type == LIBPFF_ATTACHMENT_TYPE_DATA) {
			g_autofree char *full = g_strdup_printf("%s|%s", path, name);
			put_data(folders, attachment, full);
		} else if (type == LIBPFF_ATTACHMENT_TYPE_ITEM &&
		           libpff_attachment_get_item(attachment, &inner, NULL) == 1) {
			g_autofree char *full = g_strdup_printf("%s|%d.eml", path, number + 1);
			put_item(folders, inner, full, depth + 1);
			libpff_item_free(&inner, NULL);
		}
	}
	libpff_item_free(&attachment, NULL);
}

static void put_item(Folders *folders, libpff_item_t *item, const char *path, unsigned depth)
{
	int attachments = 0;
	GString *message = depth < MAX_ITEMS_DEEP ? item_message(item) : NULL;
	if (!message)
		return;
	if (sink_unpacked(folders->sink, message->len))
		pst_put_bytes(folders, path, (const uint8_t *)message->str, message->len,
		        "message/rfc822", REASON_NONE);
	else
		folders->full = true;
	g_string_free(message, TRUE);
	if (libpff_message_get_number_of_attachments(item, &attachments, NULL) != 1)
		return;
	for (int i = 0; i < attachments && !folders->full; i++)
		pst_put_attachment(folders, item, i, path, depth);
}

/* ---- folders */

/* Returns a component of a path; NULL: the folder has no name. The caller frees it. */
static char *folder_name(libpff_item_t *folder)
{
	size_t size = 0;
	if (libpff_folder_get_utf8_name_size(folder, &size, NULL) != 1 || size < 2 || size > 4096)
		return NULL;
	char *name = g_malloc0(size + 1);
	if (libpff_folder_get_utf8_name(folder, (uint8_t *)name, size, NULL) != 1 || !*name)
		g_clear_pointer(&name, g_free);
	return name ? g_strdelimit(name, "/|", '_') : NULL;
}

static void put_messages(Folders *folders, libpff_item_t *folder, const char *path)
{
	int n = 0;
	if (libpff_folder_get_number_of_sub_messages(folder, &n, NULL) != 1)
		return;
	for (int i = 0; i < n && !folders->full; i++) {
		libpff_item_t *item = NULL;
		g_autofree char *name = g_strdup_printf("%s%u.eml", path, ++folders->items);
		if (libpff_folder_get_sub_message(folder, i, &item, NULL) != 1) {
			pst_put_bytes(folders, name, NULL, -1, NULL, REASON_DAMAGED);
			continue;
		}
		put_item(folders, item, name, 0);
		libpff_item_free(&item, NULL);
	}
}

static void put_folder(Folders *folders, libpff_item_t *folder, const char *path, unsigned depth)
{
	int n = 0;
	put_messages(folders, folder, path);
	if (depth >= MAX_DEPTH || libpff_folder_get_number_of_sub_folders(folder, &n, NULL) != 1)
		return;
	for (int i = 0; i < n && !folders->full; i++) {
		libpff_item_t *inner = NULL;
		if (libpff_folder_get_sub_folder(folder, i, &inner, NULL) != 1)
			continue;
		g_autofree char *name = folder_name(inner);
		g_autofree char *below =
		        name ? g_strdup_printf("%s%s/", path, name) : g_strdup(path);
		put_folder(folders, inner, below, depth + 1);
		libpff_item_free(&inner, NULL);
	}
}

/* ---- the file */

static bool pst_open_file(libbfio_handle_t *bytes, libpff_file_t **file)
{
	return bytes && libpff_file_initialize(file, NULL) == 1 &&
	       libpff_file_open_file_io_handle(*file, bytes, LIBPFF_OPEN_READ, NULL) == 1;
}

static ExtractResult pst_extract(const Input *in, Sink *sink)
{
	Folders folders = {.sink = sink};
	PstBytes memory = {in->data, in->size, 0};
	libbfio_handle_t *bytes = bytes_open(&memory);
	libpff_file_t *file = NULL;
	libpff_item_t *root = NULL;
	bool open =
	        pst_open_file(bytes, &file) && libpff_file_get_root_folder(file, &root, NULL) == 1;

	if (open)
		put_folder(&folders, root, "", 0);
	if (root)
		libpff_item_free(&root, NULL);
	if (file)
		libpff_file_free(&file, NULL);
	if (bytes)
		libbfio_handle_free(&bytes, NULL);
	return open ? EXTRACT_DONE : sink_fail(sink, REASON_DAMAGED, "libpff cannot read the file");
}

static char library[32]; /* set by pst_preload() */

static const char *pst_preload(void)
{
	g_snprintf(library, sizeof library, "libpff %s", libpff_get_version());
	return NULL;
}
#else
EXTRACTOR_BUILT_WITHOUT(pst, "libpff", false)
#endif

static const char *const mime_types[] = {"application/vnd.ms-outlook-pst", NULL};

const Extractor tarsier_extractor = {
        .abi = EXTRACTOR_ABI,
        .name = "pst",
        .version = 4,
#ifdef HAVE_PFF
        .library = library,
#endif
        .lane = LANE_OWN,
        .mime_types = mime_types,
        .preload = pst_preload,
        .extract = pst_extract,
};
