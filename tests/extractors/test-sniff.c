/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include "extractors/sniff/sniff.h"
#include <glib.h>
#include <string.h>

typedef struct {
	const char *mime, *name, *content;
	size_t size; /* 0: NUL-terminated */
	const char *declared;
} Sample;

#define OOXML "application/vnd.openxmlformats-officedocument."

#define PART "application/x-archive-part"
#define BYTES "\0\1\2\3\4\5\6\7\x11\x12", 10

#define MAIL "Date: Thu, 1 Jan 2026 10:00:00 +0000\nFrom: a@example.org\nSubject: x\n\nhello\n"

static const Sample samples[] = {
        {"inode/x-empty", "a.txt", "", 0},
        {"text/plain", "notes", "just some words\n"},
        {"text/plain", "notes",
                "gr\xfc\xdf"
                "e in latin-1\n"},
        {"text/plain", "README", "\xff\xfeh\0i\0", 6},
        {"text/markdown", "a.md", "# title\n"},
        {"text/x-c", "main.c", "int main(void) { return 0; }\n"},
        {"text/x-c", "MAIN.C", "int main(void) { return 0; }\n"},
        {"text/x-log", "irc.log", "<ada> \00304,1red lantern\003 and \002bold\002\n"},
        {"text/x-log", "orders.log", "8=FIX.4.2\0019=178\00135=8\00149=LAMP\00156=GR\xc3\x9c\n"},
        {"application/octet-stream", "key", "\5k\6e\1y\2o\3f\4a\6l\016i\017g\020h\021t"},
        {"text/x-python", "tool", "#!/usr/bin/env python3\nprint(1)\n"},
        {"text/x-shellscript", "tool", "#!/bin/sh\necho\n"},
        {"text/x-makefile", "Makefile.am", "all:\n"},
        {"application/json", "a.json", "{\"a\": 1}\n"},
        {"application/json", "a.canvas", "{\"nodes\": []}\n"},
        {"application/json", "a.excalidraw", "{\"type\": \"excalidraw\"}\n"},
        {"text/csv", "a.csv", "a,b\n1,2\n"},
        {"text/html", "x", "<!DOCTYPE html><p>hi"},
        {"text/html", "x", "\xef\xbb\xbf  <HTML><body>hi"},
        {"text/html", "x", "<!-- a comment --><html>hi"},
        {"text/html", "a.html", "words without tags"},
        {"text/markdown", "README.md", "<h1 align=\"center\">Lamps</h1>\n\n## Oil\n"},
        {"text/x-wiki", "a.wiki", "<!-- lamps -->\n<span id=\"oil\"></span>\n= Oil =\n"},
        {"text/x-textile", "a.textile", "<div>\n\nh2. Oil\n\n</div>\n"},
        {"text/html", "a.wiki", "<!DOCTYPE html><title>Oil</title>"},
        {"text/html", "page.md", "<!DOCTYPE html>\n<h1>Lamps</h1>\n"},
        {"application/xml", "states.opml", "<opml version=\"2.0\"><body/></opml>\n"},
        {"application/xml", "manual.docbook",
                "<!DOCTYPE book PUBLIC \"-//OASIS//DTD DocBook XML V4.4//EN\" "
                "\"x.dtd\">\n<book/>x</book>\n"},
        {"text/plain", "x", "<word> is a word in angles, <other>\n"},
        {"text/plain", "x", "<header of a list>\n"},
        {"application/xhtml+xml", "x",
                "<?xml version=\"1.0\"?><html xmlns=\"http://www.w3.org/1999/xhtml\">"},
        {"application/xml", "x", "<?xml version=\"1.0\"?><thing/>"},
        {"image/svg+xml", "x", "<?xml version=\"1.0\"?><!-- c --><svg/>"},
        {"application/xml", "x.xmp",
                "<?xpacket begin=\"\"?><x:xmpmeta xmlns:x=\"adobe:ns:meta/\">"},
        {"video/ogg", "x", "OggS\0\2\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1\x2a\x80theora", 35},
        {"application/ogg", "x", "OggS\0\2\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1\x1e\1vorbis",
                35},
        {"application/x-bittorrent", "x", "d7:comment5:Lamps4:infod4:name4:Pieree"},
        {"text/plain", "x", "d20 and 4:infod are dice\n"},
        {"text/x-info", "x.info",
                "Made by hand\n\x1f\nFile: x,  Node: Top\n\nTop\n***\n\0\b[index\0\b]\n", 57},
        {"application/vnd.ms-wordml", "x",
                "<?xml version=\"1.0\"?><?mso-application "
                "progid=\"Word.Document\"?><w:wordDocument>"},
        {"application/xml", "x", "<?xml version=\"1.0\"?><Workbook>"},
        {"application/rtf", "x.txt", "{\\rtf1 hello}"},
        {"application/x-sony-bbeb", "a.lrf", "L\0R\0F\0\0\0\xe7\3\0\0", 12},
        {"application/x-snb-ebook", "a.snb", "SNBP000B\0\0\x80\0", 12},
        {"application/x-grzip", "a.tar.grz", "GRZipII\0\2\4:)", 12},
        {"application/zip", "x",
                "\x8a\x7e\xca\xf3\x25\xbb\xe7\0PK\1\2" /* a zip directory with one entry, and its
                                                          end record */
                "0123456789012345678901234567890123456789"
                "01PK\5\6\0\0\0\0\1\0\1\0\x2e\0\0\0\0\0\0\0\0\0",
                76},
        {"application/x-executable", "x",
                "\x7f"
                "ELF\2\1\1 reads Rar!\x1a\7 and 7z\xbc\xaf\x27\x1c",
                32},
        {"application/postscript", "x", "%!PS-Adobe-3.0\n"},
        {"message/rfc822", "1234.M5P6.host", MAIL},
        {"message/rfc822", "a.txt",
                "Received: from x\n\tby y\nMessage-ID: <1@x>\nSubject: s\n\nbody\n"},
        {"message/rfc822", "1234.M5P6.host:2,S", "Subject: only this looks like a mail\n\nbody\n"},
        {"message/rfc822", "1234.M5P6.host:2,S", MAIL "\1\2\3 a body with controls\n"},
        {"text/plain", "a.txt", "Subject: only this looks like a mail\n\nbody\n"},
        {"message/rfc822", "a.eml", "Subject: only this looks like a mail\n\nbody\n"},
        {"message/rfc822", "a.EML", "Received: by x\nquite Delivered-To: y\nSubject: s\n\nbody\n"},
        {"message/rfc822", "a.txt", "\n\nDate : d\nFrom : a\nTo\t: b\n\nbody\n"},
        {"text/plain", "a.eml", "Notes about mails\n\nbody\n"},
        {"message/rfc822", "a.txt", "Content-Type: multipart/mixed; boundary=x\n\n--x\n\nbody\n"},
        {"message/rfc822", "a.txt", "Date: d\nFrom: a\nTo: b\nno header, no line between\n"},
        {"text/plain", "a.txt", "Date: today\nFrom here on it is prose\nSubject: x\nTo: y\n"},
        {"application/x-mimearchive", "x", "From: <Saved by Blink>\nSubject: s\nDate: d\n\nbody\n"},
        {"application/x-mimearchive", "x",
                "From: \"Saved by Windows Internet Explorer 8\"\nSubject: s\nDate: d\n\nbody\n"},
        {"application/x-mimearchive", "a.MHT",
                "MIME-Version: 1.0\nContent-Type: text/html\n\nbody\n"},
        {"message/rfc822", "a.mhtml", "From: a\nTo: b\nContent-Type: multipart/related\n\nbody\n"},
        {"application/mbox", "Inbox", "From a@example.org Thu Jan  1 10:00:00 2026\n" MAIL},
        {"text/plain", "a", "From time to time\nwe write prose\n"},
        {"application/pdf", "x", "%PDF-1.4\n%\xe2\xe3\xcf\xd3\n"},
        {"application/pdf", "x", "junk before\n%PDF-1.4\n%\xe2\xe3\xcf\xd3\n"},
        {"text/x-lua", "x.lua", "mark = [[%PDF-[12]\\.\\d]]\n\n%PDF-[12] it is\n"},
        {"text/plain", "x", "A PDF begins with %PDF-1.4 and the number of its version.\n"},
        {"application/x-cpio", "x",
                "070701000A1B2C000081A40000000000000000000000016996F3A00000000A00000008000000010000"
                "0000"
                "000000000000000600000000a.pdf\0%PDF-1.4\n\0\0",
                128},
        {"application/x-lzop", "x", "\x89LZO\0\r\n\x1a\n\x10\x40 %PDF-1.4\n", 21},
        {"image/x-panasonic-rw2", "x", "IIU\0\x18\0\0\0\x88\xe7\x74\xd8", 12},
        {"image/x-minolta-mrw", "x", "\0MRM\0\0\x0a\x0c\0PRD", 12},
        {"application/gzip", "x", "\x1f\x8b\x08\0\0\0\0\0", 8},
        {"application/x-xz", "x",
                "\xfd"
                "7zXZ\0\0\4",
                8},
        {"application/x-bzip2", "x", "BZh91AY&SY"},
        {"application/zstd", "x", "\x28\xb5\x2f\xfd\0\0", 6},
        {"image/png", "x.txt", "\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16},
        {"application/octet-stream", "x.txt", "\0\1\2\3\4\5\6\7\x11\x12", 10},
        {"text/plain", "x.txt", "the end of a text in DOS\r\n\x1a"},
        {"application/octet-stream", "x", "too \1 many \2 controls in latin-1: \xfc"},
        /* NUL bytes in a text, and in what is none */
        {"text/plain", "x", "a line with a stray \0 byte\n", 27},
        {"text/x-log", "x.log", "\0\0\0\0the end of a log in gr\xc3\xbcn\n", 30},
        {"application/octet-stream", "x", "\0\0\0\0 a b\0", 9},
        {"application/octet-stream", "x", "a line with a \0 byte and a \1 control\n", 37},
        {"application/octet-stream", "x", "a line with a \0 byte and \xfe\xe8\xf7 of what\n", 37},
        {"application/octet-stream", "x",
                "ab c\0ab c\0ab c\0ab c\0ab c\0ab c\0ab c\0ab c\0ab c\0ab c\0ab c\0ab c\0"
                "ab c\0ab c\0ab c\0ab c\0ab c\0",
                85},
        {"text/html", "x",
                "<html><body>A page that some program saved with the byte that ends its string: "
                "it is as good a page as any other, since browsers pass over such a byte. What is "
                "not read is what has many of them, as programs, pictures and tables of numbers "
                "have, and short files where one says much.</body></html>\n\0\n",
                282},
        {"text/x-info", "x.info", "\x1f\nIndirect:\nx.info-1: 100\n\x1f\nTag Table:\n(Indirect)\n"},
        {"image/x-portable-graymap", "x", "P5\n4 2\n255\n\xfe\xfe\xfe\xfe\xfe\xfe\xfe\xfe"},
        {"image/x-portable-pixmap", "x", "P3\n# made by hand\n# twice\n1 1\n255\n1 2 3\n"},
        {"text/plain", "x", "P5 is the way\n"},
        {"text/plain", "x", "P5 1 or 2\n"},
        {"video/quicktime", "x", "\0\0\0\x08wide\0\0\0\0mdat", 16},
        {"application/vnd.ms-excel", "x", "\x09\2\6\0\0\0\x10\0\0\0", 10},
        {"application/vnd.wordperfect", "LETTER.WPD", "\xcb\x0a\x01\xf6\x01\xcb\xc0\0", 8},
        {"application/octet-stream", "wp", "\xcb\x0a\x01\xf6\x01\xcb\xc0\0", 8},
        /* parts of split archives, and names that are none */
        {PART, "x.tar.gz.ab", BYTES},
        {PART, "x.tar.gz.001", BYTES},
        {PART, "x.7z.002", BYTES},
        {PART, "x.tar.xz.partac", BYTES},
        {PART, "X.ZIP.PART2", BYTES},
        {PART, "x.tar.zst-aac", BYTES},
        {PART, "x.part03.rar", BYTES},
        {PART, "x.r17", BYTES},
        {PART, "x.z02", BYTES},
        {PART, "x.tar.ae", "MZ\x90\0\3\0\0\0\4\0\0\0\xff\xff\0\0", 16},
        {"text/plain", "x.tar.ab", "the middle of a text\n"},
        {"application/gzip", "x.tar.gz.ab", "\x1f\x8b\x08\0\0\0\0\0", 8},
        {"application/octet-stream", "x.tar.gz", BYTES},
        {"application/octet-stream", "x.tar.sig", BYTES},
        {"application/octet-stream", "x.zip.part", BYTES},
        {"application/octet-stream", "x.tar.gz.7", BYTES},
        {"application/octet-stream", "x.tar.gz.20260301", BYTES},
        {"application/octet-stream", "game.z80", BYTES},
        {"application/octet-stream", "data.001", BYTES},
        {"application/octet-stream", ".gz.001", BYTES},
        {"application/octet-stream", "ab", BYTES},
        {"application/octet-stream", "part1.rar", BYTES},
        {"application/zip", "x.z01", "PK\7\10PK\3\4\x14\0\0\0", 12},
        {"application/vnd.appimage", "x",
                "\x7f"
                "ELF\2\1\1\0AI\2\0\0\0\0\0",
                16},
        /* types that a container declares */
        {"text/html", "part", "words", 0, "text/html"},
        {"application/pdf", "part", "%PDF-1.4\n\1", 0, "text/plain"},
        {"application/x-thing", "part", "\0\1\2\3\4\5\6\7\x11\x12", 10, "application/x-thing"},
        {"text/plain", "part", "words", 0, "application/octet-stream"},
        {"text/plain", "part", "words", 0, "nonsense"},
        {"text/plain", "part", "words", 0, "text/*"},
        {"application/octet-stream", "part", BYTES, "application/*"},
        {"application/octet-stream", "part", BYTES, "image/x{y}"},
};

static Sniffer *sniffer;

static void test_sample(gconstpointer data)
{
	const Sample *sample = data;
	size_t size = sample->size ? sample->size : strlen(sample->content);
	g_autofree uint8_t *exact = g_memdup2(sample->content, size);
	g_assert_cmpstr(
	        sniff_type(sniffer, exact, size, sample->name, sample->declared), ==, sample->mime);
}

/* A disk image of Apple is recognized by its last block, whatever its first bytes are. */
static void test_disk_image(void)
{
	uint8_t image[1024] = "BZh91AY&SY";
	memcpy(image + 512, "koly\0\0\0\4\0\0\2", 12);
	g_assert_cmpstr(sniff_type(sniffer, image, sizeof image, "x.dmg", NULL), ==,
	        "application/x-apple-diskimage");
	image[512] = 'K';
	g_assert_cmpstr(
	        sniff_type(sniffer, image, sizeof image, "x.dmg", NULL), ==, "application/x-bzip2");
}

/* ---- ZIP archives, made member by member */

static void put16(GByteArray *bytes, unsigned value)
{
	uint8_t two[2] = {value & 0xff, value >> 8};
	g_byte_array_append(bytes, two, 2);
}

static void put_zeros(GByteArray *bytes, unsigned n)
{
	while (n-- > 0)
		g_byte_array_append(bytes, (const uint8_t *)"", 1);
}

static void put_string(GByteArray *bytes, const char *string)
{
	g_byte_array_append(bytes, (const uint8_t *)string, strlen(string));
}

/* Makes members without content, except for a first one called "mimetype". */
static GByteArray *make_zip(const char *const *names, const char *mimetype)
{
	GByteArray *zip = g_byte_array_new();
	g_autoptr(GByteArray) central = g_byte_array_new();
	unsigned n = 0;
	for (; names[n]; n++) {
		const char *content = strcmp(names[n], "mimetype") == 0 ? mimetype : "";
		put_string(zip, "PK\3\4");
		put_zeros(zip, 22);
		put16(zip, strlen(names[n]));
		put16(zip, 0);
		put_string(zip, names[n]);
		put_string(zip, content);
		put_string(central, "PK\1\2");
		put_zeros(central, 24);
		put16(central, strlen(names[n]));
		put_zeros(central, 16);
		put_string(central, names[n]);
	}
	unsigned offset = zip->len, length = central->len;
	g_byte_array_append(zip, central->data, central->len);
	put_string(zip, "PK\5\6");
	put_zeros(zip, 4);
	put16(zip, n);
	put16(zip, n);
	put16(zip, length);
	put16(zip, 0);
	put16(zip, offset);
	put16(zip, 0);
	put16(zip, 0);
	return zip;
}

static const struct {
	const char *mime, *name;
	const char *members[4];
	const char *mimetype;
} zips[] = {
        {"application/zip", "a.zip", {"a.txt", "b.txt"}},
        {"application/zip", "a.docx", {"a.txt"}},
        {OOXML "wordprocessingml.document", "x", {"[Content_Types].xml", "word/document.xml"}},
        {OOXML "wordprocessingml.document", "a.docx",
                {"_rels/.rels", "word/document.xml", "[Content_Types].xml"}},
        {"application/vnd.ms-word.document.macroenabled.12", "x",
                {"[Content_Types].xml", "word/document.xml", "word/vbaProject.bin"}},
        {OOXML "wordprocessingml.template", "a.dotx", {"[Content_Types].xml", "word/document.xml"}},
        {OOXML "spreadsheetml.sheet", "x", {"[Content_Types].xml", "xl/workbook.xml"}},
        {OOXML "presentationml.presentation", "x", {"[Content_Types].xml", "ppt/presentation.xml"}},
        {"application/vnd.oasis.opendocument.text", "x", {"mimetype", "content.xml"},
                "application/vnd.oasis.opendocument.text"},
        {"application/vnd.oasis.opendocument.text-template", "x", {"mimetype", "content.xml"},
                "application/vnd.oasis.opendocument.text-template"},
        {"application/vnd.oasis.opendocument.spreadsheet", "a.zip", {"mimetype", "content.xml"},
                "application/vnd.oasis.opendocument.spreadsheet"},
        {"application/epub+zip", "x", {"mimetype"}, "application/epub+zip"},
        {"application/zip", "x", {"mimetype"}, "application/x-invented"},
        {"application/vnd.xmind.workbook", "a.xmind", {"content.json", "content.xml"}},
        {"application/zip", "a.sketch", {"content.json", "content.xml"}},
        {"application/java-archive", "x", {"META-INF/MANIFEST.MF", "A.class"}},
};

static void test_zip(gconstpointer data)
{
	size_t i = GPOINTER_TO_SIZE(data);
	g_autoptr(GByteArray) zip = make_zip(zips[i].members, zips[i].mimetype);
	g_assert_cmpstr(
	        sniff_type(sniffer, zip->data, zip->len, zips[i].name, NULL), ==, zips[i].mime);
	/* every truncation has a type too, and nothing past its end is read */
	for (size_t size = 4; size < zip->len; size++) {
		g_autofree uint8_t *cut = g_memdup2(zip->data, size);
		g_assert_nonnull(sniff_type(sniffer, cut, size, zips[i].name, NULL));
	}
}

static void test_tar(void)
{
	g_autofree uint8_t *block = g_malloc0(512);
	strcpy((char *)block, "name");
	memcpy(block + 257, "ustar", 5);
	g_assert_cmpstr(sniff_type(sniffer, block, 512, "x", NULL), ==, "application/x-tar");
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	sniffer = sniffer_new();
	for (size_t i = 0; i < G_N_ELEMENTS(samples); i++) {
		g_autofree char *path = g_strdup_printf(
		        "/extractors/sniff/type-%02zu-is-%s", i, strrchr(samples[i].mime, '/') + 1);
		g_test_add_data_func(path, &samples[i], test_sample);
	}
	for (size_t i = 0; i < G_N_ELEMENTS(zips); i++) {
		g_autofree char *path = g_strdup_printf("/extractors/sniff/type-of-zip-%02zu", i);
		g_test_add_data_func(path, GSIZE_TO_POINTER(i), test_zip);
	}
	g_test_add_func("/extractors/sniff/tar-is-recognised-by-its-checksum", test_tar);
	g_test_add_func("/extractors/sniff/disk-images-are-recognised", test_disk_image);
	int status = g_test_run();
	sniffer_free(sniffer);
	return status;
}
