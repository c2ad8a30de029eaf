/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/shared/archive-error.h"
#include "extractors/shared/zipparts.h"
#include <archive.h>
#include <archive_entry.h>
#include <string.h>

enum {
	KEEP_BYTES = 32 << 20, /* total of all parts kept in memory */
	MAX_PARTS = 65535, /* most entries of a zip without zip64 */
	CHUNK_BYTES = 32 << 10,
	MAX_RESUMES = 100,
	PICTURE_BYTES = 16 << 20,
};

typedef enum { BY_DIRECTORY, BY_HEADERS } ZipMode;

typedef struct {
	char *name;
	GByteArray *kept; /* or NULL */
	guint position; /* number of the entry in the order of mode */
	ZipMode mode;
} ZipPart;

struct ZipParts {
	const uint8_t *data;
	size_t size;
	Sink *sink;
	GArray *parts; /* ZipPart */
	GHashTable *by_name; /* name -> index + 1 */
	bool damaged, unsupported, encrypted, limited;
	bool broken; /* the last entry was damaged; libarchive cannot continue */
	unsigned resumes;

	/* the part being read: from memory, or from the archive */
	const GByteArray *kept;
	size_t kept_used;
	struct archive *archive;
	ZipMode mode;
	guint next; /* position of the next entry in archive */
	const uint8_t *block; /* unpacked bytes that were not returned yet */
	size_t block_size;
};

static void part_clear(gpointer item)
{
	ZipPart *part = item;
	g_free(part->name);
	if (part->kept)
		g_byte_array_unref(part->kept);
}

/* The key of a name: lower case, '/' between folders, no leading '/'. */
static char *part_key(const char *name)
{
	while (*name == '/' || *name == '\\')
		name++;
	char *key = g_ascii_strdown(name, -1);
	for (char *c = key; *c; c++) {
		if (*c == '\\')
			*c = '/';
	}
	return key;
}

static struct archive *archive_begin(const ZipParts *zip, ZipMode mode)
{
	struct archive *archive = archive_read_new();
	if (mode == BY_DIRECTORY)
		archive_read_support_format_zip_seekable(archive);
	else
		archive_read_support_format_zip_streamable(archive);
	if (archive_read_open_memory(archive, zip->data, zip->size) == ARCHIVE_OK)
		return archive;
	archive_read_free(archive);
	return NULL;
}

static void archive_end(ZipParts *zip)
{
	if (zip->archive)
		archive_read_free(zip->archive);
	zip->archive = NULL;
}

/* Moves to the next entry: 1, 0 at the end, -1 if the listing is broken. */
static int archive_next(ZipParts *zip, struct archive_entry **entry)
{
	int status;
	do {
		status = archive_read_next_header(zip->archive, entry);
		zip->next++;
	} while (status == ARCHIVE_RETRY && zip->next < MAX_PARTS);
	if (status == ARCHIVE_EOF)
		return 0;
	return status == ARCHIVE_OK || status == ARCHIVE_WARN ? 1 : -1;
}

/* Gets the next unpacked bytes of the entry; false at its end, at damage and at the limit. Reading
 * in blocks keeps the bytes before the damage. */
static bool zipparts_next_block(ZipParts *zip)
{
	const void *block;
	size_t size = 0;
	la_int64_t offset;
	int status;

	zip->block_size = 0;
	if (zip->limited || zip->broken)
		return false;
	do {
		status = archive_read_data_block(zip->archive, &block, &size, &offset);
	} while (size == 0 && status == ARCHIVE_OK);
	if (status < ARCHIVE_WARN) {
		zip->unsupported |=
		        archive_error_is_unsupported(archive_error_string(zip->archive));
		zip->damaged = true;
		zip->broken = status == ARCHIVE_FATAL;
		return false;
	}
	if (status == ARCHIVE_EOF || size == 0)
		return false;
	zip->limited = !sink_unpacked(zip->sink, size);
	zip->block = block;
	zip->block_size = zip->limited ? 0 : size;
	return !zip->limited;
}

/* Returns NULL if the entry is larger than max. */
static GByteArray *zipparts_load_entry(ZipParts *zip, const struct archive_entry *entry, size_t max)
{
	struct archive_entry *hint = (struct archive_entry *)entry;
	if (archive_entry_size_is_set(hint) && (uint64_t)archive_entry_size(hint) > max)
		return NULL;
	GByteArray *bytes = g_byte_array_new();
	while (zipparts_next_block(zip)) {
		if (zip->block_size > max - bytes->len) {
			g_byte_array_unref(bytes);
			return NULL;
		}
		g_byte_array_append(bytes, zip->block, zip->block_size);
	}
	return bytes;
}

static void zipparts_add_entry(
        ZipParts *zip, struct archive_entry *entry, ZipWanted wanted, size_t *budget)
{
	const char *raw = archive_entry_pathname(entry);
	if (!raw || archive_entry_filetype(entry) == AE_IFDIR)
		return;
	g_autofree char *key = part_key(raw);
	if (g_hash_table_contains(zip->by_name, key))
		return;
	if (archive_entry_is_data_encrypted(entry)) {
		zip->encrypted = true;
		return;
	}
	ZipPart part = {g_steal_pointer(&key), NULL, zip->next - 1, zip->mode};
	if (wanted && wanted(part.name))
		part.kept = zipparts_load_entry(zip, entry, *budget);
	if (part.kept)
		*budget -= MIN(*budget, part.kept->len);
	g_array_append_val(zip->parts, part);
	g_hash_table_insert(zip->by_name, part.name, GUINT_TO_POINTER(zip->parts->len));
}

/* libarchive gives up when the bytes of an entry are damaged. With a central directory, the later
 * entries are still readable. False: they are not. */
static bool zipparts_resume(ZipParts *zip)
{
	struct archive_entry *entry;
	guint behind = zip->next;

	zip->broken = false;
	archive_end(zip);
	if (zip->mode != BY_DIRECTORY || zip->resumes++ >= MAX_RESUMES)
		return false;
	zip->archive = archive_begin(zip, zip->mode);
	zip->next = 0;
	while (zip->archive && zip->next < behind) {
		if (archive_next(zip, &entry) <= 0)
			return false;
	}
	return zip->archive != NULL;
}

/* False: the listing is broken. */
static bool list_entries(ZipParts *zip, ZipMode mode, ZipWanted wanted, size_t *budget)
{
	struct archive_entry *entry;
	int more = -1;

	zip->archive = archive_begin(zip, mode);
	zip->mode = mode;
	zip->next = 0;
	while (zip->archive && !zip->limited && (more = archive_next(zip, &entry)) > 0) {
		if (zip->parts->len >= MAX_PARTS)
			break;
		zipparts_add_entry(zip, entry, wanted, budget);
		if (zip->broken && !zipparts_resume(zip)) {
			more = -1;
			break;
		}
	}
	archive_end(zip);
	return more >= 0;
}

ZipParts *zip_parts_open(const uint8_t *data, size_t size, Sink *sink, ZipWanted wanted)
{
	ZipParts *zip = g_new0(ZipParts, 1);
	size_t budget = KEEP_BYTES;

	zip->data = data;
	zip->size = size;
	zip->sink = sink;
	zip->parts = g_array_new(FALSE, FALSE, sizeof(ZipPart));
	g_array_set_clear_func(zip->parts, part_clear);
	zip->by_name = g_hash_table_new(g_str_hash, g_str_equal);
	if (!list_entries(zip, BY_DIRECTORY, wanted, &budget)) {
		zip->damaged = true;
		list_entries(zip, BY_HEADERS, wanted, &budget);
	}
	return zip;
}

void zip_parts_free(ZipParts *zip)
{
	if (!zip)
		return;
	archive_end(zip);
	g_hash_table_unref(zip->by_name);
	g_array_unref(zip->parts);
	g_free(zip);
}

static const ZipPart *find_part(const ZipParts *zip, const char *name)
{
	g_autofree char *key = part_key(name);
	guint index = GPOINTER_TO_UINT(g_hash_table_lookup(zip->by_name, key));
	return index > 0 ? &g_array_index(zip->parts, ZipPart, index - 1) : NULL;
}

bool zip_parts_has(const ZipParts *zip, const char *name)
{
	return find_part(zip, name) != NULL;
}

const char *zip_parts_name(const ZipParts *zip, guint index)
{
	return index < zip->parts->len ? g_array_index(zip->parts, ZipPart, index).name : NULL;
}

bool zip_parts_encrypted(const ZipParts *zip)
{
	return zip->encrypted;
}

DocReason zip_parts_fault(const ZipParts *zip)
{
	if (zip->limited)
		return REASON_LIMIT_UNPACKED;
	if (zip->unsupported)
		return REASON_COMPRESSION;
	return zip->damaged ? REASON_DAMAGED : REASON_NONE;
}

/* Moves to an entry: forwards if possible, else from the beginning. */
static bool seek_entry(ZipParts *zip, const ZipPart *part)
{
	struct archive_entry *entry;

	if (!zip->archive || zip->broken || zip->mode != part->mode || zip->next > part->position) {
		archive_end(zip);
		zip->broken = false;
		zip->archive = archive_begin(zip, part->mode);
		zip->mode = part->mode;
		zip->next = 0;
	}
	while (zip->archive && zip->next <= part->position) {
		if (archive_next(zip, &entry) <= 0)
			archive_end(zip);
	}
	return zip->archive != NULL;
}

bool zip_part_begin(ZipParts *zip, const char *name)
{
	const ZipPart *part = find_part(zip, name);
	if (!part)
		return false;
	zip->kept = part->kept;
	zip->kept_used = 0;
	zip->block_size = 0;
	if (part->kept)
		return true;
	if (zip->limited)
		return false;
	return seek_entry(zip, part);
}

static size_t read_archive(ZipParts *zip, void *buffer, size_t size)
{
	if (zip->block_size == 0 && (!zip->archive || !zipparts_next_block(zip)))
		return 0;
	size_t length = MIN(size, zip->block_size);
	memcpy(buffer, zip->block, length);
	zip->block += length;
	zip->block_size -= length;
	return length;
}

ssize_t zip_part_read(void *source, void *buffer, size_t size)
{
	ZipParts *zip = source;
	if (!zip->kept)
		return read_archive(zip, buffer, size);
	size_t length = MIN(size, zip->kept->len - zip->kept_used);
	if (length > 0)
		memcpy(buffer, zip->kept->data + zip->kept_used, length);
	zip->kept_used += length;
	return length;
}

char *zip_part_load(ZipParts *zip, const char *name, size_t max, size_t *size_r)
{
	if (!zip_part_begin(zip, name))
		return NULL;
	g_autoptr(GByteArray) bytes = g_byte_array_new();
	ssize_t got;
	do {
		guint used = bytes->len;
		g_byte_array_set_size(bytes, used + CHUNK_BYTES);
		got = zip_part_read(zip, bytes->data + used, CHUNK_BYTES);
		g_byte_array_set_size(bytes, used + got);
	} while (got > 0 && bytes->len <= max);
	if (bytes->len > max)
		return NULL;
	if (size_r)
		*size_r = bytes->len;
	g_byte_array_append(bytes, (const guint8 *)"", 1);
	return (char *)g_byte_array_free(g_steal_pointer(&bytes), FALSE);
}

ExtractResult zip_part_draw(ZipParts *zip, const char *name)
{
	size_t size;
	g_autofree char *bytes = name ? zip_part_load(zip, name, PICTURE_BYTES, &size) : NULL;
	return bytes ? sink_draw(zip->sink, (const uint8_t *)bytes, size) : EXTRACT_NOTHING;
}

/* Applies one step of a path: "..", "." or a name. */
static void take_step(GPtrArray *path, char *step)
{
	if (strcmp(step, "..") == 0)
		g_ptr_array_set_size(path, path->len > 0 ? (gint)path->len - 1 : 0);
	else if (*step && strcmp(step, ".") != 0)
		g_ptr_array_add(path, step);
}

char *zip_part_resolve(const char *part, const char *target)
{
	const char *slash = strrchr(part, '/');
	bool is_relative = *target != '/' && slash;
	g_autofree char *folder = is_relative ? g_strndup(part, slash + 1 - part) : g_strdup("");
	g_autofree char *joined = g_strconcat(folder, target, NULL);
	g_auto(GStrv) steps = g_strsplit(joined, "/", -1);
	g_autoptr(GPtrArray) path = g_ptr_array_new();

	for (char **step = steps; *step; step++)
		take_step(path, *step);
	g_ptr_array_add(path, NULL);
	return g_strjoinv("/", (char **)path->pdata);
}
