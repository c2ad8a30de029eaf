/* SPDX-License-Identifier: GPL-3.0-or-later */
/* chm.c - the plugin for compiled HTML help: HTML pages in an archive, read as one document
 *
 * The pages are read in the order in which they are stored, because any other order would unpack
 * the archive again for each page. */
#include <config.h>
#include "extractors/shared/extractor.h"
#include <string.h>

#ifdef HAVE_MSPACK
#include <mspack.h>

/* Offset and first byte of the second identifier. Free Pascal's compiler writes the first
 * identifier twice, but libmspack reads only files that have both. */
enum { SECOND_AT = 0x28, SECOND_BEGINS = 0x11 };

enum { SYSTEM_HEAD = 4, SYSTEM_TITLE = 3, MAX_PAGES = 100000 };

typedef struct {
	struct mspack_system system; /* first member: libmspack passes it to our functions */
	const Input *in;
	Sink *sink;
	GByteArray *page; /* the page being unpacked */
} ChmBook;

/* The input file, or the page being written. */
typedef struct {
	struct mspack_file file; /* first member: libmspack's view of it */
	ChmBook *book;
	size_t position;
	bool writes;
} Handle;

/* ---- I/O functions for libmspack */

static struct mspack_file *chm_open_file(struct mspack_system *system, const char *name, int mode)
{
	Handle *handle = g_new0(Handle, 1);
	handle->book = (ChmBook *)system;
	handle->writes = mode == MSPACK_SYS_OPEN_WRITE;
	return &handle->file;
}

static void close_file(struct mspack_file *file)
{
	g_free(file);
}

static int chm_read_file(struct mspack_file *file, void *buffer, int bytes)
{
	Handle *handle = (Handle *)file;
	const Input *in = handle->book->in;
	if (handle->writes || bytes < 0 || handle->position > in->size)
		return -1;
	size_t length = MIN((size_t)bytes, in->size - handle->position);
	if (length > 0)
		memcpy(buffer, in->data + handle->position, length);
	if (handle->position <= SECOND_AT && SECOND_AT - handle->position < length)
		((uint8_t *)buffer)[SECOND_AT - handle->position] = SECOND_BEGINS;
	handle->position += length;
	return length;
}

static int chm_write_file(struct mspack_file *file, void *buffer, int bytes)
{
	Handle *handle = (Handle *)file;
	if (!handle->writes || bytes < 0 || !sink_unpacked(handle->book->sink, bytes))
		return -1;
	g_byte_array_append(handle->book->page, buffer, bytes);
	return bytes;
}

static int seek_file(struct mspack_file *file, off_t offset, int mode)
{
	Handle *handle = (Handle *)file;
	off_t size = handle->book->in->size;
	off_t from = mode == MSPACK_SYS_SEEK_CUR   ? (off_t)handle->position
	             : mode == MSPACK_SYS_SEEK_END ? size
	                                           : 0;
	off_t target;
	if (__builtin_add_overflow(from, offset, &target) || target < 0 || target > size)
		return -1;
	handle->position = target;
	return 0;
}

static off_t tell_file(struct mspack_file *file)
{
	return ((Handle *)file)->position;
}

static void chm_ignore_message(struct mspack_file *file, const char *format, ...)
{
}

static void *chm_allocate(struct mspack_system *system, size_t bytes)
{
	return g_try_malloc(bytes);
}

static void chm_copy(void *from, void *to, size_t bytes)
{
	memcpy(to, from, bytes);
}

static const struct mspack_system memory_system = {
        .open = chm_open_file,
        .close = close_file,
        .read = chm_read_file,
        .write = chm_write_file,
        .seek = seek_file,
        .tell = tell_file,
        .message = chm_ignore_message,
        .alloc = chm_allocate,
        .free = g_free,
        .copy = chm_copy,
};

/* ---- pages */

static bool is_page(const char *name)
{
	const char *dot = strrchr(name, '.');
	return dot &&
	       (g_ascii_strcasecmp(dot, ".htm") == 0 || g_ascii_strcasecmp(dot, ".html") == 0 ||
	               g_ascii_strcasecmp(dot, ".xhtml") == 0);
}

static int by_place(gconstpointer a, gconstpointer b)
{
	const struct mschmd_file *one = *(struct mschmd_file *const *)a;
	const struct mschmd_file *other = *(struct mschmd_file *const *)b;
	if (one->section->id != other->section->id)
		return one->section->id < other->section->id ? -1 : 1;
	return (one->offset > other->offset) - (one->offset < other->offset);
}

static GPtrArray *list_pages(const struct mschmd_header *chm)
{
	GPtrArray *pages = g_ptr_array_new();
	for (struct mschmd_file *file = chm->files; file && pages->len < MAX_PAGES;
	        file = file->next)
		if (is_page(file->filename))
			g_ptr_array_add(pages, file);
	g_ptr_array_sort(pages, by_place);
	return pages;
}

/* Unpacks into book->page. */
static bool chm_unpack(ChmBook *book, struct mschm_decompressor *unpacker, struct mschmd_file *file)
{
	g_byte_array_set_size(book->page, 0);
	return unpacker->extract(unpacker, file, "") == MSPACK_ERR_OK;
}

static ExtractResult chm_put_pages(
        ChmBook *book, struct mschm_decompressor *unpacker, const struct mschmd_header *chm)
{
	g_autoptr(GPtrArray) pages = list_pages(chm);
	unsigned good = 0;
	bool more = true;
	for (guint i = 0; i < pages->len && more; i++) {
		if (!chm_unpack(book, unpacker, pages->pdata[i])) {
			more = sink_unpacked(book->sink, 0);
			continue;
		}
		good++;
		more = sink_inline(
		        book->sink, "text/html", NULL, book->page->data, book->page->len);
	}
	if (more && good == 0 && pages->len > 0)
		return sink_fail(book->sink, REASON_DAMAGED, NULL);
	if (more && good < pages->len)
		sink_truncated(book->sink, REASON_DAMAGED, NULL);
	return pages->len > 0 ? EXTRACT_DONE : EXTRACT_NOTHING;
}

/* ---- the title, in "/#SYSTEM": a version, then entries of code, length and bytes */

static void chm_put_title(ChmBook *book)
{
	const GByteArray *bytes = book->page;
	for (size_t at = SYSTEM_HEAD; at + 4 <= bytes->len;) {
		const uint8_t *entry = bytes->data + at;
		size_t code = entry[0] | entry[1] << 8, length = entry[2] | entry[3] << 8;
		if (length > bytes->len - at - 4)
			return;
		if (code == SYSTEM_TITLE) {
			const char *title = (const char *)entry + 4;
			g_autofree char *text =
			        decode_text(entry + 4, strnlen(title, length), NULL, NULL, NULL);
			sink_field(book->sink, FIELD_TITLE, text, -1);
			return;
		}
		at += 4 + length;
	}
}

static void find_title(
        ChmBook *book, struct mschm_decompressor *unpacker, const struct mschmd_header *chm)
{
	for (struct mschmd_file *file = chm->files; file; file = file->next) {
		if (strcmp(file->filename, "/#SYSTEM") != 0 &&
		        strcmp(file->filename, "#SYSTEM") != 0)
			continue;
		if (chm_unpack(book, unpacker, file))
			chm_put_title(book);
		return;
	}
}

/* ---- */

static ExtractResult chm_read_book(ChmBook *book, struct mschm_decompressor *unpacker)
{
	struct mschmd_header *chm = unpacker->open(unpacker, "");
	if (!chm)
		return sink_fail(book->sink,
		        unpacker->last_error(unpacker) == MSPACK_ERR_NOMEMORY ? REASON_LIMIT_MEMORY
		                                                              : REASON_DAMAGED,
		        NULL);
	find_title(book, unpacker, chm);
	ExtractResult result = chm_put_pages(book, unpacker, chm);
	unpacker->close(unpacker, chm);
	return result;
}

static ExtractResult chm_extract(const Input *in, Sink *sink)
{
	ChmBook book = {memory_system, in, sink, g_byte_array_new()};
	struct mschm_decompressor *unpacker = mspack_create_chm_decompressor(&book.system);
	ExtractResult result = unpacker ? chm_read_book(&book, unpacker)
	                                : sink_fail(sink, REASON_LIMIT_MEMORY, NULL);
	if (unpacker)
		mspack_destroy_chm_decompressor(unpacker);
	g_byte_array_unref(book.page);
	return result;
}

static const char *chm_preload(void)
{
	return NULL;
}
#else
EXTRACTOR_BUILT_WITHOUT(chm, "libmspack", false)
#endif

static const char *const mime_types[] = {"application/vnd.ms-htmlhelp", "application/x-chm", NULL};

const Extractor tarsier_extractor = {
        .abi = EXTRACTOR_ABI,
        .name = "chm",
        .version = 3,
#ifdef HAVE_MSPACK
        .library = "libmspack " MSPACK_VERSION_TEXT,
#endif
        .lane = LANE_OWN,
        .mime_types = mime_types,
        .preload = chm_preload,
        .extract = chm_extract,
};
