/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/sniff/sniff.h"
#include "common/base/media-type.h"
#include "extractors/sniff/sniff-mail.h"
#include "extractors/sniff/sniff-ole.h"
#include "extractors/sniff/sniff-self.h"
#include "extractors/sniff/sniff-text.h"
#include "extractors/sniff/sniff-zip.h"
#include "extractors/shared/volume.h"
#include <glib.h>
#include <magic.h>
#include <stdbool.h>
#include <string.h>

enum { MAGIC_BYTES = 256 << 10, PDF_BYTES = 1024 };

struct Sniffer {
	magic_t magic; /* NULL: libmagic is not available */
};

typedef struct {
	uint16_t offset;
	uint8_t length;
	const char *bytes, *mime;
} Signature;

static const Signature signatures[] = {
        {0, 2, "\x1f\x8b", "application/gzip"},
        {0, 6,
                "\xfd"
                "7zXZ\0",
                "application/x-xz"},
        {0, 3, "BZh", "application/x-bzip2"},
        {0, 4, "\x28\xb5\x2f\xfd", "application/zstd"},
        {0, 4, "LZIP", "application/x-lzip"},
        {0, 4, "\x04\x22\x4d\x18", "application/x-lz4"},
        {257, 5, "ustar", "application/x-tar"},
        {0, 6, "7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"},
        {0, 6, "Rar!\x1a\x07", "application/vnd.rar"},
        {0, 4, "MSCF", "application/vnd.ms-cab-compressed"},
        {0, 8, "!<arch>\n", "application/x-archive"},
        {0, 8, "\x89PNG\r\n\x1a\n", "image/png"},
        {0, 3, "\xff\xd8\xff", "image/jpeg"},
        {0, 4, "GIF8", "image/gif"},
        {0, 4, "II*\0", "image/tiff"},
        {0, 4, "MM\0*", "image/tiff"},
        {8, 4, "WEBP", "image/webp"},
        {40, 4, " EMF", "image/emf"},
        {0, 4, "\xd7\xcd\xc6\x9a", "image/wmf"},
        {0, 3, "ID3", "audio/mpeg"},
        {0, 4, "fLaC", "audio/flac"},
        {0, 4, "wvpk", "audio/x-wavpack"},
        {0, 4, "TTA1", "audio/x-tta"},
        {0, 4, "MPCK", "audio/x-musepack"},
        {0, 4, "MAC ", "audio/x-ape"},
        {0, 4, "\x1a\x45\xdf\xa3", "video/x-matroska"},
        {4, 7, "ftypisom", "video/mp4"},
        {4, 8, "ftypcrx ", "image/x-canon-cr3"},
        {4, 7, "ftyp3g2", "video/3gpp2"},
        {4, 7, "ftyp3gp", "video/3gpp"},
        {8, 3, "AI\2", "application/vnd.appimage"},
        {0, 4,
                "\x7f"
                "ELF",
                "application/x-executable"},
        {0, 16, "SQLite format 3", "application/vnd.sqlite3"},
        {0, 8, "AT&TFORM", "image/vnd.djvu"},
        {0, 4, "\xb0\x0c\xb0\x0c", "application/x-rocketbook"},
        {0, 9, "!!8-Bit!!", "application/x-tcr-ebook"},
        {0, 8, "L\0R\0F\0\0", "application/x-sony-bbeb"},
        {0, 8, "SNBP000B", "application/x-snb-ebook"},
        {0, 8, "ITOLITLS", "application/x-ms-reader"},
        {0, 8, "L\0R\0F\0\0\0", "application/x-sony-bbeb"},
        {60, 8, "BOOKMOBI", "application/x-mobipocket-ebook"},
        {60, 8, "TEXtREAd", "application/x-mobipocket-ebook"},
        {0, 4, "\x78\x9f\x3e\x22", "application/vnd.ms-tnef"},
        {0, 4, "\xffWPC", "application/vnd.wordperfect"},
        {0, 18, "Visio (TM) Drawing", "application/vnd.visio"},
        {0, 6, "\0\0\2\0\6\4", "application/vnd.lotus-1-2-3"},
        {0, 8, "\0\0\x1a\0\0\x10\4\0", "application/vnd.lotus-1-2-3"},
        {0, 8, "\0\0\x1a\0\3\x10\4\0", "application/vnd.lotus-1-2-3"},
        {0, 6, "\0\0\2\0\1\x10", "application/x-quattro-pro"},
        {0, 6, "\0\0\2\0\2\x10", "application/x-quattro-pro"},
        {0, 6, "\0\0\2\0\x20\x51", "application/x-quattro-pro"},
        {0, 6, "\0\0\2\0\x21\x51", "application/x-quattro-pro"},
        {0, 4, "\x09\0\4\0", "application/vnd.ms-excel"},
        {0, 4, "\x09\2\6\0", "application/vnd.ms-excel"},
        {0, 4, "\x09\4\6\0", "application/vnd.ms-excel"},
        {0, 6, "\x09\x08\x08\0\0\5", "application/vnd.ms-excel"},
        {0, 4, "\xdb\xa5\x2d\0", "application/msword"},
        {0, 4, "\x9b\xa5\x21\0", "application/msword"},
        {0, 4, "\xdc\xa5\x65\0", "application/msword"},
        {0, 4, "\xdc\xa5\x68\0", "application/msword"},
        {0, 6, "\xff\0\2\0\4\4", "application/vnd.ms-works"},
        {0, 6, "\0\0\2\0\4\4", "application/vnd.ms-works"},
        {0, 8, "\x20\x54\2\0\0\0\5\x54", "application/vnd.ms-works"},
        {0, 6, "\1\xfe\1\0\0\0", "application/vnd.ms-works"},
        {0, 6, "{\\pwi\x15", "application/vnd.ms-works"}, /* Pocket Word */
        {0, 4, "\x0c\xec\x08\xab", "application/vnd.ms-works"}, /* Multiplan */
        {0, 4, "\x0c\xed\x08\xab", "application/vnd.ms-works"},
        {0, 4, "\x31\xbe\0\0", "application/x-mswrite"},
        {0, 4, "\x32\xbe\0\0", "application/x-mswrite"},
        {4, 4, "BOBO", "application/clarisworks"},
        {0, 4, "\xfe\x37\0\x1c", "application/x-macword"},
        {0, 4, "\xfe\x37\0\x23", "application/x-macword"},
        {0, 4, "\x0b\xad\xde\xed", "application/vnd.ms-powerpoint.95"},
        {0, 4, "\xed\xde\xad\x0b", "application/vnd.ms-powerpoint.95"},
        {4, 4, "moov", "video/quicktime"},
        {4, 8, "mdat\0\0\0\0", "video/quicktime"},
        {4, 4, "wide", "video/quicktime"},
        {0, 4, "!BDN", "application/vnd.ms-outlook-pst"},
        {0, 5, "\x04%!PS", "application/postscript"},
        {0, 4, "\xc5\xd0\xd3\xc6", "image/x-eps"},
        {0, 4, "ITSF", "application/vnd.ms-htmlhelp"},
        {0, 8, "MSWIM\0\0", "application/x-ms-wim"},
        {0, 9, "\x89LZO\0\r\n\x1a\n", "application/x-lzop"},
        {0, 8, "PK\7\10PK\3\4", "application/zip"}, /* first part of a split zip */
        {0, 4, "hsqs", "application/x-squashfs"},
        {0, 4, "LRZI", "application/x-lrzip"},
        {0, 8, "GRZipII\0", "application/x-grzip"},
        {0, 4, "wOF2", "font/woff2"},
        {0, 4, "IIU\0", "image/x-panasonic-rw2"},
        {0, 4, "\0MRM", "image/x-minolta-mrw"},
        {0, 16, "\x06\x06\xed\xf5\xd8\x1d\x46\xe5\xbd\x31\xef\xe7\xfe\x74\xb7\x1d",
                "application/x-indesign"},
};

Sniffer *sniffer_new(void)
{
	Sniffer *sniffer = g_new0(Sniffer, 1);
	int flags = MAGIC_MIME_TYPE | MAGIC_NO_CHECK_COMPRESS | MAGIC_NO_CHECK_TAR |
	            MAGIC_NO_CHECK_ENCODING;
	sniffer->magic = magic_open(flags);
	if (sniffer->magic && magic_load(sniffer->magic, NULL) != 0) {
		g_warning("libmagic: %s", magic_error(sniffer->magic));
		g_clear_pointer(&sniffer->magic, magic_close);
	}
	return sniffer;
}

void sniffer_free(Sniffer *sniffer)
{
	if (sniffer->magic)
		magic_close(sniffer->magic);
	g_free(sniffer);
}

/* The first page of each stream tells its kind. A film is looked for before sound. */
static const char *ogg_type(const uint8_t *data, size_t size)
{
	enum { FIRST_PAGES = 512 };
	return memmem(data, MIN(size, FIRST_PAGES), "\x80theora", 7) ? "video/ogg"
	                                                             : "application/ogg";
}

/* True for an ASN.1 sequence that begins with one of the types of PKCS #7; in Base64 only if the
 * name says so. */
static bool sniff_is_cms(const uint8_t *data, size_t size, const char *name)
{
	static const uint8_t types[] = {0x06, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07};
	enum { LONGEST_HEADER = 8 };
	if (size < sizeof types + 2)
		return false;
	if (*data == 0x30)
		return memmem(data, MIN(size, sizeof types + LONGEST_HEADER), types,
		               sizeof types) != NULL;
	const char *dot = strrchr(name, '.');
	return dot && g_ascii_strcasecmp(dot, ".p7m") == 0 &&
	       (*data == 'M' || memcmp(data, "-----BEGIN", 10) == 0);
}

bool sniff_is_tar(const uint8_t *data, size_t size)
{
	enum { HEADER = 512, SUM_AT = 148, SUM_BYTES = 8, DIGITS = 6 };
	unsigned sum = SUM_BYTES * ' ', said = 0;
	size_t at = SUM_AT;
	if (size < HEADER || *data == 0)
		return false;
	while (at < SUM_AT + DIGITS && data[at] == ' ')
		at++;
	for (; at < SUM_AT + DIGITS && data[at] >= '0' && data[at] <= '7'; at++)
		said = said * 8 + (data[at] - '0');
	for (size_t i = 0; i < HEADER; i++)
		sum += i >= SUM_AT && i < SUM_AT + SUM_BYTES ? 0 : data[i];
	return said == sum;
}

/* True for cpio formats whose headers and members may all be text (cpio(5)): six digits, then octal
 * or hexadecimal numbers. */
static bool is_text_cpio(const uint8_t *data, size_t size)
{
	enum { MARK = 6, OLD = 76, NEW = 110 };
	if (size < NEW || memcmp(data, "07070", 5) != 0)
		return false;
	bool is_old = data[5] == '7';
	bool is_new = data[5] == '1' || data[5] == '2';
	for (size_t i = MARK; i < (is_old ? OLD : NEW); i++)
		if (is_old ? data[i] < '0' || data[i] > '7' : !g_ascii_isxdigit(data[i]))
			return false;
	return is_old || is_new;
}

/* Recognizes Netpbm by its kind, width and height in digits; the rest may look like text. */
static const char *netpbm_type(const uint8_t *data, size_t size)
{
	static const char *const types[] = {
	        "image/x-portable-bitmap", "image/x-portable-graymap", "image/x-portable-pixmap"};
	enum { LONGEST_HEADER = 512 };
	if (size < 7 || data[0] != 'P' || data[1] < '1' || data[1] > '6' ||
	        !g_ascii_isspace(data[2]))
		return NULL;
	unsigned numbers = 0;
	size_t at = 2, end = MIN(size, LONGEST_HEADER);
	while (at < end && numbers < 2) {
		size_t digits = 0;
		for (; at < end && g_ascii_isspace(data[at]); at++)
			;
		for (; at < end && data[at] == '#'; at++)
			for (; at < end && data[at] != '\n'; at++)
				;
		for (; at < end && g_ascii_isdigit(data[at]); at++)
			digits++;
		numbers += digits > 0;
		if (at >= end || !g_ascii_isspace(data[at]))
			return NULL;
	}
	return numbers == 2 ? types[(data[1] - '1') % 3] : NULL;
}

/* True for a dictionary of BitTorrent (BEP 3) with the keys that every such file has. They come in
 * any order, and a small file may look like text. */
static bool sniff_is_torrent(const uint8_t *data, size_t size)
{
	enum { LOOK_BYTES = 64 << 10 };
	size_t at = 1;
	if (size < 4 || data[0] != 'd')
		return false;
	while (at < size && g_ascii_isdigit(data[at]))
		at++;
	return at > 1 && at < size && data[at] == ':' &&
	       memmem(data, MIN(size, (size_t)LOOK_BYTES), "4:infod", 7);
}

static const char *by_signature(const uint8_t *data, size_t size, const char *name)
{
	for (size_t i = 0; i < G_N_ELEMENTS(signatures); i++) {
		const Signature *s = &signatures[i];
		if (size >= (size_t)s->offset + s->length &&
		        memcmp(data + s->offset, s->bytes, s->length) == 0)
			return s->mime;
	}
	if (sniff_is_cms(data, size, name))
		return "application/pkcs7-mime";
	if (size >= 4 && memcmp(data, "OggS", 4) == 0)
		return ogg_type(data, size);
	if (size >= 4 && memcmp(data, "PK\3\4", 4) == 0)
		return sniff_zip_type(data, size, name);
	if (size >= 22 && memcmp(data, "PK\5\6", 4) == 0)
		return "application/zip"; /* the archive is empty */
	if (size >= 5 && memcmp(data, "%PDF-", 5) == 0)
		return "application/pdf";
	if (sniff_is_tar(data, size))
		return "application/x-tar";
	if (is_text_cpio(data, size))
		return "application/x-cpio";
	if (sniff_is_torrent(data, size))
		return "application/x-bittorrent";
	const char *netpbm = netpbm_type(data, size);
	if (netpbm)
		return netpbm;
	const char *ole = sniff_ole_type(data, size);
	return g_strcmp0(ole, "application/encrypted") == 0 ? sniff_sealed_type(name) : ole;
}

static const char *by_magic(Sniffer *sniffer, const uint8_t *data, size_t size)
{
	const char *mime =
	        sniffer->magic ? magic_buffer(sniffer->magic, data, MIN(size, MAGIC_BYTES)) : NULL;
	return media_type_is_valid(mime) ? mime : "application/octet-stream";
}

/* A text that mentions the signature has it within a line, not at its beginning. */
static bool holds_pdf(const uint8_t *data, size_t size)
{
	const uint8_t *p = data, *end = data + MIN(size, PDF_BYTES);
	while ((p = memmem(p, end - p, "%PDF-", 5))) {
		bool apart = p == data || !(g_ascii_isprint(p[-1]) || p[-1] == '\t');
		p += 5;
		if (apart && p < end && g_ascii_isdigit(*p))
			return true;
	}
	return false;
}

/* Returns the type of a file with a PDF after other data. If the file has a type of its own, the
 * PDF is only a part of it. */
static const char *pdf_behind_other_data(Sniffer *sniffer, const uint8_t *data, size_t size)
{
	if (!holds_pdf(data, size))
		return NULL;
	const char *found = by_magic(sniffer, data, size);
	bool is_open =
	        strcmp(found, "application/octet-stream") == 0 || g_str_has_prefix(found, "text/");
	return is_open ? "application/pdf" : found;
}

/* Returns the type of a format without a signature. */
static const char *sniff_by_name(const char *found, const char *name)
{
	static const struct {
		const char *extension, *mime;
	} unsigned_types[] = {{".wpd", "application/vnd.wordperfect"}, /* versions before 5 */
	        {".wp", "application/vnd.wordperfect"}, {".wp4", "application/vnd.wordperfect"},
	        {".lzma", "application/x-lzma"}, {".tlz", "application/x-lzma"},
	        {".br", "application/x-brotli"}, {".tbr", "application/x-brotli"}};
	size_t length = strlen(name);
	if (strcmp(found, "application/octet-stream") != 0)
		return found;
	for (size_t i = 0; i < G_N_ELEMENTS(unsigned_types); i++) {
		size_t n = strlen(unsigned_types[i].extension);
		if (length > n &&
		        g_ascii_strcasecmp(name + length - n, unsigned_types[i].extension) == 0)
			return unsigned_types[i].mime;
	}
	return found;
}

/* If the content leaves the type open, the type that the container declares counts, as far as it
 * fits the content. */
static const char *sniff_refine(const char *found, const char *declared)
{
	if (!media_type_is_valid(declared))
		return found;
	bool is_text = strcmp(found, "text/plain") == 0;
	bool says_text = g_str_has_prefix(declared, "text/") ||
	                 g_str_has_prefix(declared, "message/") ||
	                 g_str_has_suffix(declared, "xml") || g_str_has_suffix(declared, "json");
	bool is_kind = strcmp(found, "application/xml") == 0 && g_str_has_suffix(declared, "+xml");
	if ((is_text && says_text) || is_kind)
		return declared;
	if (strcmp(found, "application/octet-stream") == 0 && !says_text)
		return declared;
	return found;
}

/* True for a disk image of Apple, recognized by its last block: the file begins with any compressed
 * data. */
static bool is_disk_image(const uint8_t *data, size_t size)
{
	static const uint8_t mark[] = {'k', 'o', 'l', 'y', 0, 0, 0, 4, 0, 0, 2, 0};
	enum { BLOCK = 512 };
	return size >= BLOCK && memcmp(data + size - BLOCK, mark, sizeof mark) == 0;
}

static const char *by_content(Sniffer *sniffer, const uint8_t *data, size_t size, const char *name)
{
	if (is_disk_image(data, size))
		return "application/x-apple-diskimage";
	const char *found = by_signature(data, size, name);
	return found ? found : pdf_behind_other_data(sniffer, data, size);
}

/* Returns the type of a later part of a split archive. Any other type told by its bytes would be
 * chance. */
static const char *volume_type(const uint8_t *data, size_t size)
{
	size_t start;
	const char *last = sniff_self_type(data, size, "application/octet-stream", &start);
	return last ? last : VOLUME_TYPE;
}

const char *sniff_type(
        Sniffer *sniffer, const uint8_t *data, size_t size, const char *name, const char *declared)
{
	size_t start;
	if (size == 0)
		return "inode/x-empty";
	const char *found = by_content(sniffer, data, size, name);
	bool is_open = !found;
	if (is_open && sniff_is_text(data, size))
		return sniff_refine(sniff_text_type(data, size, name), declared);
	if (is_open)
		found = sniff_mail_type(data, size, name);
	if (!found && volume_is_part(name))
		return volume_type(data, size);
	if (!found)
		found = by_magic(sniffer, data, size);
	const char *archive = sniff_self_type(data, size, found, &start);
	if (archive)
		return archive;
	if (!is_open)
		return found;
	found = sniff_by_name(found, name);
	if (strcmp(found, "application/octet-stream") == 0 &&
	        (sniff_is_text_with_nuls(data, size) || sniff_is_text_with_controls(data, size)))
		found = sniff_text_type(data, size, name);
	return sniff_refine(found, declared);
}
