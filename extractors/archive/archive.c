/* SPDX-License-Identifier: GPL-3.0-or-later */
/* archive.c - reads archives and single compressed files with libarchive
 *
 * Everything happens in memory. A name is data and never opens a file. Each regular member becomes
 * a document of its own. Sizes in headers are only hints: bytes are counted while they are
 * unpacked. */
#include <config.h>
#include "extractors/archive/archive-format.h"
#include "extractors/archive/member-names.h"
#include "extractors/archive/split-archive.h"
#include "extractors/archive/salvage.h"
#include "extractors/archive/stream.h"
#include "extractors/archive/warc.h"
#include "extractors/archive/zipdir.h"
#include "extractors/shared/archive-error.h"
#include "extractors/shared/bytes.h"
#include "extractors/shared/extractor.h"
#include "extractors/sniff/sniff-self.h"
#include "extractors/shared/volume.h"
#include "common/base/time-ns.h"
#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <string.h>

enum {
	MEMORY_SHARE = 4, /* one member may take this part of the memory: 1 / MEMORY_SHARE */
	MAX_RESUMES = 100,
	MAX_AHEAD = 10000, /* most headers that are read for the charset of the names */
	MAX_COSTLY_RESUMES = 8, /* for formats where much may have to be unpacked again */
	HEADER_BYTES =
	        512, /* the least cost of a header; it limits archives of nothing but headers */
};

#define CHROME_TYPE "application/x-chrome-extension" /* a zip after a signature */

typedef enum { GO_ON, STOP } Next;

typedef struct {
	const Input *in;
	const uint8_t *data; /* the bytes to read: the input, or the salvaged part of it */
	size_t size;
	bool salvaged;
	FilterStream *stream; /* unpacks the bytes; NULL: they are read as they are */
	Sink *sink;
	struct archive *archive;
	MemberNames names;
	unsigned headers;
	bool by_headers; /* the zip is read without its directory */
	bool behind; /* the file does not begin with the zip */
	bool broken; /* reading stopped in the bytes of the last member */
	unsigned resumes;
	bool names_only; /* members are listed without their bytes, for this reason: */
	DocReason lost;
} ArchiveUnpacker;

static size_t member_cap(const ArchiveUnpacker *unpacker)
{
	return unpacker->in->limits->memory_bytes / MEMORY_SHARE;
}

static DocReason reason_of_error(const ArchiveUnpacker *unpacker)
{
	struct archive *archive = unpacker->archive;
	const char *error = archive_error_string(archive);
	if (archive_read_has_encrypted_entries(archive) > 0 || (error && strstr(error, "ncrypt")))
		return REASON_ENCRYPTED;
	if (archive_errno(archive) == ENOMEM)
		return REASON_LIMIT_MEMORY;
	if (parts_is_marked(unpacker->in))
		return REASON_PART;
	if (archive_error_is_unsupported(error))
		return REASON_COMPRESSION;
	return volume_is_part(unpacker->in->name) ? REASON_PART : REASON_DAMAGED;
}

static const char *detail_of_error(const ArchiveUnpacker *unpacker)
{
	bool is_part = reason_of_error(unpacker) == REASON_PART;
	return is_part ? NULL : archive_error_string(unpacker->archive);
}

static Next over_limit(ArchiveUnpacker *unpacker)
{
	sink_truncated(unpacker->sink, REASON_LIMIT_UNPACKED, NULL);
	return STOP;
}

/* Adds one block and the hole before it. If both do not fit, adds the part that fits and returns
 * false. */
static bool add_block(ArchiveUnpacker *unpacker, GByteArray *bytes, size_t cap, const void *block,
        size_t size, la_int64_t offset)
{
	uint64_t hole = offset > (la_int64_t)bytes->len ? (uint64_t)offset - bytes->len : 0;

	if (hole > cap || bytes->len + hole > cap)
		return false;
	size_t fits = MIN(size, cap - bytes->len - hole);
	if (!sink_unpacked(unpacker->sink, hole + fits))
		return false;
	if (hole > 0) {
		guint used = bytes->len;
		g_byte_array_set_size(bytes, used + hole);
		memset(bytes->data + used, 0, hole);
	}
	g_byte_array_append(bytes, block, fits);
	return fits == size;
}

/* Reads at most cap bytes of the member; *reason says why the rest is missing. */
static GByteArray *read_member(ArchiveUnpacker *unpacker, size_t cap, DocReason *reason)
{
	GByteArray *bytes = g_byte_array_new();
	const void *block;
	size_t size;
	la_int64_t offset;
	int status;

	while ((status = archive_read_data_block(unpacker->archive, &block, &size, &offset)) ==
	        ARCHIVE_OK) {
		if (!add_block(unpacker, bytes, cap, block, size, offset)) {
			*reason = REASON_LIMIT_UNPACKED;
			return bytes;
		}
	}
	unpacker->broken = status == ARCHIVE_FATAL;
	if (status < ARCHIVE_WARN)
		*reason = unpacker->lost = reason_of_error(unpacker);
	return bytes;
}

/* Skips the rest of a member. If the rest must be unpacked for that, its bytes count. */
static Next skip_rest(ArchiveUnpacker *unpacker)
{
	const void *block;
	size_t size;
	la_int64_t offset;

	if (!unpacker->stream && format_skips_freely(unpacker->archive))
		return GO_ON;
	while (archive_read_data_block(unpacker->archive, &block, &size, &offset) == ARCHIVE_OK) {
		if (!sink_unpacked(unpacker->sink, size))
			return over_limit(unpacker);
	}
	return GO_ON;
}

static int64_t archive_mtime_of(struct archive_entry *entry)
{
	int64_t seconds = archive_entry_mtime_is_set(entry) ? archive_entry_mtime(entry) : 0;
	return seconds > 0 ? time_ns(seconds, archive_entry_mtime_nsec(entry)) : 0;
}

/* Returns the name as it is in the archive, or NULL if the member has no name. */
static char *archive_raw_name(const ArchiveUnpacker *unpacker, struct archive_entry *entry)
{
	const char *name = archive_entry_pathname(entry);
	if (name && format_is_lha(unpacker->archive))
		return format_raw_name(name);
	if (!name)
		name = archive_entry_pathname_utf8(entry);
	return name && *name ? g_strdup(name) : NULL;
}

static int archive_begin_reading(ArchiveUnpacker *unpacker, bool by_headers)
{
	unpacker->by_headers = by_headers;
	unpacker->broken = false;
	bool zip = unpacker->behind || (unpacker->size > 2 && memcmp(unpacker->data, "PK", 2) == 0);
	bool directory = !by_headers && zip;
	unpacker->archive = format_reader(directory);
	if (unpacker->stream)
		return stream_open(unpacker->stream, unpacker->archive);
	return archive_read_open_memory(unpacker->archive, unpacker->data, unpacker->size);
}

/* Reads names ahead that tell the charset, if that needs no unpacking. */
static void archive_look_ahead(ArchiveUnpacker *unpacker)
{
	bool zip = format_is_zip(unpacker->archive), lha = format_is_lha(unpacker->archive);
	if (unpacker->stream || (zip && unpacker->by_headers) ||
	        (!lha && !format_skips_freely(unpacker->archive)))
		return;
	ArchiveUnpacker ahead = *unpacker;
	int status = archive_begin_reading(&ahead, unpacker->by_headers);
	bool more = status == ARCHIVE_OK || status == ARCHIVE_WARN;
	for (unsigned i = 0; i < MAX_AHEAD && more; i++) {
		struct archive_entry *entry;
		status = archive_read_next_header(ahead.archive, &entry);
		if (status == ARCHIVE_EOF || status == ARCHIVE_FATAL)
			break;
		g_autofree char *raw = archive_raw_name(&ahead, entry);
		more = !raw || member_names_add(&ahead.names, raw);
	}
	unpacker->names = ahead.names;
	unpacker->names.read_ahead = true;
	archive_read_free(ahead.archive);
}

/* Returns the name to show and to ask for: in UTF-8 if its charset can be told, or a number if the
 * member has no name. raw: the name in the archive, or NULL. */
static char *archive_name_of(ArchiveUnpacker *unpacker, const char *raw)
{
	if (archive_format(unpacker->archive) == ARCHIVE_FORMAT_RAW)
		return format_inner_name(unpacker->in->name);
	if (!raw)
		return g_strdup_printf("%u", unpacker->headers);
	if (!unpacker->names.sample && !g_utf8_validate(raw, -1, NULL))
		archive_look_ahead(unpacker);
	return member_names_decode(&unpacker->names, raw, format_is_zip(unpacker->archive));
}

static int64_t size_of(struct archive_entry *entry)
{
	int64_t size = archive_entry_size_is_set(entry) ? archive_entry_size(entry) : -1;
	return MAX(size, -1);
}

/* Reads a member of a zip with a compression that the library does not know. False: the limit on
 * unpacked bytes is reached. */
static bool read_other(
        ArchiveUnpacker *unpacker, const char *name, GByteArray *bytes, DocReason *reason)
{
	g_autoptr(GByteArray) other =
	        zipdir_unpack(unpacker->in, name, member_cap(unpacker), reason);
	if (!other || !sink_unpacked(unpacker->sink, other->len))
		return !other;
	g_byte_array_append(bytes, other->data, other->len);
	return true;
}

/* Is the beginning useful without the end? It is for texts, mailboxes, tar archives and compressed
 * streams. */
static bool reads_on(const GByteArray *bytes)
{
	static const char *const streams[] = {
	        "\x1f\x8b", "BZh", "\3757zXZ", "\x28\xb5\x2f\xfd", "\x04\x22\x4d\x18", "LZIP"};
	enum { LOOKED_AT = 4096, TAPE_MARK = 257 };
	if (bytes->len < LOOKED_AT)
		return false;
	for (size_t i = 0; i < G_N_ELEMENTS(streams); i++)
		if (memcmp(bytes->data, streams[i], strlen(streams[i])) == 0)
			return true;
	return memcmp(bytes->data + TAPE_MARK, "ustar", 5) == 0 ||
	       (!memchr(bytes->data, 0, LOOKED_AT) && memcmp(bytes->data, "%PDF", 4) != 0);
}

/* Sends the beginning of a member that is too large for the memory, or only its name. */
static Next send_beginning(ArchiveUnpacker *unpacker, SinkMember *member, const GByteArray *bytes)
{
	if (!sink_unpacked(unpacker->sink, 0))
		member->reason = REASON_LIMIT_UNPACKED;
	else
		member->reason = REASON_LIMIT_MEMORY;
	if (member->reason == REASON_LIMIT_MEMORY && reads_on(bytes)) {
		sink_truncated(unpacker->sink, member->reason, NULL);
		member->reason = REASON_NONE;
		member->data = bytes->data;
		member->size = bytes->len;
	}
	bool over = member->reason == REASON_LIMIT_UNPACKED;
	if (!sink_member(unpacker->sink, member))
		return STOP;
	return over ? over_limit(unpacker) : skip_rest(unpacker);
}

/* Sends a member whose bytes could be read, at least in part. raw: its name in the archive. */
static Next send_bytes(ArchiveUnpacker *unpacker, SinkMember *member, const char *raw)
{
	DocReason reason = REASON_NONE;
	g_autoptr(GByteArray) bytes = read_member(unpacker, member_cap(unpacker), &reason);

	bool is_other = reason == REASON_COMPRESSION && format_is_zip(unpacker->archive);
	if (is_other && raw && !read_other(unpacker, raw, bytes, &reason))
		return over_limit(unpacker);
	if (reason == REASON_LIMIT_UNPACKED)
		return send_beginning(unpacker, member, bytes);
	if (bytes->len == 0 && reason != REASON_NONE) {
		member->reason = reason;
		return sink_member(unpacker->sink, member) ? GO_ON : STOP;
	}
	member->data = bytes->data ? bytes->data : (const uint8_t *)"";
	member->size = bytes->len;
	if (reason != REASON_NONE)
		sink_truncated(unpacker->sink, reason, is_other ? NULL : detail_of_error(unpacker));
	return sink_member(unpacker->sink, member) ? GO_ON : STOP;
}

static Next archive_send_entry(ArchiveUnpacker *unpacker, struct archive_entry *entry)
{
	/* ar may omit the kind */
	unsigned kind = archive_entry_filetype(entry);
	if (kind != AE_IFREG && kind != 0 && !archive_entry_hardlink(entry))
		return GO_ON;
	g_autofree char *raw = archive_raw_name(unpacker, entry);
	g_autofree char *name = archive_name_of(unpacker, raw);
	SinkMember member = {
	        .name = name, .size = size_of(entry), .mtime_ns = archive_mtime_of(entry)};
	if (archive_entry_is_encrypted(entry)) {
		member.reason = REASON_ENCRYPTED;
		return sink_member(unpacker->sink, &member) ? GO_ON : STOP;
	}
	if (archive_entry_hardlink(entry)) {
		member.data = (const uint8_t *)"";
		member.size = 0;
		return sink_member(unpacker->sink, &member) ? GO_ON : STOP;
	}
	if (unpacker->names_only) {
		member.reason = unpacker->lost;
		return sink_member(unpacker->sink, &member) ? GO_ON : STOP;
	}
	return send_bytes(unpacker, &member, raw);
}

/* The library stops reading an archive when the bytes of a member are damaged. With the directory
 * of a zip the members after it can still be read. Returns a status. */
static int archive_resume(ArchiveUnpacker *unpacker)
{
	struct archive_entry *entry;
	bool is_zip = format_is_zip(unpacker->archive) && !unpacker->by_headers;
	if (!is_zip && !format_can_resume(unpacker->archive))
		return ARCHIVE_FATAL;
	if (unpacker->resumes++ >= (is_zip ? MAX_RESUMES : MAX_COSTLY_RESUMES)) {
		if (is_zip || unpacker->names_only)
			return ARCHIVE_FATAL;
		unpacker->names_only = true;
	}
	archive_read_free(unpacker->archive);
	int status = archive_begin_reading(unpacker, false);
	for (unsigned i = 0;
	        i < unpacker->headers && status >= ARCHIVE_FAILED && status != ARCHIVE_EOF; i++)
		status = archive_read_next_header(unpacker->archive, &entry);
	return status;
}

/* True if the bytes have no archive format: they are a text if they were compressed, else
 * nothing. */
static bool is_no_archive(const ArchiveUnpacker *unpacker)
{
	return format_is_none(unpacker->archive) && !unpacker->salvaged && !unpacker->stream;
}

/* Sends all members. Returns the status that ended the listing: ARCHIVE_EOF, an error, or
 * ARCHIVE_OK after STOP. */
static int send_entries(ArchiveUnpacker *unpacker)
{
	for (;;) {
		struct archive_entry *entry;
		int status = archive_read_next_header(unpacker->archive, &entry);
		if (status == ARCHIVE_EOF || status == ARCHIVE_FATAL)
			return status;
		unpacker->headers++;
		if (!sink_unpacked(unpacker->sink, HEADER_BYTES))
			return over_limit(unpacker), ARCHIVE_OK;
		if (is_no_archive(unpacker))
			return ARCHIVE_FATAL;
		if ((status == ARCHIVE_OK || status == ARCHIVE_WARN) &&
		        archive_send_entry(unpacker, entry) == STOP)
			return ARCHIVE_OK;
		if (unpacker->broken && archive_resume(unpacker) < ARCHIVE_FAILED)
			return ARCHIVE_FATAL;
	}
}

static ExtractResult archive_finish(ArchiveUnpacker *unpacker, int status)
{
	if (status == ARCHIVE_FATAL) {
		DocReason reason = reason_of_error(unpacker);
		if (unpacker->headers == 0 || is_no_archive(unpacker))
			return sink_fail(unpacker->sink, reason, detail_of_error(unpacker));
		sink_truncated(unpacker->sink, reason, detail_of_error(unpacker));
	}
	return unpacker->headers > 0 ? EXTRACT_DONE : EXTRACT_NOTHING;
}

/* Starts again in another way if nothing could be read. Returns a status like send_entries(). */
static int try_again(ArchiveUnpacker *unpacker, bool by_headers)
{
	archive_read_free(unpacker->archive);
	int status = archive_begin_reading(unpacker, by_headers);
	return status == ARCHIVE_OK || status == ARCHIVE_WARN ? send_entries(unpacker) : status;
}

/* Sends all members that can be read, and marks the document if more are missing. */
static void archive_send_part(ArchiveUnpacker *unpacker)
{
	int status = archive_begin_reading(unpacker, true);
	if (status == ARCHIVE_OK || status == ARCHIVE_WARN)
		status = send_entries(unpacker);
	if (status == ARCHIVE_FATAL)
		sink_truncated(
		        unpacker->sink, reason_of_error(unpacker), detail_of_error(unpacker));
	archive_read_free(unpacker->archive);
	member_names_clear(&unpacker->names);
}

static ExtractResult extract_stream(const Input *in, Sink *sink, FilterStream *stream)
{
	ArchiveUnpacker unpacker = {.in = in, .sink = sink, .stream = stream};
	archive_send_part(&unpacker);
	/* the type was guessed from two bytes or from a name; a file that does not unpack has
	 * another type */
	if (stream_is_damaged(stream) && unpacker.headers == 0)
		return sink_fail(sink, REASON_UNSUPPORTED, NULL);
	if (stream_is_damaged(stream))
		sink_truncated(sink, REASON_DAMAGED, NULL);
	return unpacker.headers > 0 ? EXTRACT_DONE : EXTRACT_NOTHING;
}

/* Extracts a later part of an archive. Of a tar, the members that begin in it can be read. */
static ExtractResult extract_volume(const Input *in, Sink *sink)
{
	size_t start = parts_find_tar(in);
	if (start == in->size)
		return sink_fail(sink, REASON_PART, NULL);
	ArchiveUnpacker unpacker = {
	        .in = in, .data = in->data + start, .size = in->size - start, .sink = sink};
	sink_truncated(sink, REASON_PART, NULL);
	archive_send_part(&unpacker);
	return EXTRACT_DONE;
}

static bool is_behind_something(const char *mime)
{
	return strcmp(mime, "application/zip") == 0 || strcmp(mime, CHROME_TYPE) == 0;
}

/* Skips the program of a self-extracting archive. A zip needs no offset: it is read by its
 * directory. */
static void go_behind(ArchiveUnpacker *unpacker)
{
	Bytes all = {unpacker->data, unpacker->size};
	bool program = le16(all, 0) == 0x5a4d || le32(all, 0) == 0x464c457f; /* MZ, ELF */
	size_t start = 0;
	if (program && sniff_self_type(all.data, all.size, "application/x-executable", &start)) {
		unpacker->data += start;
		unpacker->size -= start;
	}
	bool marked = unpacker->size > 2 && memcmp(unpacker->data, "PK", 2) == 0;
	unpacker->behind = start == 0 && !marked && is_behind_something(unpacker->in->mime);
}

static ExtractResult archive_extract(const Input *in, Sink *sink)
{
	ArchiveUnpacker unpacker = {.in = in, .data = in->data, .size = in->size, .sink = sink};
	g_autoptr(FilterStream) stream = stream_new(in);
	ZipDir dir;
	go_behind(&unpacker);
	if (stream)
		return extract_stream(in, sink, stream);
	if (strcmp(in->mime, VOLUME_TYPE) == 0)
		return extract_volume(in, sink);
	bool is_zip = strcmp(in->mime, "application/zip") == 0;
	if (is_zip && zipdir_open(&dir, in) && dir.is_last_part)
		return zipdir_extract(&dir, sink, member_cap(&unpacker));
	if (warc_is(in))
		return warc_extract(in, sink, member_cap(&unpacker));
	g_autoptr(GByteArray) salvaged = NULL;
	int status = archive_begin_reading(&unpacker, false);
	if (parts_is_marked(in))
		sink_truncated(sink, REASON_PART, NULL);

	if (status == ARCHIVE_OK || status == ARCHIVE_WARN)
		status = send_entries(&unpacker);
	if (status == ARCHIVE_FATAL && unpacker.headers == 0 && format_is_zip(unpacker.archive))
		status = try_again(&unpacker, true);
	else if (status == ARCHIVE_FATAL && unpacker.headers == 0)
		salvaged = salvage_gzip(in, sink, member_cap(&unpacker));
	if (salvaged) {
		sink_truncated(sink, reason_of_error(&unpacker), detail_of_error(&unpacker));
		unpacker.data = salvaged->data;
		unpacker.size = salvaged->len;
		unpacker.salvaged = true;
		status = try_again(&unpacker, false);
	}
	ExtractResult result = archive_finish(&unpacker, status);
	archive_read_free(unpacker.archive);
	member_names_clear(&unpacker.names);
	return result;
}

static const char *const mime_types[] = {
        "application/zip",
        "application/java-archive",
        "application/vnd.android.package-archive",
        "application/x-tar",
        "application/x-gtar",
        "application/gzip",
        "application/x-gzip",
        "application/x-bzip2",
        "application/x-bzip",
        "application/x-xz",
        "application/x-lzma",
        "application/x-lzip",
        "application/zstd",
        "application/x-zstd",
        "application/x-lz4",
        "application/x-compress",
        "application/x-brotli",
        "application/x-snappy-framed",
        "application/zlib",
        "application/x-7z-compressed",
        "application/x-cpio",
        "application/x-archive",
        "application/x-unix-archive",
        "application/vnd.debian.binary-package",
        "application/x-debian-package",
        "application/x-rpm",
        "application/x-iso9660-image",
        "application/vnd.ms-cab-compressed",
        "application/x-rar",
        "application/x-rar-compressed",
        "application/vnd.rar",
        "application/x-lha",
        "application/x-lzh-compressed",
        "application/x-lharc",
        "application/x-xar",
        VOLUME_TYPE,
        CHROME_TYPE,
        "application/warc",
        "application/x-warc",
        NULL,
};

const Extractor tarsier_extractor = {
        .abi = EXTRACTOR_ABI,
        .name = "archive",
        .version = 15,
        .library = ARCHIVE_VERSION_STRING ", libbrotlidec",
        .lane = LANE_OWN,
        .mime_types = mime_types,
        .preload = format_preload,
        .extract = archive_extract,
};
